// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles
import UnderstudyTesting

@testable import Corpus

// Both tests use the static spies of one double. Each has a layer, which finishes them for itself.
@Suite(.serialized, .overrides()) struct `Doubles of integers` {
  @Test func `record their operators, initialisers and members`() {
    behaves(SignedIntegersDouble.self)
    behaves(UnsignedIntegersDouble.self)
    behaves(IntegersDouble.self)
    behaves(WidthsDouble.self)
  }

  private func behaves<It: IntegerDouble>(_: It.Type) {
    let result = It()
    let one = It()
    let two = It()
    let statics = It.spy
    statics.zero.returns(Unchecked(result))
    statics.tilde.returns(Unchecked(result))
    for spy in statics.operators { spy.returns(Unchecked(result)) }
    for spy in statics.shifts { spy.returns(Unchecked(result)) }
    let results = signs(one, two) + products(one, two) + quotients(one, two)
    #expect(results.allSatisfy { $0 === result })
    for spy in statics.operators {
      same(spy.calls.map(\.0.value), [one])
      same(spy.calls.map(\.1.value), [two])
    }
    for spy in statics.shifts { same(spy.calls.map { $0.1.value as? Int }, [1]) }

    statics.initializeExactly.returns(())
    statics.initializeExactlyBinaryFloatingPoint.returns(nil)
    same(initialized(It.self), [false, true])
    for spy in [
      statics.fromInteger, statics.initializeTruncatingIfNeeded, statics.initializeClamping,
    ] {
      same(spy.calls.map { $0.value as? Int }, [7])
    }
    same(statics.initializeBinaryFloatingPoint.calls.map { $0.value as? Double }, [0.5])
    same(statics.initializeIntegerLiteral.calls, [3])

    one.spy.bitWidth.returns(1)
    one.spy.trailingZeroBitCount.returns(2)
    one.spy.magnitude.returns(3)
    one.spy.words.returns([4])
    one.spy.distance.returns(5)
    one.spy.advanced.returns(result)
    statics.isSigned.returns(true)
    statics.less.returns(true)
    same(measured(one, two), [1, 2, 3, 4, 1, 1])
    #expect(walked(one, two) == (5, result))
    same(one.spy.distance.calls, [two])
    same(one.spy.advanced.calls, [6])
  }

  @Test func `have a fixed width`() {
    typealias Number = WidthsDouble
    let one = Number()
    let two = Number()
    Number.spy.bitWidth.returns(8)
    Number.spy.max.returns(Unchecked(one))
    Number.spy.min.returns(Unchecked(two))
    func limits<It: Widths>(_: It.Type) -> (Int, It, It) { (It.bitWidth, It.max, It.min) }
    #expect(limits(Number.self) == (8, one, two))
    Number.spy.initialize.returns(nil)
    func make<It: Widths>(_: It.Type) -> [It?] { [It("7"), It(_truncatingBits: 8)] }
    same(make(Number.self).map { $0 == nil }, [true, false])
    same(Number.spy.initialize.calls, ["7"])
    same(Number.spy.initialize_truncatingBits.calls, [8])

    let overflowing = [
      one.spy.addingReportingOverflow, one.spy.subtractingReportingOverflow,
      one.spy.multipliedReportingOverflow, one.spy.dividedReportingOverflow,
      one.spy.remainderReportingOverflow,
    ]
    for spy in overflowing { spy.returns((partialValue: two, overflow: true)) }
    func overflows<It: Widths>(_ one: It, _ two: It) -> [(partialValue: It, overflow: Bool)] {
      [
        one.addingReportingOverflow(two), one.subtractingReportingOverflow(two),
        one.multipliedReportingOverflow(by: two), one.dividedReportingOverflow(by: two),
        one.remainderReportingOverflow(dividingBy: two),
      ]
    }
    #expect(overflows(one, two).allSatisfy { $0 == (two, true) })
    for spy in overflowing { same(spy.calls, [two]) }
    one.spy.dividingFullWidth.returns((quotient: one, remainder: two))
    func divided<It: Widths>(_ one: It, _ two: It) -> (quotient: It, remainder: It) {
      one.dividingFullWidth((high: two, low: 9))
    }
    #expect(divided(one, two) == (one, two))
    same(one.spy.dividingFullWidth.calls.map(\.high), [two])
    same(one.spy.dividingFullWidth.calls.map(\.low), [9])
    one.spy.nonzeroBitCount.returns(10)
    one.spy.leadingZeroBitCount.returns(11)
    one.spy.byteSwapped.returns(two)
    func bits<It: Widths>(_ it: It) -> (Int, Int, It) {
      (it.nonzeroBitCount, it.leadingZeroBitCount, it.byteSwapped)
    }
    #expect(bits(one) == (10, 11, two))
  }
}

/// Calls the operators of an integer that other numbers do not have, each once.
private func quotients<It: BinaryInteger>(_ one: It, _ two: It) -> [It] {
  var all = Array(repeating: one, count: 7)
  all[0] /= two
  all[1] %= two
  all[2] &= two
  all[3] |= two
  all[4] ^= two
  all[5] <<= 1
  all[6] >>= 1
  return all + [one / two, one % two, ~one]
}

