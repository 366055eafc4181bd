// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What must not be written to a cassette.
///
/// It is applied to arguments, values and errors before they are written, and to the arguments of a
/// call before its recording is looked for, so a call with another secret finds it all the same.
/// What is played back is redacted too: keep it decodable.
public struct Redaction: Sendable {
  private let transform: @Sendable (JSON) -> JSON
  /// The labels of arguments that are blanked.
  private var labels: Set<String> = []

  /// Redacts with a function that is called with every argument, value and error, as a whole.
  public init(_ transform: @escaping @Sendable (JSON) -> JSON) {
    self.transform = transform
  }

  /// Blanks what stands under these keys, however deep: a text becomes `[redacted]`, a number 0.
  ///
  /// An argument with such a label is blanked; so is each that may have it, where fewer are kept than the double's
  /// name has labels; and so is what an error has under such a key, also one
  /// that is not `Codable`.
  public static func keys(_ keys: String...) -> Redaction {
    let keys = Set(keys)
    var redaction = Redaction { blank(keys, in: $0) }
    redaction.labels = keys
    return redaction
  }

  /// Replaces every text that is or contains `secret`; the keys of objects are left alone.
  public static func text(_ secret: String, with replacement: String = "[redacted]") -> Redaction {
    Redaction { json in
      guard !secret.isEmpty else { return json }
      return json.mapTexts {
        $0.split(separator: secret, omittingEmptySubsequences: false)
          .joined(separator: replacement)
      }
    }
  }

  func callAsFunction(_ json: JSON, labelled labels: [String]) -> JSON {
    self.labels.isDisjoint(with: labels) ? transform(json) : json.blanked
  }

  private static func blank(_ keys: Set<String>, in json: JSON) -> JSON {
    switch json {
    case .array(let values): .array(values.map { blank(keys, in: $0) })
    case .object(let values):
      .object(
        Dictionary(
          uniqueKeysWithValues: values.map { key, value in
            (key, keys.contains(key) ? value.blanked : blank(keys, in: value))
          }))
    default: json
    }
  }
}

extension JSON {
  fileprivate var blanked: JSON {
    switch self {
    case .null: .null
    case .bool: .bool(false)
    case .integer, .unsigned, .number: .integer(0)
    case .string: .string("[redacted]")
    case .array(let values): .array(values.map(\.blanked))
    case .object(let values): .object(values.mapValues(\.blanked))
    }
  }

  fileprivate func mapTexts(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .array(let values): .array(values.map { $0.mapTexts(transform) })
    case .object(let values): .object(values.mapValues { $0.mapTexts(transform) })
    default: self
    }
  }
}
