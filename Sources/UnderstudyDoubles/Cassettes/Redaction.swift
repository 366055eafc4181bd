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
  /// If a text or data is a JSON object or array, such as the body of an HTTP message, values in it
  /// are blanked, too. If the document has one of the keys, it is written anew, with sorted keys. A
  /// document that has one of the keys and cannot be decoded becomes `[redacted]` as a whole. In
  /// another text or data, `key=value` becomes `key=redacted`, as in a query, a form or a cookie.
  /// The same goes for `a[key]=value` and for the part named `key` of a form in several parts. A
  /// value that is percent-encoded is decoded, and searched like a text.
  public static func keys(_ keys: String...) -> Redaction {
    let keys = Set(keys.map { $0.lowercased() })
    let secrets = Lock<Set<String>>([])
    var redaction = Redaction(secrets: secrets) { KeyRedaction(keys, noting: secrets)($0) }
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
      ? transform(json) : KeyRedaction(self.labels, noting: secrets).blanked(json)
  }
}

/// Blanks the values of keys, as `Redaction.keys(_:)` says.
private struct KeyRedaction {
  /// The keys in lower case.
  let keys: Set<String>
  /// Collects the texts that are blanked.
  let secrets: Lock<Set<String>>
  /// The number of texts that the text is encoded in.
  private var depth = 0

  init(_ keys: Set<String>, noting secrets: Lock<Set<String>>) {
    (self.keys, self.secrets) = (keys, secrets)
  }

  /// The redaction of a text within a text.
  private var inner: KeyRedaction {
    var inner = self
    inner.depth += 1
    return inner
  }

  func callAsFunction(_ json: JSON) -> JSON {
    switch json {
    case .array(let values):
      return .array(
        values.indices.map { index in
          // A dictionary whose keys are not strings is encoded as a list of keys and values, so the
          // previous element may be this one's key.
          index % 2 == 1 && values.count % 2 == 0 && values[index - 1].names(oneOf: keys)
            ? blanked(values[index]) : self(values[index])
        })
    case .object(let values):
      return .object(
        Dictionary(
          uniqueKeysWithValues: values.map { key, value in
            (key, keys.contains(key.lowercased()) ? blanked(value) : self(value))
          }))
    case .string(let text): return .string(self(text))
    case .null, .bool, .integer, .unsigned, .number: return json
    }
  }

  private func callAsFunction(_ text: String) -> String {
    // More texts in each other could exhaust the stack. They are left to the search of the file.
    if depth > 8 { return text }
    if let source = JSONText(text) {
      let document = JSONDocument(source)
      let blanked = document.map { inner($0.json) }
      if blanked != document?.json || source.has(oneOf: keys) {
        // A number that would lose digits leaves no document to write.
        let isExact = document?.isExact == true
        return source.encoded(isExact ? blanked?.line ?? JSON.redactedText : JSON.redactedText)
      }
      if document != nil { return text }
    }
    return ParameterText(keys: keys, note: { note([$0]) }, blankInner: { inner($0) }).blanked(text)
  }

  func blanked(_ json: JSON) -> JSON {
    note(json.texts)
    return json.blanked
  }

  private func note(_ texts: [String]) {
    // A shorter text may be in a file by chance. So may a text that is a key.
    let texts = texts.filter {
      $0.utf8.count >= 8 && $0 != JSON.redactedText && $0 != ParameterText.redacted
        && !keys.contains($0.lowercased())
    }
    if !texts.isEmpty { secrets.withLock { $0.formUnion(texts) } }
  }
}

extension JSON {
  static var redactedText: String { "[redacted]" }

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
