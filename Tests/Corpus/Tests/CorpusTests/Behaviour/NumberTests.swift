// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

/// Calls the operators of a number, each once.
func signs<It: AdditiveArithmetic>(_ one: It, _ two: It) -> [It] {
  [.zero, one + two, one - two]
}
func products<It: Numeric>(_ one: It, _ two: It) -> [It] {
  var product = one
  product *= two
  return [one * two, product]
}

@Suite struct `Doubles of numbers` {
  @Test func `are added and multiplied`() {
    let sum = AddsDouble()
    let addends = (AddsDouble(), AddsDouble())
    for spy in [AddsDouble.spy.plus, AddsDouble.spy.minus] { spy.returns(Unchecked(sum)) }
    AddsDouble.spy.zero.returns(Unchecked(sum))
    same(signs(addends.0, addends.1), [sum, sum, sum])
    for spy in [AddsDouble.spy.plus, AddsDouble.spy.minus] {
      same(spy.calls.map(\.0.value), [addends.0])
      same(spy.calls.map(\.1.value), [addends.1])
    }
    same(finish(AddsDouble.spy), [])

    typealias Number = NumbersDouble<Int>
    let number = Number()
    let factors = (Number(), Number())
    Number.spy.zero.returns(Unchecked(number))
    let operators = [
      Number.spy.plus, Number.spy.minus, Number.spy.times, Number.spy.timesEqual,
    ]
    for spy in operators { spy.returns(Unchecked(number)) }
    let results = signs(factors.0, factors.1) + products(factors.0, factors.1)
    #expect(results.allSatisfy { $0 === number })
    for spy in operators {
      same(spy.calls.map(\.0.value), [factors.0])
      same(spy.calls.map(\.1.value), [factors.1])
    }
    func make<It: Numbers>(_: It.Type) -> [It?] { [7, It(exactly: 8 as UInt8)] }
    Number.spy.initialize.returns(nil)
    same(make(Number.self).map { $0 == nil }, [false, true])
    same(Number.spy.initializeIntegerLiteral.calls, [7])
    same(Number.spy.initialize.calls.map { $0.value as? UInt8 }, [8])
    number.spy.rounded.returns(factors.0)
    number.spy.magnitude.returns(9)
    func rounded<It: Numbers>(_ it: It) -> (It, It.Magnitude) { (it.rounded(), it.magnitude) }
    #expect(rounded(number) == (factors.0, 9))
    same(finish(Number.spy) + finish(number), [])
  }

  @Test func `are negated`() {
    typealias Number = SignedNumbersDouble<Int>
    let number = Number()
    let factors = (Number(), Number())
    Number.spy.zero.returns(Unchecked(number))
    let operators = [
      Number.spy.plus, Number.spy.minus, Number.spy.times, Number.spy.timesEqual,
    ]
    for spy in operators { spy.returns(Unchecked(number)) }
    let results = signs(factors.0, factors.1) + products(factors.0, factors.1)
    #expect(results.allSatisfy { $0 === number })
    // The standard library subtracts from a literal.
    #expect(-factors.0 === number)
    same(Number.spy.initializeIntegerLiteral.calls, [0])
    same(Number.spy.minus.calls.map(\.1.value), [factors.1, factors.0])
    Number.spy.initialize.returns(())
    func make<It: SignedNumbers>(_: It.Type) -> It? { It(exactly: 8 as UInt8) }
    #expect(make(Number.self) != nil)
    same(Number.spy.initialize.calls.map { $0.value as? UInt8 }, [8])
    number.spy.magnitude.returns(9)
    same((number as any SignedNumbers).magnitude as? Int, 9)
    same(finish(Number.spy) + finish(number), [])
  }

  @Test func `are floating-point numbers`() {
    typealias Number = FloatsDouble<Int, Int>
    let number = Number()
    let factors = (Number(), Number())
    let operators = [
      Number.spy.plus, Number.spy.minus, Number.spy.times, Number.spy.timesEqual,
      Number.spy.slash, Number.spy.slashEqual,
    ]
    for spy in operators { spy.returns(Unchecked(number)) }
    let constants = [
      Number.spy.zero, Number.spy.nan, Number.spy.signalingNaN, Number.spy.infinity,
      Number.spy.greatestFiniteMagnitude, Number.spy.pi, Number.spy.leastNormalMagnitude,
      Number.spy.leastNonzeroMagnitude,
    ]
    for spy in constants { spy.returns(Unchecked(number)) }
    func all<It: FloatingPoint>(_ one: It, _ two: It) -> [It] {
      var quotient = one
      quotient /= two
      return [
        one / two, quotient, .nan, .signalingNaN, .infinity, .greatestFiniteMagnitude, .pi,
        .leastNormalMagnitude, .leastNonzeroMagnitude,
      ] + signs(one, two) + products(one, two)
    }
    #expect(all(factors.0, factors.1).allSatisfy { $0 === number })
    for spy in operators {
      same(spy.calls.map(\.0.value), [factors.0])
      same(spy.calls.map(\.1.value), [factors.1])
    }
    same(finish(Number.spy), [])
  }

