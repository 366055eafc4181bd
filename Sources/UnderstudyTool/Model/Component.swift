// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a component needs another one.
package enum NeedKind { case one, optional, every, deferred }

/// A type, function or property that the wiring registers.
struct Component: Hashable {
  /// How the component is created.
  enum Maker: Hashable {
    case initializer
    /// A global function or property, or a static one: `Factory.mailer`.
    case shared(String)
    /// A function or property of an instance, which is resolved itself.
    case member(String, of: WiredType)
  }

  /// A dependency of a component: a parameter of its initialiser or function.
  struct Need: Hashable {
    /// The label at the call, `_` for none.
    var label: String
    /// The needed type: `any Book` for `[any Book]`.
    var type: WiredType
    var kind: NeedKind
    /// Whether the dependency may be missing: true for `Provider<[any Book]>`.
    var isRequired: Bool
    /// Whether the parameter has a default.
    var hasDefault: Bool
    /// Whether several components may answer: true for `Provider<[any Book]>`.
    var isMany = false
    /// The argument of a provider's function: `User` for `Provider<(User) -> Session>`.
    var payload: WiredType?
    /// The type of the parameter as a whole, `[any Book]`.
    var whole: WiredType
    /// The position among all parameters.
    var position = 0
    /// The property whose value is the name of the component.
    var property: String?

    /// The type of the parameter as an expression: `[any Book].self`.
    var metatype: String { whole.metatype }

    /// The same need, if a component is of the whole type.
    var ofWhole: Need {
      var need = self
      need.type = whole
      need.kind = .one
      need.isMany = false
      need.isRequired = true
      return need
    }
  }

  /// The method that completes a component after everything is created.
  struct Injector: Hashable {
    var name: String
    var needs: [Need]
    /// The labels of all parameters.
    var labels: [String]
    var isThrowing: Bool
    /// Whether it returns a value, which is discarded.
    var isReturning: Bool
  }

  /// A parameter of an overload.
  struct Parameter: Hashable {
    var label: String
    /// The identity of the type.
    var type: String
    var hasDefault = false
  }

  /// An overload of the initialiser or function that creates a component.
  struct Rival: Hashable {
    var parameters: [Parameter]
    var isAsync = false
    var isFailable = false
    /// Whether Swift calls it only if nothing else fits: it is generic, or is unavailable.
    var isLast = false
  }

  /// The label of a factory's last parameter.
  static let payloadLabel = "payload"

  var type: WiredType
  var maker: Maker
  var module: String
  var place: SourcePlace?
  /// How often it is created. In a plan, `nil` is unknown.
  var lifecycle: ComponentMarker.Lifecycle?
  /// Distinguishes components of one type.
  var name: String?
  /// The type whose static member creates it.
  var owner: String?
  /// The imports of its sources, for types of C and Objective-C, whose modules no graph names.
  var imports: Set<String> = []
  var needs: [Need] = []
  /// The labels of all parameters except the payload.
  var labels: [String] = []
  /// All other initialisers, or the functions with the same name.
  var rivals: [Rival] = []
  /// The last parameter of a factory. The code that resolves the factory passes it.
  var payload: WiredType?
  /// The methods that complete it, in their order. A superclass's comes first.
  var injectors: [Injector] = []
  /// All protocols and superclasses of its type, also inherited ones.
  var ancestors: Set<String> = []
  var isThrowing = false
  /// Whether it has typed throws.
  var throwsTyped = false
  var isAsync = false
  /// Whether it is declared asynchronous. An isolated one is called with `await`, too.
  var isAsyncFunction = false
  var isMainActor = false
  var isSendable = false
  /// True for a component that the wiring of another module registers.
  var isForeign = false
  /// The availability of its type, and of its initialiser, function or property.
  var availability: [SymbolGraph.Availability] = []
  /// Whether its initialiser or function is deprecated.
  var isDeprecated = false
  /// Whether it is created by a property, which is not called.
  var isProperty = false

  /// The name of the component in messages: `Smtp`, `Smtp(qualifier: work)`.
  var title: String { type.title + (name.map { "(qualifier: \($0))" } ?? "") }

  /// Whether a reference by name and labels, without arguments, may mean an overload.
  var sharesLabels: Bool { rivals.contains { $0.parameters.map(\.label) == labels } }

  /// Whether the component can be the argument for a type.
  func provides(_ wanted: WiredType) -> Bool {
    if wanted.identity == type.identity { return true }
    guard !wanted.usrs.isEmpty, wanted.isExistential || wanted.usrs.count == 1,
      wanted.isExistential || wanted.identity == wanted.usrs[0]
    else { return false }
    return wanted.usrs.allSatisfy { ancestors.contains($0) || type.identity == $0 }
  }
}

extension Component.Need {
  /// The dependency of a member on an instance of its type.
  init(of owner: WiredType) {
    self.init(
      label: "_", type: owner, kind: .one, isRequired: true, hasDefault: false, whole: owner)
  }
}
