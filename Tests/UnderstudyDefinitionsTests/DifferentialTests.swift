// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDefinitions

/// Compares this package's readers with Foundation's on generated documents, both whole ones and
/// ones with a few changed bytes. The seed is fixed.
@Suite struct `Foundation's readers` {
  enum Format: String, CaseIterable, Sendable {
    case json, xml, binary
  }

  /// The number of documents of each format. `UNDERSTUDY_DOCUMENTS` sets another one.
  static let count =
    ProcessInfo.processInfo.environment["UNDERSTUDY_DOCUMENTS"].flatMap { Int($0) } ?? 600

  @Test(arguments: Format.allCases)
  func `read a whole document as the same value`(format: Format) throws {
    for seed in 0..<Self.count {
      var source = DocumentSource(seed: seed)
      let document = try source.document(format)
      let value = try DocumentReader.read(document, from: SourceName("f")).value
      #expect(try Self.foundation(document, format).isSame(as: value), "seed \(seed)")
    }
  }

  /// Foundation must read each document that is accepted here as the same value. The reverse is not
  /// true: Foundation takes one of two equal keys, reads half of a surrogate pair, and repairs a
  /// damaged property list.
  @Test(arguments: Format.allCases)
  func `accept each damaged document that is accepted here, as the same value`(
    format: Format
  ) throws {
    var accepted = 0
    var acceptedHereAlone = 0
    for seed in 0..<Self.count * 4 {
      var source = DocumentSource(seed: seed)
      var document = try source.document(format)
      for _ in 0...source.number(below: 2) { source.damage(&document) }
      guard let value = try? DocumentReader.read(document, from: SourceName("f")).value,
        Self.isOfFormat(document, format)
      else { continue }
      accepted += 1
      let other = try? Self.foundation(document, format)
      // Foundation's reader of binary lists derives the length of an object from the offset of the
      // next one, and refuses some lists in which two objects overlap.
      if other == nil, format == .binary {
        acceptedHereAlone += 1
        continue
      }
      #expect(
        other?.isSame(as: value) == true,
        "seed \(seed): \(String(decoding: document, as: UTF8.self)) is \(value), not \(other ?? .null)"
      )
    }
    // Ensures that enough of the damaged documents are still valid to compare something.
    #expect(accepted > Self.count / 10)
    #expect(acceptedHereAlone <= accepted / 50)
  }

  private static func isOfFormat(_ bytes: [UInt8], _ format: Format) -> Bool {
    switch format {
    case .json: bytes.first != UInt8(ascii: "<")
    case .xml: bytes.contains(UInt8(ascii: "<"))
    case .binary: bytes.starts(with: Array("bplist00".utf8))
    }
  }

  private static func foundation(_ bytes: [UInt8], _ format: Format) throws -> PropertyValue {
    let data = Data(bytes)
    let object =
      format == .json
      ? try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      : try PropertyListSerialization.propertyList(from: data, format: nil)
    return PropertyValue(foundation: object)
  }
}

/// Generates documents from a fixed seed.
private struct DocumentSource {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func number(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func document(_ format: `Foundation's readers`.Format) throws -> [UInt8] {
    let object = value(depth: 3, isJSON: format == .json)
    switch format {
    case .json:
      let options: JSONSerialization.WritingOptions = number(below: 2) == 0 ? [.prettyPrinted] : []
      return [UInt8](try JSONSerialization.data(withJSONObject: object, options: options))
    case .xml:
      return [UInt8](
        try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0))
    case .binary:
      return [UInt8](
        try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
    }
  }

  /// An object or an array, or a scalar at depth 0.
  private mutating func value(depth: Int, isJSON: Bool) -> Any {
    switch depth == 0
      ? 2 + number(below: isJSON ? 5 : 7) : number(below: depth == 3 ? 2 : isJSON ? 7 : 9)
    {
    case 0: return (0..<number(below: 5)).map { _ in value(depth: depth - 1, isJSON: isJSON) }
    case 1:
      return Dictionary(
        (0..<number(below: 5)).map { _ in (text(), value(depth: depth - 1, isJSON: isJSON)) },
        uniquingKeysWith: { $1 })
    case 2: return text()
    case 3:
      return [0, -1, 255, 256, 65_536, Int.max, Int.min, number(below: 1_000)][number(below: 8)]
    case 4:
      return [0.5, -1.25, 1e300, 2.5e-300, Double(number(below: 1_000)) / 8][number(below: 5)]
    case 5: return number(below: 2) == 0
    case 6: return "\(number(below: 10))"
    case 7: return Data((0..<number(below: 20)).map { UInt8($0) })
    default:
      return isJSON ? text() : Date(timeIntervalSinceReferenceDate: Double(number(below: 1 << 30)))
    }
  }

  private mutating func text() -> String {
    let pieces = [
      "a", "key", "é", "e\u{301}", "\u{1F600}", "<&>", "\"", "\\", "\n", "\t", " ", "日本", "]]>",
      "\u{7F}",
      "0", "--",
    ]
    return (0..<number(below: 4)).map { _ in pieces[number(below: pieces.count)] }.joined()
  }

  /// Changes, removes, duplicates or inserts a few bytes.
  mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = number(below: bytes.count)
    switch number(below: 4) {
    case 0: bytes[place] = UInt8(number(below: 256))
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(bytes[number(below: bytes.count)], at: place)
    default: bytes.swapAt(place, number(below: bytes.count))
    }
  }
}

extension PropertyValue {
  fileprivate init(foundation object: Any) {
    switch object {
    case is NSNull: self = .null
    case let text as String: self = .string(text)
    case let data as Data: self = .data([UInt8](data))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let list as [Any]: self = .array(list.map { PropertyValue(foundation: $0) })
    case let members as [String: Any]:
      self = .object(members.mapValues { PropertyValue(foundation: $0) })
    case let number as NSNumber:
      let type = String(cString: number.objCType)
      if type == "c" || type == "B" {
        self = .bool(number.boolValue)
      } else if type == "d" || type == "f" {
        self = .number(number.doubleValue)
      } else if type == "Q" {
        self = PropertyValue(exactly: number.uint64Value) ?? .null
      } else {
        self = .integer(number.int64Value)
      }
    default: self = .null
    }
  }

  /// True if the two values are equal. Readers differ on whether a number without a fraction is an
  /// integer.
  fileprivate func isSame(as other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .number(let right)), (.number(let right), .integer(let left)):
      Double(left) == right
    case (.unsigned(let left), .number(let right)), (.number(let right), .unsigned(let left)):
      Double(left) == right
    case (.number(let left), .number(let right)):
      // Foundation on Linux reads a number digit by digit, which rounds the last digits
      // differently.
      abs(left - right) <= abs(left) * 1e-14
    case (.bool(let left), .integer(let right)), (.integer(let right), .bool(let left)):
      (left ? 1 : 0) == right
    case (.string(let left), .string(let right)):
      left.unicodeScalars.elementsEqual(right.unicodeScalars)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { right[$0]?.isSame(as: $1) == true }
    default: self == other
    }
  }
}
