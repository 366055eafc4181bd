// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A parsed declaration.
struct Declaration: Hashable {
  enum Kind: Hashable { case function, property, subscripting, initializer, associatedType }

  struct Parameter: Hashable {
    /// Attributes of the parameter itself, such as a result builder.
    var attributes: [Token] = []
    /// The label at the call, `_` for none.
    var label: String
    /// The name in the body; `nil` if the declaration has none.
    var name: String?
    var type: TypeText
    var isVariadic = false
    var hasDefault = false
    /// Whether the label and the name in the body are one name.
    var hasOneName = false

    /// Whether a call can leave the argument out.
    var canBeOmitted: Bool { hasDefault || isVariadic }
  }

  struct Generic: Hashable {
    var name: String
    var isPack = false
    /// The type of a generic value parameter, for `let size: Int`.
    var valueType: [Token]?
    var constraint: [Token] = []
  }

  enum Throwing: Hashable {
    case never, any, rethrowing
    case typed(TypeText)
  }

  var kind: Kind
  var attributes: [[Token]] = []
  var modifiers: [String] = []
  var name: String
  var isFailable = false
  var generics: [Generic] = []
  var parameters: [Parameter] = []
  var isAsync = false
  var throwing = Throwing.never
  /// The result, the type of a property or the default of an associated type, or `nil` for `Void`.
  var type: TypeText?
  /// The inheritance clause of an associated type.
  var constraint: [Token] = []
  var whereClause: [Token] = []
  var isSettable = false
  /// Whether the graph cuts a function type short, or omits the isolation of a function parameter.
  var isUnsaid = false
  /// The attribute of a function within another type that the graph has lost.
  var lostAttribute: String?
  /// The name of a function type that must not escape, and that no graph declares.
  var unknownFunction: String?
  /// Whether two parameter packs must have one length.
  var hasPairedPacks = false

  var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

  /// Whether it is `nonisolated`, with or without an argument.
  var isNonisolated: Bool { modifiers.contains { $0.hasPrefix("nonisolated") } }

  /// The types of the parameters, and the result or the type of the property.
  var types: [TypeText] { parameters.map(\.type) + (type.map { [$0] } ?? []) }

  /// A name for a local constant that no parameter has.
  func unusedName(_ name: String) -> String {
    let taken = Set(parameters.compactMap(\.name) + parameters.map(\.label))
    var unused = name
    while taken.contains(unused) { unused += "2" }
    return unused
  }

  /// The declaration's name in Swift, `load(_:from:)`.
  var title: String {
    let base = kind == .subscripting ? "subscript" : kind == .initializer ? "init" : name
    guard kind != .property, kind != .associatedType else { return base }
    return base + "(" + parameters.map { (name.isOperator ? "_" : $0.label) + ":" }.joined() + ")"
  }
}
