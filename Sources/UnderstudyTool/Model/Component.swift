// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Something that the wiring registers.
struct Component: Hashable {
  /// How it is made.
  enum Maker: Hashable {
    case initializer
    /// A global function or property, or a static one: `Factory.mailer`.
    case shared(String)
    /// A function or property of an instance that is resolved itself.
    case member(String, of: WiredType)
  }

  /// The dependencies of a component: the parameters of its initialiser or function.
  struct Need: Hashable {
    enum Kind: String, Hashable { case one, optional, every, deferred }

    /// The label at the call, `_` for none.
    var label: String
    /// The needed type: `any Book` for `[any Book]`.
    var type: WiredType
    var kind: Kind
    /// The type as the parameter says it, as an expression: `[any Book].self`.
    var metatype: String
    /// Whether it can be done without: of `Provider<[any Book]>`, yes.
    var isRequired: Bool
    /// Whether the parameter has a default.
    var hasDefault: Bool
    /// Whether there may be several: of `Provider<[any Book]>`, too.
    var isMany = false
    /// The argument of a provider of a function: of `Provider<(User) -> Session>`, `User`.
    var payload: WiredType?
    /// The type as a whole, `[any Book]`.
    var whole: WiredType
    /// Which parameter of all it is.
    var position = 0
    /// The property whose value is the name of the component.
    var property: String?

    /// The same where a component gives the whole itself.
    var ofWhole: Need {
      var need = self
      need.type = whole
      need.kind = .one
      need.isMany = false
      need.isRequired = true
      return need
    }
  }

  /// The last parameter of a factory, which its user gives.
  struct Payload: Hashable {
    var label: String
    var type: WiredType
    var text: String

    /// The type of a parameter that is passed on.
    var parameter: String {
      TypeText(parsing: text).function == nil ? text : "@escaping \(text)"
    }
  }

  /// The function that completes a component when all is made.
  struct Injector: Hashable {
    var name: String
    var needs: [Need]
    /// The labels of all parameters.
    var labels: [String]
    var isThrowing: Bool
    /// Whether it returns a value, which is discarded.
    var isReturning: Bool
  }

  var type: WiredType
  var maker: Maker
  var module: String
  var place: SourcePlace?
  var lifecycle: ComponentMarker.Lifecycle?
  /// Tells components of one type apart.
  var name: String?
  var needs: [Need] = []
  /// The labels of all parameters, besides that of the payload.
  var labels: [String] = []
  /// The labels and types of the parameters of each other initialiser.
  var rivals: [[[String]]] = []
  var payload: Payload?
  var injector: Injector?
  /// Everything else that it is: protocols and superclasses, transitively.
  var ancestors: Set<String> = []
  var isThrowing = false
  /// Whether its thrown type is written.
  var throwsTyped = false
  var isAsync = false
  var isMainActor = false
  var isSendable = false
  /// True for a component that the wiring of another module registers.
  var isForeign = false
  /// Whether its initialiser or function is deprecated.
  var isDeprecated = false
  /// Whether a property creates it, which is not called.
  var isProperty = false

  /// The component as messages say it: `Smtp`, `Smtp(qualifier: work)`.
  var title: String { type.title + (name.map { "(qualifier: \($0))" } ?? "") }

  /// Whether something that needs a type can be given this.
  func provides(_ wanted: WiredType) -> Bool {
    if wanted.identity == type.identity { return true }
    guard !wanted.usrs.isEmpty, wanted.isExistential || wanted.usrs.count == 1,
      wanted.isExistential || wanted.identity == wanted.usrs[0]
    else { return false }
    return wanted.usrs.allSatisfy { ancestors.contains($0) || type.identity == $0 }
  }
}

extension Component.Need {
  /// The dependency of a member: an instance of its type.
  init(of owner: WiredType) {
    self.init(
      label: "_", type: owner, kind: .one, metatype: owner.metatype, isRequired: true,
      hasDefault: false, whole: owner)
  }
}