  @Test func `have initialisers of floating-point numbers`() {
    typealias Number = FloatsDouble<Int8, Int>
    let factors = (Number(), Number())
    func make<It: FloatingPoint>(_: It.Type, _ one: It, _ two: It) -> It?
    where It.Exponent == Int8 {
      _ = [It(sign: .minus, exponent: 2, significand: one), It(signOf: one, magnitudeOf: two)]
      let number = 3
      _ = [It(number), It(UInt8(4))]
      return It(exactly: number)
    }
    Number.spy.initializeExactly.returns(nil)
    #expect(make(Number.self, factors.0, factors.1) == nil)
    same(Number.spy.initializeExactly.calls.map { $0.value as? Int }, [3])
    let parts = Number.spy.initializeSignExponentSignificand.calls
    same(parts.map(\.0), [.minus])
    same(parts.map(\.1.value), [2])
    same(parts.map(\.2.value), [factors.0])
    same(Number.spy.initializeSignOfMagnitudeOf.calls.map(\.1.value), [factors.1])
    same(Number.spy.initialize.calls, [3])
    same(Number.spy.initializeBinaryInteger.calls.map { $0.value as? UInt8 }, [4])
    _ = 5 as Number
    same(Number.spy.initializeIntegerLiteral.calls, [5])
    Number.spy.radix.returns(2)
    Number.spy.less.returns(true)
    func compare<It: FloatingPoint>(_ one: It, _ two: It) -> (Int, Bool) { (It.radix, one < two) }
    #expect(compare(factors.0, factors.1) == (2, true))
    same(finish(Number.spy), [])
  }

  @Test func `have members of floating-point numbers`() {
    let double = FloatsDouble<Int, Int>()
    let other = FloatsDouble<Int, Int>()
    let spy = double.spy
    for spy in [spy.ulp, spy.significand, spy.nextUp, spy.magnitude] { spy.returns(other) }
    func parts<It: Floats>(_ it: It) -> [It] where It.Magnitude == It {
      [it.ulp, it.significand, it.nextUp, it.magnitude]
    }
    same(parts(double), [other, other, other, other])
    spy.sign.returns(.minus)
    spy.exponent.returns(2)
    spy.distance.returns(3)
    spy.advanced.returns(other)
    func measures<It: Floats>(_ it: It, _ other: It) -> (FloatingPointSign, It.Exponent, It.Stride)
    {
      (it.sign, it.exponent, it.distance(to: other))
    }
    #expect(measures(double, other) == (.minus, 2, 3))
    func advanced<It: Floats>(_ it: It) -> It where It.Stride == Int { it.advanced(by: 4) }
    #expect(advanced(double) === other)
    same(spy.advanced.calls, [4])
    let questions = [
      spy.isNormal, spy.isFinite, spy.isZero, spy.isSubnormal, spy.isInfinite, spy.isNaN,
      spy.isSignalingNaN, spy.isCanonical,
    ]
    for spy in questions { spy.returns(true) }
    let it: any Floats = double
    same(
      [
        it.isNormal, it.isFinite, it.isZero, it.isSubnormal, it.isInfinite, it.isNaN,
        it.isSignalingNaN, it.isCanonical,
      ], Array(repeating: true, count: 8))
    let comparisons = [
      spy.isEqual, spy.isLess, spy.isLessThanOrEqualTo, spy.isTotallyOrdered,
    ]
    for spy in comparisons { spy.returns(true) }
    func compared<It: Floats>(_ it: It, _ other: It) -> [Bool] {
      [
        it.isEqual(to: other), it.isLess(than: other), it.isLessThanOrEqualTo(other),
        it.isTotallyOrdered(belowOrEqualTo: other),
      ]
    }
    same(compared(double, other), [true, true, true, true])
    for spy in comparisons { same(spy.calls, [other]) }
    func change<It: Floats>(_ it: It, _ other: It) {
      var it = it
      it.formRemainder(dividingBy: other)
      it.formTruncatingRemainder(dividingBy: other)
      it.formSquareRoot()
      it.addProduct(it, other)
      it.round(.up)
    }
    change(double, other)
    same(spy.formRemainder.calls + spy.formTruncatingRemainder.calls, [other, other])
    same(spy.formSquareRoot.callCount, 1)
    #expect(spy.addProduct.calls[0] == (double, other))
    same(spy.round.calls, [.up])
    same(finish(double), [])
  }

