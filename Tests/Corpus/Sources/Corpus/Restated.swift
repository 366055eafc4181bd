// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Inherited members that are declared again with concrete types.

import Foundation

protocol RestatedRaw: RawRepresentable {
  init?(rawValue: String); var rawValue: String { get }
}
protocol RestatedRawWithout: RawRepresentable {
  init(rawValue: Int); var rawValue: Int { get }
}
protocol RestatedID: Identifiable { var id: UUID { get } }
protocol RestatedWhere: RawRepresentable where RawValue == String {}
protocol RestatedNext: IteratorProtocol { mutating func next() -> Int? }
protocol RestatedCases: CaseIterable { static var allCases: [Self] { get } }
protocol RestatedParent { associatedtype Item; func item() -> Item; var all: [Item] { get } }
protocol RestatedChild: RestatedParent { func item() -> String }
protocol RestatedGrandchild: RestatedChild { var all: [String] { get } }
protocol RestatedHash: Hashable { func hash(into hasher: inout Swift.Hasher) }
protocol RestatedDescription: CustomStringConvertible { var description: String { get } }
protocol RestatedKey: CodingKey { var stringValue: String { get } }
