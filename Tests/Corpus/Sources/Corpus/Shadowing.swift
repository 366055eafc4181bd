// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Generic parameters of requirements with the names of associated types, of protocols or of types.

protocol Receiving<Input> {
  associatedtype Input
  func receive(_ input: Input)
}
protocol ShadowsProtocol {
  func attach<Receiving: Corpus.Receiving>(_ receiver: Receiving) where Receiving.Input == Int
}
protocol ShadowsItself {
  associatedtype Output
  func attach<ShadowsItself: Receiving>(_ receiver: ShadowsItself)
  where ShadowsItself.Input == Output
}
protocol ShadowsAssociated {
  associatedtype Value
  func store<Value>(_ value: Value) -> Int
  func last() -> Value
}
protocol ShadowsAssociatedResult {
  associatedtype Value
  func convert<Value: Equatable>(_ value: Value) -> Value
  var value: Value { get }
}
protocol ShadowsByWhere {
  associatedtype Element
  func each<Element>(_ element: Element) -> [Element] where Element: Hashable
  func first() -> Element?
}
struct Marker: Hashable { init() {} }
protocol ShadowsType {
  func mark<Marker>(_ marker: Marker) -> Int
  func plain(_ marker: Corpus.Marker)
}
protocol ShadowsSpy { func use<Spy>(_ spy: Spy) -> Int }
protocol ShadowsString { func use<String>(_ value: String) -> [String] }
protocol ShadowsInSubscript {
  associatedtype Key
  subscript<Key: Hashable>(key: Key) -> Int { get }
  func last() -> Key
}
protocol ShadowsInInitializer {
  associatedtype Source
  init<Source: Collection>(_ source: Source) where Source.Element == Int
  func source() -> Source
}
