// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The path of a property: `server.url`, `servers[0].url`, `labels['with.dot']`.
///
/// Dots separate keys. Empty keys, and blanks around a key, are ignored. Brackets hold an index, or
/// a key in single or double quotes. Such a key may have any characters, with `\` before a quote or
/// another `\`. Without quotes, what is no integer of 64 bits is a key.
public struct PropertyPath: Hashable, Sendable, CustomStringConvertible {
  /// One step into the tree.
  public enum Step: Hashable, Sendable {
    /// Into an object.
    case key(String)
    /// Into an array.
    case index(Int)
  }

  /// The reason why a path cannot be read.
  public enum Malformed: String, Error, Hashable, Sendable {
    /// `a[0`
    case bracketNotEnded = "a bracket is not ended"
    /// `a]`
    case bracketNotStarted = "a bracket is not started"
    /// `a['b"]`
    case quoteMismatched = "a quote is not matched"
    /// `a[]`
    case bracketEmpty = "a bracket is empty"
    /// `a[0]b`
    case dotMissing = "a dot or a bracket is expected after a bracket"
    /// `a[0]`, where a property is set: arrays are set as a whole
    case indexed = "an array is set as a whole, not by index"
    /// `..`, where a property is set that is no object
    case wholeTree = "it has no key, and the whole tree is an object"
    /// A property below so many others that no file could have it
    case tooDeep = "it has more keys than the tree may have levels"
  }

  /// The steps, outermost first. The whole tree has none.
  public let steps: [Step]

  /// Creates a path of steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// Reads a path.
  ///
  /// - Parameter text: The path, as this type describes it.
  /// - Throws: The reason why it cannot be read.
  /// - Complexity: O(n).
  public init(_ text: String) throws(Malformed) {
    var parser = Parser(bytes: Array(text.utf8))
    steps = try parser.steps()
  }

  /// The path in its one canonical spelling.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where key.isPlainKey: text += text.isEmpty ? key : "." + key
      case .key(let key): text += "['\(key.quoted)']"
      }
    }
    return text
  }

  func appending(_ key: String) -> PropertyPath { PropertyPath(steps + [.key(key)]) }

  /// The keys before the first index, and the steps after them.
  var splitAtIndex: (keys: PropertyPath, rest: ArraySlice<Step>) {
    let end = steps.firstIndex { if case .index = $0 { true } else { false } } ?? steps.endIndex
    return (PropertyPath(Array(steps[..<end])), steps[end...])
  }
}

extension PropertyPath.Malformed {
  /// The finding about the path that cannot be read.
  func finding(of path: String, at origin: Origin? = nil) -> Finding {
    Finding(.malformedPath(reason: rawValue), of: .property(path), at: origin)
  }
}

extension PropertyPath {
  /// Parses the bytes of a path from left to right.
  private struct Parser {
    let bytes: [UInt8]
    var index = 0

    mutating func steps() throws(Malformed) -> [Step] {
      var steps: [Step] = []
      var isAfterBracket = false
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "."):
          index += 1
          isAfterBracket = false
        case UInt8(ascii: "["):
          steps.append(try bracket())
          isAfterBracket = true
        case UInt8(ascii: "]"): throw .bracketNotStarted
        default:
          let key = name()
          if key.isEmpty { continue }
          guard !isAfterBracket else { throw .dotMissing }
          steps.append(.key(key))
        }
      }
      return steps
    }

    /// A key without brackets. Blanks around it are ignored.
    private mutating func name() -> String {
      let start = index
      while index < bytes.count, !".[]".utf8.contains(bytes[index]) { index += 1 }
      return text(bytes[start..<index])
    }

    private mutating func bracket() throws(Malformed) -> Step {
      index += 1
      skipBlanks()
      guard index < bytes.count else { throw .bracketNotEnded }
      if bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") {
        let key = try quoted()
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "]") else {
          throw .bracketNotEnded
        }
        index += 1
        return .key(key)
      }
      let start = index
      while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
        guard bytes[index] != UInt8(ascii: "[") else { throw .bracketNotEnded }
        index += 1
      }
      guard index < bytes.count else { throw .bracketNotEnded }
      let text = text(bytes[start..<index])
      index += 1
      guard !text.isEmpty else { throw .bracketEmpty }
      return Int(text).map { .index($0) } ?? .key(text)
    }

    private mutating func quoted() throws(Malformed) -> String {
      let quote = bytes[index]
      index += 1
      var key: [UInt8] = []
      while index < bytes.count, bytes[index] != quote {
        if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
        key.append(bytes[index])
        index += 1
      }
      guard index < bytes.count else { throw .quoteMismatched }
      index += 1
      return String(decoding: key, as: UTF8.self)
    }

    private mutating func skipBlanks() {
      while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    private func text(_ slice: ArraySlice<UInt8>) -> String {
      var slice = slice.drop(while: \.isBlank)
      while slice.last?.isBlank == true { slice.removeLast() }
      return String(decoding: slice, as: UTF8.self)
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension String {
  /// True if this key needs no brackets or quotes.
  fileprivate var isPlainKey: Bool {
    guard let first = utf8.first, let last = utf8.last, !first.isBlank, !last.isBlank else {
      return false
    }
    return !utf8.contains { ".[]'\"\\".utf8.contains($0) }
  }

  fileprivate var quoted: String {
    // Compares scalars, since a quote with a combining mark is one character but still a quote.
    replacingScalars { $0 == "'" || $0 == "\\" ? "\\\($0)" : nil }
  }

  /// True if this text is certainly the canonical spelling of a path without indices.
  ///
  /// - Complexity: O(n), without allocation.
  var isCanonicalKeyPath: Bool {
    var previous = UInt8(ascii: ".")
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: " "), 0x09:
        if previous == UInt8(ascii: ".") || byte != UInt8(ascii: ".") { return false }
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "'"), UInt8(ascii: "\""),
        UInt8(ascii: "\\"):
        return false
      default: break
      }
      previous = byte
    }
    return previous != UInt8(ascii: ".")
  }
}

extension PropertyValue {
  /// The value at the end of some steps, or `nil` if there is none.
  func value(at steps: some Sequence<PropertyPath.Step>) -> PropertyValue? {
    var value = self
    var isSecret = false
    for step in steps {
      if case .secret = value { isSecret = true }
      switch (step, value.revealed) {
      case (.key(let key), .object(let members)):
        guard let next = members[key] else { return nil }
        value = next
      case (.index(let index), .array(let elements)):
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return isSecret ? .secret(value) : value
  }
}
