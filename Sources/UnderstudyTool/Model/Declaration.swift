// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A declaration, taken apart.
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
    /// Whether one name is both the label and the name in the body.
    var hasOneName = false
  }

  struct Generic: Hashable {
    var name: String
    var isPack = false
    /// The kind of value it is, for `let size: Int`.
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
  /// The result, the type of a property or the default of an associated type; `nil` for `Void`.
  var type: TypeText?
  /// The inheritance clause of an associated type.
  var constraint: [Token] = []
  var whereClause: [Token] = []
  var isSettable = false
  /// Whether the graph does not say where a function runs that is passed.
  var isUnsaid = false

  var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

  /// A name for a local constant of a body, different from all parameters.
  func unusedName(_ name: String) -> String {
    let taken = Set(parameters.compactMap(\.name) + parameters.map(\.label))
    var unused = name
    while taken.contains(unused) { unused += "2" }
    return unused
  }

  /// The declaration as Swift names it, `load(_:from:)`.
  var title: String {
    let base = kind == .subscripting ? "subscript" : kind == .initializer ? "init" : name
    guard kind != .property, kind != .associatedType else { return base }
    return base + "(" + parameters.map { (name.isOperator ? "_" : $0.label) + ":" }.joined() + ")"
  }
}
