// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// A property and a function with one name, of two protocols. No type can declare both, so one of
// them needs a default implementation.

protocol HasLabel { var label: String { get } }

protocol LabelFunction: HasLabel { func label() -> String }
extension LabelFunction { func label() -> String { "function" } }
protocol LabelLeniently: HasLabel { func label() async throws -> String }
extension LabelLeniently { func label() -> String { "lenient" } }
protocol LabelProperty: HasLabel {
  func label() -> String
  func label() async -> String
}
extension LabelProperty { var label: String { "property" } }
protocol IdentityFunction: Identifiable { func id() -> Int }
protocol DescribedKey: CodingKey { func description() -> String }

// The default implementation has a condition that the double meets.
protocol LabelOfChildren: HasLabel { func label() -> String }
protocol LabelChild: LabelOfChildren { func more() -> Int }
extension LabelOfChildren where Self: LabelChild { func label() -> String { "child" } }
protocol LabelOf: HasLabel {
  associatedtype Value
  func label() -> Value
}
protocol NumberLabel: LabelOf where Value == Int { func more() -> Int }
extension LabelOf where Value == Int { func label() -> Value { 7 } }
protocol SharedLabel: HasLabel {
  associatedtype Value
  func label() -> Int
}
protocol SharedLabelChild: SharedLabel, Sendable { func more() -> Int }
extension SharedLabel where Value: Sendable, Self: Sendable { func label() -> Int { 8 } }

// One property has two types, and one of them has a default implementation.
protocol NumberSize { var size: Int { get } }
protocol TextSize { var size: String { get } }
extension TextSize { var size: String { "text" } }
protocol TwoSizes: TextSize, NumberSize { func more() -> Int }

// Other members with the names of a parent's.
protocol ParentNames: Codable, Hashable, CustomStringConvertible {
  init(from number: Int)
  func encode(to number: Int) -> Int
  func hash(into number: Int) -> Int
  static func == (left: Self, right: Int) -> Bool
  static var description: Int { get }
  func description(_ id: Int) -> String
}

// No type can conform to these.
protocol LabelUnmet: HasLabel { func label() -> String }
protocol LabelWeak: HasLabel { func label() -> String }
extension LabelWeak { func label() async -> String { "weak" } }
protocol DescribedFunction: CustomStringConvertible { func description() -> String }
protocol HashFunction: Hashable { func hashValue() -> Int }
protocol HasText { var label: Substring { get } }
protocol TwoLabels: HasLabel, HasText { func more() -> Int }
protocol OtherDescription: CustomStringConvertible { var description: Substring { get } }
