// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Doubles of protocols with parents of the platform` {
  @Test func `write texts`() {
    let a = TextStreamsDouble()
    func write<It: TextStreams>(to it: It) {
      var it = it
      print("a", 1, to: &it)
    }
    write(to: a)
    same(a.spy.write.calls.joined(), "a 1\n")
    let b = TextStreamablesDouble()
    b.spy.write.returns("b")
    func text<It: TextStreamables>(of it: It) -> String {
      var text = "a"
      it.write(to: &text)
      return text
    }
    same(text(of: b), "b")
    same(b.spy.write.calls[0] as? String, "a")
  }

  @Test func `describe themselves`() {
    let a = ReflectablesDouble()
    a.spy.customMirror.returns(Mirror(reflecting: [1, 2]))
    same(Mirror(reflecting: a).children.map { $0.value as? Int }, [1, 2])
    same((a as any Reflectables).customMirror.children.count, 2)
    let b = PlaygroundDouble()
    b.spy.playgroundDescription.returns("b")
    same((b as any Playground).playgroundDescription as? String, "b")
    let c = PrintedArgumentsDouble()
    c.spy._cVarArgEncoding.returns([7])
    same((c as any PrintedArguments)._cVarArgEncoding, [7])
    same(String(format: "%d", c), "7")
  }

  @Test func `give bytes and patterns`() throws {
    let a = BytesDouble()
    a.spy.withUnsafeBytes.returns(3)
    same((a as any Bytes).withUnsafeBytes { $0.count }, 3)
    same(a.spy.withUnsafeBytes.callCount, 1)
    let b = PatternsDouble<Substring>()
    b.spy.regex.returns(/b+/)
    func match<It: Patterns>(_ it: It) -> It.RegexOutput? { "abbc".firstMatch(of: it)?.output }
    same(match(b), "bb")
  }

  @Test func `are errors`() {
    let a = LocalizedErrorsDouble()
    a.spy.code.returns(1)
    func fail(_ error: any Error) throws { throw error }
    let error = #expect(throws: LocalizedErrorsDouble.self) { try fail(a) }
    same((error as (any LocalizedErrors)?)?.code, 1)
    same(a.errorDescription, nil)
    let b = CustomErrorsDouble()
    #expect(throws: CustomErrorsDouble.self) { try fail(b) }
    same((b as any CustomErrors).errorUserInfo.count, 0)
    let c = RecoverableDouble()
    c.spy.recoveryOptions.returns(["x", "y"])
    c.spy.attemptRecovery.when(1).returns(true)
    let it: any Recoverable = c
    same(it.recoveryOptions, ["x", "y"])
    same(it.attemptRecovery(optionIndex: 1), true)
    // The default implementation calls the requirement.
    var answers: [Bool] = []
    it.attemptRecovery(optionIndex: 1) { answers.append($0) }
    same(answers, [true])
    same(c.spy.attemptRecovery.calls, [1, 1])
  }

  @Test func `are decoders`() throws {
    let decoder = OwnDecoderDouble()
    let reading = SingleReadingDouble()
    decoder.spy.singleValueContainer.returns(reading)
    reading.spy.decode.returns(7)
    same(try Int(from: decoder), 7)
    decoder.spy.unkeyedContainer.throws(Plain())
    #expect(throws: Plain.self) { try [Int](from: decoder) }
    decoder.spy.container.throws(Plain())
    #expect(throws: Plain.self) { try Numbered(from: decoder) }
    typealias Keyed = KeyedDecodingContainer<Numbered.CodingKeys>
    same(decoder.spy.container.calls(as: Keyed.self).count, 1)
    let it: any OwnDecoder = decoder
    decoder.spy.codingPath.returns([ColumnKeyDouble()])
    same(it.codingPath.count, 1)
    decoder.spy.userInfo.returns([:])
    same(it.userInfo.count, 0)
  }

  @Test func `have a spy for each type that is decoded`() throws {
    let double = SingleReadingDouble()
    let spy = double.spy
    let it: any SingleReading = double
    spy.decodeStringType.returns("a")
    same(try it.decode(String.self), "a")
    spy.decodeBoolType.returns(true)
    same(try it.decode(Bool.self), true)
    spy.decodeDoubleType.returns(1.5)
    same(try it.decode(Double.self), 1.5)
    spy.decodeFloatType.returns(2.5)
    same(try it.decode(Float.self), 2.5)
    spy.decode.returns(1)
    same(try it.decode(Int.self), 1)
    spy.decodeUIntType.returns(2)
    same(try it.decode(UInt.self), 2)
    spy.decodeInt8Type.returns(3)
    same(try it.decode(Int8.self), 3)
    spy.decodeInt16Type.returns(4)
    same(try it.decode(Int16.self), 4)
    spy.decodeInt32Type.returns(5)
    same(try it.decode(Int32.self), 5)
    spy.decodeInt64Type.returns(6)
    same(try it.decode(Int64.self), 6)
    spy.decodeUInt8Type.returns(7)
    same(try it.decode(UInt8.self), 7)
    spy.decodeUInt16Type.returns(8)
    same(try it.decode(UInt16.self), 8)
    spy.decodeUInt32Type.returns(9)
    same(try it.decode(UInt32.self), 9)
    spy.decodeUInt64Type.returns(10)
    same(try it.decode(UInt64.self), 10)
    spy.decodeDecodableType.returns(Item(id: 11))
    same(try it.decode(Item.self), Item(id: 11))
    spy.decodeDecodableType.throws(Plain())
    #expect(throws: Plain.self) { try it.decode([Int].self) }
    spy.decodeNil.returns(true)
    same(it.decodeNil(), true)
    spy.codingPath.returns([])
    same(it.codingPath.count, 0)
    same(finish(double), [])
  }

  @Test func `compare values and name attributes`() {
    let double = ComparatorsDouble<Int>()
    double.spy.compare.does { $0 < $1 ? .orderedDescending : .orderedAscending }
    func sorted<It: Comparators>(_ numbers: [Int], by it: It) -> [Int] where It.Compared == Int {
      numbers.sorted(using: it)
    }
    same(sorted([1, 3, 2], by: double), [3, 2, 1])
    func reverse<It: Comparators>(_ it: It) -> SortOrder {
      var it = it
      it.order = .reverse
      return it.order
    }
    same(reverse(double), .reverse)
    same(double.spy.order.sets.calls, [.reverse])
    StringKeysDouble<Int>.spy.name.returns("seat")
    func name<It: StringKeys>(_: It.Type) -> String { It.name }
    same(name(StringKeysDouble<Int>.self), "seat")
    var text = AttributedString("a")
    text[StringKeysDouble<Int>.self] = 1
    same(text[StringKeysDouble<Int>.self], 1)
  }
}

private struct Numbered: Decodable {
  enum CodingKeys: CodingKey { case id }
  var id: Int
}
