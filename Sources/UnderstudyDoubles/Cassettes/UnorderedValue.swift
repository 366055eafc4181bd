// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A collection that encodes its elements in a different order in each run, or may contain such a
/// collection.
///
/// The arguments of a call are compared and never decoded. A cassette stores them in the order of
/// their texts, so that the call finds its recording. A type with its own encoding keeps its order.
protocol UnorderedValue {
  /// The same JSON in an order that does not depend on the run, or unchanged if the value was
  /// encoded in another way.
  func ordered(_ json: JSON) -> JSON
}

extension JSON {
  /// The JSON of a value in an order that does not depend on the run.
  func ordered(as value: Any) -> JSON {
    (value as? any UnorderedValue)?.ordered(self) ?? self
  }

  fileprivate static func sorted(_ values: [JSON]) -> [JSON] {
    values.map { (key: $0.line, value: $0) }.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Optional: UnorderedValue {
  func ordered(_ json: JSON) -> JSON { map { json.ordered(as: $0) } ?? json }
}

extension Array: UnorderedValue {
  func ordered(_ json: JSON) -> JSON {
    guard case .array(let values) = json, values.count == count else { return json }
    return .array(zip(values, self).map { $0.ordered(as: $1) })
  }
}

extension Set: UnorderedValue {
  func ordered(_ json: JSON) -> JSON {
    guard case .array(let values) = json, values.count == count else { return json }
    return .array(JSON.sorted(zip(values, self).map { $0.ordered(as: $1) }))
  }
}

extension Dictionary: UnorderedValue {
  func ordered(_ json: JSON) -> JSON {
    switch json {
    case .object(var values):
      for (key, value) in self {
        guard let name = (key as? any CodingKeyRepresentable)?.codingKey.stringValue else {
          continue
        }
        values[name] = values[name]?.ordered(as: value)
      }
      return .object(values)
    case .array(let values) where values.count == 2 * count:
      // Keys and values alternate.
      let pairs = enumerated().map { position, element in
        JSON.array([
          values[2 * position].ordered(as: element.key),
          values[2 * position + 1].ordered(as: element.value),
        ])
      }
      return .array(
        JSON.sorted(pairs).flatMap { pair in
          if case .array(let members) = pair { members } else { [pair] }
        })
    default: return json
    }
  }
}
