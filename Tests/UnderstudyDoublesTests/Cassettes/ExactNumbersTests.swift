// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

private struct Price: Codable, Hashable, Sendable {
  var amount: Decimal
  var rate: Double
}

/// Numbers on a cassette. A number that cannot be stored exactly is reported, and not recorded.
@Suite(.strayViolationsKept) struct ExactNumbersTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  private func spy(
    _ mode: Cassette.Mode? = nil, real: Price? = nil
  ) throws -> Spy<Double, Price, any Error> {
    let spy = Spy<Double, Price, any Error>("price(_:)")
    spy.plays(try folder.cassette(mode)) { _ in try #require(real) }
    return spy
  }

  @Test(arguments: ["19.99", "0.1", "-1", "1234567.000001", "12345678901234567"])
  func `are played as they were recorded`(text: String) throws {
    let amount = try #require(Decimal(string: text))
    for rate in [0.1, 1e300, -0.0, .leastNonzeroMagnitude, .infinity] {
      let price = Price(amount: amount, rate: rate)
      #expect(try spy(.all, real: price)(rate) == price)
      #expect(try spy(Cassette.Mode.none)(rate) == price)
    }
  }

  @Test(arguments: ["1234567890123456789012.5", "0.1234567890123456789012345678901234567"])
  func `with too many digits are an issue, not another number`(text: String) throws {
    let price = Price(amount: try #require(Decimal(string: text)), rate: 1)
    let recording = try spy(real: price)
    #expect(try recording(1) == price)
    let violations = recording.finish()
    #expect(violations.count == 1)
    #expect("\(violations)".contains("Price has a number with more digits than a Double holds"))
    #expect(folder.text?.contains("price") != true)
  }

  @Test func `with too many digits are an issue in a list as well`() throws {
    let prices = try ["0.1", "0.1234567890123456789012345678901234567"].map {
      try #require(Decimal(string: $0))
    }
    for (count, isTold) in [(1, false), (2, true)] {
      let live = Spy<Int, [Decimal], any Error>("prices(_:)")
      live.plays(try folder.cassette()) { _ in Array(prices.prefix(count)) }
      #expect(try live(count) == Array(prices.prefix(count)))
      #expect("\(live.finish())".contains("more digits than a Double holds") == isTold)
    }
  }

  @Test(arguments: [1.2345679e8, 1e10, 3.4028235e38, 0.1] as [Float], [0.5, 1.8e18, 1e19])
  func `are kept in every notation`(level: Float, time: Double) throws {
    struct Reading: Codable, Hashable, Sendable {
      var level: Float
      var time: Double
      var rest = 0.5
    }
    let reading = Reading(level: level, time: time)
    let live = Spy<Int, Reading, any Error>("read(_:)")
    live.plays(try folder.cassette()) { _ in reading }
    #expect(try live(1) == reading)
    #expect(live.finish() == [])
    let played = Spy<Int, Reading, any Error>("read(_:)")
    played.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw CancellationError() }
    #expect(try played(1) == reading)
    #expect(played.finish() == [])
  }
}
