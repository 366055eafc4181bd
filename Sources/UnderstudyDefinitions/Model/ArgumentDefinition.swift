// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An argument in the definition of a service.
package struct ArgumentDefinition: Sendable {
  package indirect enum Content: Sendable {
    case literal(PropertyValue)
    /// `@name`: a service, a parameter, a property, or a registration in code with that name.
    case reference(String)
    /// `@tag:name`: all services with a tag.
    case tagged(String)
    /// A list that contains a reference.
    case array([ArgumentDefinition])
    /// Values by name, with a reference among them.
    case object([String: ArgumentDefinition])
  }

  package let content: Content
  package let origin: Origin

  /// Reads an argument. `@` starts a reference, and `@@` a text that starts with one `@`.
  package init(_ node: Node) {
    origin = node.origin
    switch node.content {
    case .scalar(.string(let text)) where text.hasPrefix("@@"):
      content = .literal(.string(String(text.dropFirst())))
    case .scalar(.string(let text)) where text.hasPrefix("@tag:"):
      content = .tagged(String(text.dropFirst(5)))
    case .scalar(.string(let text)) where text.hasPrefix("@"):
      content = .reference(String(text.dropFirst()))
    case .scalar(let value): content = .literal(value)
    case .array(let elements):
      let arguments = elements.map { ArgumentDefinition($0) }
      let literals = arguments.compactMap(\.literal)
      content =
        literals.count == arguments.count ? .literal(.array(literals)) : .array(arguments)
    case .object(let members):
      let arguments = Dictionary(members.map { ($0.key, ArgumentDefinition($0.value)) }) { $1 }
      let literals = arguments.compactMapValues(\.literal)
      content =
        literals.count == arguments.count ? .literal(.object(literals)) : .object(arguments)
    }
  }

  /// A value without references.
  init(_ literal: PropertyValue, at origin: Origin) {
    content = .literal(literal)
    self.origin = origin
  }

  /// The value, if no part of it is a reference.
  package var literal: PropertyValue? {
    if case .literal(let value) = content { return value }
    return nil
  }

  /// The elements of a list, or `nil` for any other value.
  package var elements: [ArgumentDefinition]? {
    switch content {
    case .array(let elements): elements
    case .literal(let value): value.elements?.map { ArgumentDefinition($0, at: origin) }
    default: nil
    }
  }

  /// The members by name, or `nil` for any other value.
  package var members: [String: ArgumentDefinition]? {
    switch content {
    case .object(let members): members
    case .literal(let value): value.members?.mapValues { ArgumentDefinition($0, at: origin) }
    default: nil
    }
  }

  /// This argument and all its parts.
  package var parts: [ArgumentDefinition] {
    switch content {
    case .array(let elements): [self] + elements.flatMap(\.parts)
    case .object(let members):
      [self] + members.sorted { $0.key < $1.key }.flatMap(\.value.parts)
    default: [self]
    }
  }

  /// The number of values in this argument, with itself.
  fileprivate var valueCount: Int {
    switch content {
    case .literal(let value): value.valueCount
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
    case .reference, .tagged: 1
    }
  }

  package var kind: String {
    switch content {
    case .literal(let value): value.kind
    case .reference(let name): "'\(name)'"
    case .tagged: "an array of services"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension PropertyValue {
  /// The elements of an array. If the array is secret, they are secrets.
  fileprivate var elements: [PropertyValue]? {
    guard case .array(let elements) = revealed else { return nil }
    return isSecret ? elements.map(\.concealed) : elements
  }

  /// The members of an object. If the object is secret, they are secrets.
  fileprivate var members: [String: PropertyValue]? {
    guard case .object(let members) = revealed else { return nil }
    return isSecret ? members.mapValues(\.concealed) : members
  }

  /// The number of values in this one, with itself.
  fileprivate var valueCount: Int {
    switch revealed {
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
    default: 1
    }
  }
}

/// The arguments of a service or a call: by position, by label, or both.
package struct ArgumentList: Sendable {
  /// An argument by label.
  package struct Labelled: Sendable {
    package let label: String
    package let origin: Origin
    package let value: ArgumentDefinition
    /// The number of children that have added arguments of their own.
    package fileprivate(set) var age = 0
  }

  package var positional: [ArgumentDefinition] = []
  package var labelled: [Labelled] = []
  /// True for arguments by label, even if there are none.
  private var isByLabel = false

  package init() {}

  /// Arguments as a list, by position, or as an object, by label. A label that is a number stands
  /// for a position.
  package init?(_ node: Node) {
    switch node.content {
    case .array(let elements): positional = elements.map { ArgumentDefinition($0) }
    case .object(let members):
      isByLabel = true
      labelled = members.map {
        Labelled(label: $0.key, origin: $0.origin, value: ArgumentDefinition($0.value))
      }
    case .scalar: return nil
    }
  }

  /// A parent's arguments with those of a child. A list of the child replaces all of them, and
  /// labels replace single ones.
  package func overridden(by child: ArgumentList?) -> ArgumentList {
    guard let child else { return self }
    guard child.isByLabel else { return child }
    var merged = self
    let labels = Set(child.labelled.map(\.label))
    merged.labelled.removeAll { labels.contains($0.label) }
    for index in merged.labelled.indices { merged.labelled[index].age += 1 }
    merged.labelled += child.labelled
    return merged
  }

  package var all: [ArgumentDefinition] { positional + labelled.map(\.value) }

  var valueCount: Int { all.reduce(0) { $0 + $1.valueCount } }
}
