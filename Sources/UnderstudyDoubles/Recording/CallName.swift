// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The name of a requirement, such as `remove(_:hard:)`, and the prose of one call of it.
struct CallName: Hashable, Sendable, CustomStringConvertible {
  let description: String
  private let base: String
  private let labels: [String]

  init(_ text: String) {
    description = text
    guard let open = text.firstIndex(of: "("), text.last == ")" else {
      base = text
      labels = []
      return
    }
    base = String(text[..<open])
    labels = text[text.index(after: open)...].dropLast().split(separator: ":").map(String.init)
  }

  /// The call as it would be written: `remove(7, hard: true)`.
  func call<Arguments>(_ arguments: Arguments) -> String {
    call(texts: Self.texts(of: arguments))
  }

  /// The call with the prose of each argument in its place; a last text `as …` is the type that a
  /// generic call asks for, and stands behind.
  func call(texts: [String]) -> String {
    var texts = texts
    var suffix = ""
    if let last = texts.last, last.hasPrefix("as ") { suffix = " \(texts.removeLast())" }
    if texts.isEmpty && labels.isEmpty { return description + suffix }
    let parts = zip(texts, labels(of: texts.count)).map { text, label in
      let text = Self.shortened(text)
      return label.map { "\($0): \(text)" } ?? text
    }
    return "\(base)(\(parts.joined(separator: ", ")))\(suffix)"
  }

  /// The label of each argument, as many as there are; none if one stands for all of them.
  func labels(of count: Int) -> [String?] {
    (0..<count).map { index in
      count >= labels.count && index < labels.count && labels[index] != "_" ? labels[index] : nil
    }
  }

  /// The labels that an argument may have where fewer arguments are kept than there are labels:
  /// which of them are left out is not known.
  func possibleLabels(of count: Int) -> [String] {
    count < labels.count ? labels.filter { $0 != "_" } : []
  }

  /// The prose of each argument; `arguments` is a tuple for more than one.
  static func texts<Arguments>(of arguments: Arguments) -> [String] {
    if Arguments.self == Void.self { return [] }
    let mirror = Mirror(reflecting: arguments)
    guard mirror.displayStyle == .tuple else { return [text(of: arguments)] }
    return mirror.children.map { text(of: $0.value) }
  }

  static func text<Value>(of value: Value) -> String {
    String(reflecting: value).withoutAddresses
  }

  /// How much of an argument stands in a message.
  private static let limit = 1_000

  /// The prose of an argument as a message has it: of a long one the beginning and the end, and how
  /// long it is.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > limit, text.count > limit else { return text }
    return "\(text.prefix(limit / 2))…\(text.suffix(limit / 4)) (\(text.count) characters)"
  }

  /// The same of two that are not equal, so that what tells them apart is there.
  static func shortened(_ text: String, and other: String) -> (String, String) {
    guard max(text.utf8.count, other.utf8.count) > limit else { return (text, other) }
    let same = zip(text, other).prefix { $0 == $1 }.count
    guard same > limit / 4 else { return (shortened(text), shortened(other)) }
    // A little of what they have in common shows where that is.
    let rest = [text, other].map { "…\($0.dropFirst(same - 20))" }
    return (shortened(rest[0]), shortened(rest[1]))
  }
}
