// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A type whose own description is the same for unequal values.
protocol ExactlyDescribed {
  var exactDescription: String { get }
}

/// The name of a requirement, such as `remove(_:hard:)`, and the descriptions of its calls.
struct CallName: Hashable, Sendable, CustomStringConvertible {
  let description: String
  private let base: String
  private let labels: [String]
  /// True for the set of a property, which reads as an assignment.
  private let isSetter: Bool

  init(_ text: String, isSetter: Bool = false) {
    description = text
    self.isSetter = isSetter
    guard let open = text.firstIndex(of: "("), text.last == ")" else {
      base = text
      labels = []
      return
    }
    base = String(text[..<open])
    labels = text[text.index(after: open)...].dropLast().split(separator: ":").map(String.init)
  }

  /// The call as source code: `remove(7, hard: true)`.
  func call<Arguments>(_ arguments: Arguments) -> String {
    call(texts: Self.texts(of: arguments))
  }

  /// The call with the text of each argument in its place. A last text `as …` is the requested type
  /// of a generic call, and comes after the parentheses.
  func call(texts: [String]) -> String {
    var texts = texts
    var suffix = ""
    if let last = texts.last, last.hasPrefix("as ") { suffix = " \(texts.removeLast())" }
    if texts.isEmpty && labels.isEmpty { return description + suffix }
    if isSetter, texts.count == 1 {
      return "\(base) = \(Self.shortened(Self.assigned(texts[0])))"
    }
    let parts = zip(texts, labels(of: texts.count)).map { text, label in
      let text = Self.shortened(text)
      return label.map { "\($0): \(text)" } ?? text
    }
    return "\(base)(\(parts.joined(separator: ", ")))\(suffix)"
  }

  /// The new value of a property as source code: an optional one is written alone.
  private static func assigned(_ text: String) -> String {
    let optional = "Optional("
    if text == "any arguments" { return "any value" }
    return text.hasPrefix(optional) && text.hasSuffix(")")
      ? String(text.dropFirst(optional.count).dropLast()) : text
  }

  /// The label of each argument, or none if one value stands for all arguments.
  func labels(of count: Int) -> [String?] {
    (0..<count).map { index in
      count >= labels.count && index < labels.count && labels[index] != "_" ? labels[index] : nil
    }
  }

  /// The labels that an argument may have if fewer arguments are recorded than there are labels,
  /// since it is unknown which ones are left out.
  func possibleLabels(of count: Int) -> [String] {
    count < labels.count ? labels.filter { $0 != "_" } : []
  }

  /// The text of each argument. `arguments` is a tuple for more than one.
  static func texts<Arguments>(of arguments: Arguments) -> [String] {
    if Arguments.self == Void.self { return [] }
    let mirror = Mirror(reflecting: arguments)
    guard mirror.displayStyle == .tuple else { return [text(of: arguments)] }
    return mirror.children.map { text(of: $0.value) }
  }

  static func text<Value>(of value: Value) -> String {
    (value as? any ExactlyDescribed)?.exactDescription ?? String(reflecting: value).withoutAddresses
  }

  /// The longest text of an argument in a message.
  private static let limit = 1_000

  /// The text of an argument for a message. A long text is shortened to its start and end, with its
  /// length.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > limit, text.count > limit else { return text }
    return "\(text.prefix(limit / 2))…\(text.suffix(limit / 4)) (\(text.count) characters)"
  }

  /// The same for two texts that are not equal, so that their difference is visible.
  static func shortened(_ text: String, and other: String) -> (String, String) {
    guard max(text.utf8.count, other.utf8.count) > limit else { return (text, other) }
    let same = zip(text, other).prefix { $0 == $1 }.count
    guard same > limit / 4 else { return (shortened(text), shortened(other)) }
    // A few equal characters show where the difference is.
    let rest = [text, other].map { "…\($0.dropFirst(same - 20))" }
    return (shortened(rest[0]), shortened(rest[1]))
  }

  /// Why an argument is not the wanted one.
  static func difference(_ found: String, from wanted: String, ofArgument index: Int) -> String {
    let (found, wanted) = shortened(found, and: wanted)
    if found == wanted {
      return "argument \(index + 1) is unequal, though both are described as \(found)"
    }
    if wanted == "identical to \(found)" {
      return "argument \(index + 1) is another object, which is described as \(found), too"
    }
    return "argument \(index + 1) is \(found), not \(wanted)"
  }

  /// The difference of a call from the wanted one, though both have the same text.
  static func difference(_ found: [String], from wanted: [String]) -> String {
    let index = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let index = index ?? (wanted.count == 1 && !found.isEmpty ? 0 : nil) else {
      return "an argument is unequal to the expected one, though both print alike"
    }
    return difference(found[index], from: wanted[index], ofArgument: index)
  }
}