/// Calls the initialisers of an integer, each once, and returns whether the failable ones succeed.
private func initialized<It: BinaryInteger>(_: It.Type) -> [Bool] {
  let half = 0.5
  let number = 7
  _ = [It(half), It(number), It(truncatingIfNeeded: number), It(clamping: number), 3]
  return [It(exactly: half) != nil, It(exactly: number) != nil]
}

/// Calls the members of an integer, each once.
private func measured<It: BinaryInteger>(_ one: It, _ two: It) -> [Int] {
  [
    one.bitWidth, one.trailingZeroBitCount, Int(one.magnitude), Int(one.words[0]),
    It.isSigned ? 1 : 0, one < two ? 1 : 0,
  ]
}

/// Calls the requirements of `Strideable`. On a `BinaryInteger`, these calls would be calls of its
/// extension.
private func walked<It: Strideable>(_ one: It, _ two: It) -> (Int, It) where It.Stride == Int {
  (one.distance(to: two), one.advanced(by: 6))
}

// The members that all doubles of integers have.

private protocol IntegerDouble: BinaryInteger, AnyObject
where Stride == Int, Magnitude == UInt, Words == [UInt] {
  associatedtype Statics: IntegerStatics where Statics.Number == Self
  associatedtype Members: IntegerMembers where Members.Number == Self
  static var spy: Statics { get }
  var spy: Members { get }
  init()
}
private protocol IntegerStatics: StaticSpyList {
  associatedtype Number
  typealias Value = Spy<Void, Unchecked<Number>, Never>
  typealias Operator = Spy<(Unchecked<Number>, Unchecked<Number>), Unchecked<Number>, Never>
  typealias Shift = Spy<(Unchecked<Number>, Unchecked<Any>), Unchecked<Number>, Never>
  typealias Conversion = Spy<Unchecked<Any>, Void, Never>
  typealias FailableConversion = Spy<Unchecked<Any>, Void?, Never>
  var zero: Value { get }
  var tilde: Spy<Unchecked<Number>, Unchecked<Number>, Never> { get }
  var plus: Operator { get }
  var minus: Operator { get }
  var times: Operator { get }
  var timesEqual: Operator { get }
  var slash: Operator { get }
  var slashEqual: Operator { get }
  var percent: Operator { get }
  var percentEqual: Operator { get }
  var andEqual: Operator { get }
  var orEqual: Operator { get }
  var caretEqual: Operator { get }
  var lessLessEqual: Shift { get }
  var greaterGreaterEqual: Shift { get }
  var less: Spy<(Unchecked<Number>, Unchecked<Number>), Bool, Never> { get }
  var isSigned: Spy<Void, Bool, Never> { get }
  var fromInteger: Conversion { get }
  var initializeBinaryFloatingPoint: Conversion { get }
  var initializeTruncatingIfNeeded: Conversion { get }
  var initializeClamping: Conversion { get }
  var initializeExactly: FailableConversion { get }
  var initializeExactlyBinaryFloatingPoint: FailableConversion { get }
  var initializeIntegerLiteral: Spy<Int, Void, Never> { get }
}
private protocol IntegerMembers {
  associatedtype Number
  var bitWidth: Spy<Void, Int, Never> { get }
  var trailingZeroBitCount: Spy<Void, Int, Never> { get }
  var magnitude: Spy<Void, UInt, Never> { get }
  var words: Spy<Void, [UInt], Never> { get }
  var distance: Spy<Number, Int, Never> { get }
  var advanced: Spy<Int, Number, Never> { get }
}
extension IntegerStatics {
  fileprivate var operators: [Operator] {
    [
      plus, minus, times, timesEqual, slash, slashEqual, percent, percentEqual, andEqual, orEqual,
      caretEqual,
    ]
  }
  fileprivate var shifts: [Shift] { [lessLessEqual, greaterGreaterEqual] }
}

extension SignedIntegersDouble: IntegerDouble {}
extension SignedIntegersDouble.Spies: IntegerMembers {}
extension SignedIntegersDouble.StaticSpies: IntegerStatics {
  fileprivate var fromInteger: Conversion { initialize }
}

extension UnsignedIntegersDouble: IntegerDouble {}
extension UnsignedIntegersDouble.Spies: IntegerMembers {}
extension UnsignedIntegersDouble.StaticSpies: IntegerStatics {
  fileprivate var fromInteger: Conversion { initialize }
}

extension IntegersDouble: IntegerDouble {}
extension IntegersDouble.Spies: IntegerMembers {}
extension IntegersDouble.StaticSpies: IntegerStatics {
  fileprivate var fromInteger: Conversion { initialize }
}

extension WidthsDouble: IntegerDouble {}
extension WidthsDouble.Spies: IntegerMembers {}
extension WidthsDouble.StaticSpies: IntegerStatics {
  fileprivate var fromInteger: Conversion { initializeBinaryInteger }
}
