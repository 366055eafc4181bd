// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// The secrets that are kept out of a cassette.
///
/// A redaction changes arguments, values and errors before they are written. It also changes the
/// arguments of a call before the cassette looks for their recording, so a call with another secret
/// finds it. Values that are played back are redacted, too, so a redacted value must stay
/// decodable. If it is not, the call is a violation, and nothing is written.
///
/// Before a file is written, its bytes are searched for each secret: as it is, escaped as in JSON,
/// percent-encoded, and, if it has six bytes or more, in base64. Data is decoded, and searched for
/// the same forms. A secret is each text of `text(_:with:)`, and each text of eight bytes or more
/// that `keys(_:)` has blanked and that is not itself one of the keys. A blanked text may be a part
/// of a member's name. If a secret is found, nothing is written, and the call is a violation. A
/// secret in a file that is only played is a violation at the end of the layer.
public struct Redaction: Sendable {
  private let transform: @Sendable (JSON) -> JSON
  /// The labels of redacted arguments.
  private var labels: Set<String> = []
  /// The texts that must not be in the file.
  private let secrets: Lock<Set<String>>

  /// The secrets that are known until now.
  var known: Secrets {
    let texts = secrets.withLock { $0 }
    return labels.isEmpty ? Secrets(everywhere: texts) : Secrets(inValues: texts)
  }

  /// Creates a redaction from a function. It gets every argument, value and error as a whole.
  public init(_ transform: @escaping @Sendable (Cassette.JSON) -> Cassette.JSON) {
    self.init(secrets: Lock([]), transform)
  }

  private init(
    secrets: Lock<Set<String>>, _ transform: @escaping @Sendable (JSON) -> JSON
  ) {
    self.secrets = secrets
    self.transform = transform
  }

  /// Blanks the values of these keys, however deep: a text becomes `[redacted]`, a number 0 and a
  /// Boolean `false`. Upper and lower case make no difference.
  ///
  /// An argument with such a label is blanked. If the double's name has more labels than the call
  /// has arguments, each argument that may have the label is blanked. In an error, the value of
  /// such a key is blanked also if the error is not `Codable`. So is a value of a dictionary that
  /// is encoded as a list of keys and values.
  ///
  /// A text or data that is a JSON object or array, such as the body of an HTTP message, is
  /// searched for the keys, too. If a value in it is blanked, it is written anew, with sorted keys.
  /// In another text or data, `key=value` becomes `key=redacted`, as in a query, a form or a
  /// cookie. So does `a[key]=value`, and the part `key` of a form in several parts. A value that is
  /// percent-encoded is decoded, and searched like a text.
  public static func keys(_ keys: String...) -> Redaction {
    let keys = Set(keys.map { $0.lowercased() })
    let secrets = Lock<Set<String>>([])
    var redaction = Redaction(secrets: secrets) { blank(keys, in: $0, noting: secrets) }
    redaction.labels = keys
    return redaction
  }

  /// Replaces `secret` in every text, byte for byte: as it is, percent-encoded (also with `+` for a
  /// space), or escaped as in JSON. Data, such as the body of an HTTP message, is searched like a
  /// text. The keys of objects stay as they are.
  public static func text(_ secret: String, with replacement: String = "[redacted]") -> Redaction {
    let forms = SecretForms(secret)
    return Redaction(secrets: Lock(secret.isEmpty ? [] : [secret])) { json in
      json.mapTexts { forms.replaced(in: $0, with: replacement) }
    }
  }

  func callAsFunction(_ json: JSON, labelled labels: [String]) -> JSON {
    self.labels.isDisjoint(with: labels.map { $0.lowercased() })
      ? transform(json) : Redaction.blanked(self.labels, in: json, noting: secrets)
  }

  private static func blank(
    _ keys: Set<String>, in json: JSON, noting secrets: Lock<Set<String>>
  ) -> JSON {
    switch json {
    case .array(let values):
      return .array(
        values.indices.map { index in
          // A dictionary whose keys are not strings is encoded as a list of keys and values, so the
          // previous element may be this one's key.
          index % 2 == 1 && values.count % 2 == 0 && values[index - 1].names(oneOf: keys)
            ? blanked(keys, in: values[index], noting: secrets)
            : blank(keys, in: values[index], noting: secrets)
        })
    case .object(let values):
      return .object(
        Dictionary(
          uniqueKeysWithValues: values.map { key, value in
            let isSecret = keys.contains(key.lowercased())
            return (
              key,
              isSecret
                ? blanked(keys, in: value, noting: secrets)
                : blank(keys, in: value, noting: secrets)
            )
          }))
    case .string(let text): return .string(blank(keys, in: text, noting: secrets))
    case .null, .bool, .integer, .unsigned, .number: return json
    }
  }

  private static func blank(
    _ keys: Set<String>, in text: String, noting secrets: Lock<Set<String>>
  ) -> String {
    guard let document = JSONDocument(in: text) else {
      let parameters = ParameterText(
        keys: keys, note: { note([$0], keys, in: secrets) },
        blankInner: { blank(keys, in: $0, noting: secrets) })
      return parameters.blanked(text)
    }
    let blanked = blank(keys, in: document.json, noting: secrets)
    if blanked == document.json { return text }
    // A number that would lose digits leaves no document to write.
    return document.text(of: document.isExact ? blanked.line : JSON.redactedText)
  }

  private static func blanked(
    _ keys: Set<String>, in json: JSON, noting secrets: Lock<Set<String>>
  ) -> JSON {
    note(json.texts, keys, in: secrets)
    return json.blanked
  }

  private static func note(
    _ texts: [String], _ keys: Set<String>, in secrets: Lock<Set<String>>
  ) {
    // A shorter text may be in a file by chance. So may a text that is a key.
    let texts = texts.filter {
      $0.utf8.count >= 8 && $0 != JSON.redactedText && $0 != ParameterText.redacted
        && !keys.contains($0.lowercased())
    }
    if !texts.isEmpty { secrets.withLock { $0.formUnion(texts) } }
  }
}

extension JSON {
  fileprivate static var redactedText: String { "[redacted]" }

  fileprivate var blanked: JSON {
    switch self {
    case .null: .null
    case .bool: .bool(false)
    case .integer, .unsigned, .number: .integer(0)
    case .string: .string(JSON.redactedText)
    case .array(let values): .array(values.map(\.blanked))
    case .object(let values): .object(values.mapValues(\.blanked))
    }
  }

  /// True for one of the keys, in lower case, as text, or as an enumeration's case that is encoded
  /// as an object.
  fileprivate func names(oneOf keys: Set<String>) -> Bool {
    switch self {
    case .string(let text): keys.contains(text.lowercased())
    case .object(let values):
      values.count == 1 && values.keys.allSatisfy { keys.contains($0.lowercased()) }
    default: false
    }
  }

  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let values): values.flatMap(\.texts)
    case .object(let values): values.values.flatMap(\.texts)
    default: []
    }
  }

  func mapTexts(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .array(let values): .array(values.map { $0.mapTexts(transform) })
    case .object(let values): .object(values.mapValues { $0.mapTexts(transform) })
    default: self
    }
  }
}
