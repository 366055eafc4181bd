// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDefinitions

/// Reads any value and drops it.
private struct Dropped: Decodable {
  init(from decoder: any Decoder) {}
}

/// The elements of an array that can be read as integers.
private struct Numbers: Decodable {
  let list: [Int]

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var list: [Int] = []
    while !container.isAtEnd {
      if let number = try? container.decode(Int.self) {
        list.append(number)
      } else {
        _ = try container.decode(Dropped.self)
      }
    }
    self.list = list
  }
}

/// The elements of an array, each with the first way to read it.
private struct Shapes: Decodable {
  let list: [String]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var list: [String] = []
    while !container.isAtEnd {
      if let object = try? container.nestedContainer(keyedBy: Key.self) {
        list.append("object of \(object.allKeys.count)")
      } else if let array = try? container.nestedUnkeyedContainer() {
        list.append("array of \(array.count ?? 0)")
      } else {
        _ = try container.superDecoder()
        list.append("scalar")
      }
    }
    self.list = list
  }
}

@Suite struct `The elements of a decoded array` {
  @Test func `are read again as another type, as from Foundation's decoders`() throws {
    let text = #"[1, "x", 2, {}, 3]"#
    let properties = try Properties([.json("{\"list\": \(text)}")])
    let own: Numbers = try properties.value("list")
    let other = try JSONDecoder().decode(Numbers.self, from: Data(text.utf8))
    #expect(own.list == [1, 2, 3])
    #expect(other.list == own.list)
  }

  @Test func `are objects, arrays or scalars`() throws {
    let text = #"[{"a": 1}, [2, 3], 4, {}, []]"#
    let properties = try Properties([.json("{\"list\": \(text)}")])
    let own: Shapes = try properties.value("list")
    let other = try JSONDecoder().decode(Shapes.self, from: Data(text.utf8))
    #expect(own.list == ["object of 1", "array of 2", "scalar", "object of 0", "array of 0"])
    #expect(other.list == own.list)
  }
}
