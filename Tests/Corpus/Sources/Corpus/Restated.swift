// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Inherited members that are said again with concrete types.

import Foundation

public protocol RestatedRaw: RawRepresentable { init?(rawValue: String); var rawValue: String { get } }
public protocol RestatedRawWithout: RawRepresentable { init(rawValue: Int); var rawValue: Int { get } }
public protocol RestatedID: Identifiable { var id: UUID { get } }
public protocol RestatedWhere: RawRepresentable where RawValue == String {}
public protocol RestatedNext: IteratorProtocol { mutating func next() -> Int? }
public protocol RestatedCases: CaseIterable { static var allCases: [Self] { get } }
public protocol RestatedParent { associatedtype Item; func item() -> Item; var all: [Item] { get } }
public protocol RestatedChild: RestatedParent { func item() -> String }
public protocol RestatedGrandchild: RestatedChild { var all: [String] { get } }
public protocol RestatedHash: Hashable { func hash(into hasher: inout Hasher) }
public protocol RestatedDescription: CustomStringConvertible { var description: String { get } }
public protocol RestatedKey: CodingKey { var stringValue: String { get } }
