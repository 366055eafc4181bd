// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value with the places of all its parts.
package struct Node: Sendable {
  package enum Content: Sendable {
    /// A value that is neither an array nor an object.
    case scalar(PropertyValue)
    case array([Node])
    case object([Member])
  }

  /// A key and its value.
  package struct Member: Sendable {
    package let key: String
    package let origin: Origin
    package let value: Node

    package init(_ key: String, at origin: Origin, _ value: Node) {
      self.key = key
      self.origin = origin
      self.value = value
    }
  }

  package let content: Content
  package let origin: Origin
  /// True if code has made it a secret, with everything inside.
  package let isSecret: Bool

  package init(_ content: Content, at origin: Origin) {
    self.content = content
    self.origin = origin
    isSecret = false
  }

  /// A tree that code has created, with one origin. Members of a secret object are secret.
  package init(_ value: PropertyValue, at origin: Origin) {
    let isSecret = value.isSecret
    self.origin = origin
    self.isSecret = isSecret
    switch value.revealed {
    case .array(let elements) where !isSecret:
      content = .array(elements.map { Node($0, at: origin) })
    case .object(let members):
      content = .object(
        members.sorted { $0.key < $1.key }.map { key, member in
          Member(key, at: origin, Node(isSecret ? member.concealed : member, at: origin))
        })
    default: content = .scalar(value)
    }
  }

  /// The tree without its places.
  package var value: PropertyValue {
    switch content {
    case .scalar(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members):
      .object(Dictionary(members.map { ($0.key, $0.value.value) }) { $1 })
    }
  }

  /// The kind of the value, for messages.
  package var kind: String {
    switch content {
    case .scalar(let value): value.kind
    case .array: "an array"
    case .object: "an object"
    }
  }

  package var members: [Member]? {
    if case .object(let members) = content { return members }
    return nil
  }

  package var elements: [Node]? {
    if case .array(let elements) = content { return elements }
    return nil
  }

  package var string: String? {
    if case .scalar(.string(let text)) = content { return text }
    return nil
  }

  package subscript(key: String) -> Node? { members?.last { $0.key == key }?.value }
}
