// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct StandardParentsTests {
  @Test func `a double of a Codable protocol is encoded and decoded`() throws {
    let data = try JSONEncoder().encode(CodableMemberDouble())
    let decoded = try JSONDecoder().decode(CodableMemberDouble.self, from: data)
    decoded.spy.name.returns("Hamlet")
    #expect(decoded.name == "Hamlet")
    let list = try PropertyListEncoder().encode([CodableAloneDouble(), CodableAloneDouble()])
    #expect(try PropertyListDecoder().decode([CodableAloneDouble].self, from: list).count == 2)
  }

  @Test func `a double of an executor runs its jobs`() async {
    let executor = OwnTaskExecutorDouble()
    executor.spy.enqueue.returns { job in
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
    let answer = await Task(executorPreference: executor) { 7 }.value
    #expect(answer == 7)
    #expect(executor.spy.enqueue.callCount > 0)
    let serial = OwnSerialExecutorDouble()
    serial.spy.load.returns(3)
    #expect((serial as any OwnSerialExecutor).load == 3)
    serial.spy.enqueue.returns { _ in }.optional()
  }

  @Test func `a stub throws an error of the type that the caller chooses`() {
    let double = ThrowsGenericDouble()
    double.spy.run.throws(Plain())
    #expect(throws: Plain.self) { try double.run(Plain.self) }
    #expect(double.spy.run.callCount == 1)
  }

  @Test func `a double of an integer behaves like a number`() {
    let double = WidthsDouble()
    double.spy.checksum.returns(7)
    double.spy.bitWidth.returns(12)
    let number: any FixedWidthInteger = double
    #expect(number.bitWidth == 12)
    #expect((double as any Widths).checksum() == 7)
    let integers = IntegersDouble()
    integers.spy.words.returns([1, 2])
    #expect(Array((integers as any BinaryInteger).words).count == 2)
  }

  @Test func `a double of a binary number behaves like a number`() {
    let double = BinaryFloatsDouble<Int, Int>()
    double.spy.name.returns("half")
    double.spy.significandWidth.returns(3)
    double.spy.exponentBitPattern.returns(7)
    let number: any BinaryFloatingPoint = double
    #expect(number.significandWidth == 3)
    #expect(number.exponentBitPattern as? UInt == 7)
    #expect((double as any BinaryFloats).name() == "half")
    #expect(BinaryFloatsDouble<Int, Int>(floatLiteral: 0.5).spy.name.callCount == 0)
  }

  @Test func `a double of a mutable collection has elements that are set`() {
    let double = MutableElementsDouble<Int, Int, IndexingIterator<[Int]>>()
    double.spy.subscript.returns(3)
    double.spy.subscriptSet.returns(())
    func change<Elements: MutableElements>(_ elements: Elements)
    where Elements.Index == Int, Elements.Element == Int {
      var elements = elements
      elements[2] += 4
    }
    change(double)
    #expect(double.spy.subscriptSet.calls.map(\.1) == [7])
  }

  @Test func `a double of an option set is compared by identity`() {
    typealias Double = FlagsDouble<Int>
    let double = Double(rawValue: 3)
    double.spy.rawValue.returns(3)
    double.spy.union.returns(double)
    #expect((double as any Flags).rawValue as? Int == 3)
    #expect(double.union(Double(rawValue: 4)) == double)
    #expect(double != Double(rawValue: 3))
  }

  @Test func `a double of an encoder is given to a value`() throws {
    let double = OwnEncoderDouble()
    double.spy.singleValueContainer.returns(Sink())
    try 7.encode(to: double)
    #expect(double.spy.singleValueContainer.callCount == 1)
  }

  @Test func `a default implementation of a toolchain's protocol calls the spies`() throws {
    let keys = KeyedWritingDouble<Key>()
    keys.spy.encodeNil.returns(())
    var container = keys
    try container.encodeIfPresent(Int?.none, forKey: .one)
    #expect(keys.spy.encodeNil.callCount == 0)
    try container.encodeNil(forKey: .one)
    #expect(keys.spy.encodeNil.calls == [.one])
    let style = StylesDouble<Int, String>()
    style.spy.format.when(7).returns("seven")
    #expect(7.formatted(style) == "seven")
    #expect(style.locale(Locale(identifier: "en")) === style)
  }

  @Test func `a double of a regular expression's part matches`() throws {
    let double = ConsumingPatternsDouble<Int>()
    let text = "seven"
    double.spy.consuming.returns((upperBound: text.endIndex, output: 7))
    let match = try #require(text.wholeMatch(of: double))
    #expect(match.output == 7)
  }

  private enum Key: String, CodingKey { case one }

  /// Accepts everything.
  private struct Sink: SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    func encodeNil() {}
    func encode(_ value: Bool) {}
    func encode(_ value: String) {}
    func encode(_ value: Double) {}
    func encode(_ value: Float) {}
    func encode(_ value: Int) {}
    func encode(_ value: Int8) {}
    func encode(_ value: Int16) {}
    func encode(_ value: Int32) {}
    func encode(_ value: Int64) {}
    func encode(_ value: UInt) {}
    func encode(_ value: UInt8) {}
    func encode(_ value: UInt16) {}
    func encode(_ value: UInt32) {}
    func encode(_ value: UInt64) {}
    func encode<Value: Encodable>(_ value: Value) {}
  }

  @Test func `an answering function throws an error of the type that the caller chooses`() {
    let double = ThrowsGenericHandlerDouble()
    double.spy.sum.returns { _ in throw Plain() }
    let values = [1, 2]
    #expect(throws: Plain.self) { try double.sum(values.span, failing: Plain.self) }
    #expect(double.spy.sum.callCount == 1)
  }
}