  @Test func `have members of binary floating-point numbers`() {
    typealias Number = BinaryFloatsDouble<Int8, Int>
    let number = Number()
    number.spy.binade.returns(number)
    number.spy.significandBitPattern.returns(1)
    number.spy.exponentBitPattern.returns(2)
    Number.spy.exponentBitCount.returns(3)
    Number.spy.significandBitCount.returns(4)
    func measures<It: BinaryFloats>(_ it: It) -> [Int] {
      [
        Int(it.significandBitPattern), Int(it.exponentBitPattern), It.exponentBitCount,
        It.significandBitCount,
      ]
    }
    same(measures(number), [1, 2, 3, 4])
    func binade<It: BinaryFloats>(_ it: It) -> It { it.binade }
    #expect(binade(number) === number)
    func make<It: BinaryFloats>(_: It.Type) -> [It?] {
      let half = 0.5
      return [
        It(sign: .minus, exponentBitPattern: 5, significandBitPattern: 6), It(half),
        It(exactly: half), 1.5,
      ]
    }
    Number.spy.initializeExactlyBinaryFloatingPoint.returns(nil)
    same(make(Number.self).map { $0 == nil }, [false, false, true, false])
    let parts = Number.spy.initializeSignExponentBitPatternSignificandBitPattern.calls
    same(parts.map(\.0), [.minus])
    same(parts.map { [UInt64($0.1), $0.2] }, [[5, 6]])
    same(Number.spy.initializeBinaryFloatingPoint.calls.map { $0.value as? Double }, [0.5])
    same(Number.spy.initializeFloatLiteral.calls, [1.5])
    same(finish(Number.spy) + finish(number), [])
  }

  @Test func `have strides`() {
    typealias Number = StridesDouble<Int>
    let one = Number()
    let two = Number()
    one.spy.name.returns("one")
    one.spy.distance.returns(3)
    one.spy.advanced.returns(two)
    Number.spy.less.returns(true)
    func walk<It: Strides>(_ one: It, _ two: It) -> (String, It.Stride, It, Bool)
    where It.Stride == Int {
      (one.name, one.distance(to: two), one.advanced(by: 4), one < two)
    }
    #expect(walk(one, two) == ("one", 3, two, true))
    same(one.spy.distance.calls, [two])
    same(one.spy.advanced.calls, [4])
    same(Number.spy.less.calls.map(\.1.value), [two])
  }

  @Test func `generate random numbers`() {
    let double = GeneratorsDouble()
    double.spy.next.returns(7)
    func random<It: Generators>(_ it: It) -> [UInt64] {
      var it = it
      return [it.next(), .random(in: .min ... .max, using: &it)]
    }
    same(random(double), [7, 7])
    same(double.spy.next.callCount, 2)
  }
}

@Suite struct `Doubles of times and durations` {
  @Test func `durations are calculated`() {
    typealias Length = DurationLikeDouble
    let result = Length()
    let one = Length()
    let two = Length()
    Length.spy.zero.returns(result)
    for spy in [Length.spy.plus, Length.spy.minus] { spy.returns(result) }
    for spy in [Length.spy.times, Length.spy.slash] { spy.returns(result) }
    Length.spy.slashSelfSelf.returns(1.5)
    Length.spy.less.returns(true)
    func calculate<It: DurationLike>(_ one: It, _ two: It) -> [It] {
      signs(one, two) + [one * 2, one / 3]
    }
    same(calculate(one, two), Array(repeating: result, count: 5))
    func compare<It: DurationLike>(_ one: It, _ two: It) -> (Double, Bool) {
      (one / two, one < two)
    }
    #expect(compare(one, two) == (1.5, true))
    same(Length.spy.minus.calls.map { [$0, $1] }, [[one, two]])
    same((Length.spy.times.calls + Length.spy.slash.calls).map(\.1), [2, 3])
    same(Length.spy.slashSelfSelf.calls.map { [$0, $1] }, [[one, two]])
    same(finish(Length.spy), [])
  }

  @Test func `instants are advanced`() {
    typealias Time = InstantsDouble<Swift.Duration>
    let one = Time()
    let two = Time()
    one.spy.advanced.returns(two)
    one.spy.duration.returns(.seconds(3))
    Time.spy.less.returns(true)
    func later<It: Instants>(_ one: It, _ two: It) -> (It, It.Duration, Bool)
    where It.Duration == Swift.Duration {
      (one.advanced(by: .seconds(2)), one.duration(to: two), one < two)
    }
    #expect(later(one, two) == (two, .seconds(3), true))
    same(one.spy.advanced.calls, [.seconds(2)])
    same(one.spy.duration.calls, [two])
  }

  @Test func `a clock measures and sleeps`() async throws {
    let double = ClocksDouble<Swift.Duration, ContinuousClock.Instant>()
    let start = ContinuousClock.now
    double.spy.now.returns(start, then: start + .seconds(3))
    double.spy.minimumResolution.returns(.seconds(1))
    func measure<It: Clocks>(_ it: It) -> [It.Duration] { [it.measure {}, it.minimumResolution] }
    same(measure(double), [.seconds(3), .seconds(1)])
    func sleep<It: Clocks>(_ it: It, _ until: It.Instant) async throws {
      try await it.sleep(until: until, tolerance: nil)
    }
    try await sleep(double, start)
    same(double.spy.sleep.calls.map(\.0), [start])
    double.spy.sleep.throws(CancellationError())
    await #expect(throws: CancellationError.self) { try await sleep(double, start) }
  }
}
