// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

/// Each number of arguments has a method of its own, up to six, and a parameter pack beyond.
@Suite(.strayViolationsKept) struct `A double of a function with many arguments` {
  @Test func `is called with each number of them`() async {
    let two = AsyncSpy<(Int, Int), Int, Never>("two(_:_:)", placeholder: 0)
    let three = AsyncSpy<(Int, Int, Int), Int, Never>("three(_:_:_:)", placeholder: 0)
    let four = AsyncSpy<(Int, Int, Int, Int), Int, Never>("four(_:_:_:_:)", placeholder: 0)
    let five = AsyncSpy<(Int, Int, Int, Int, Int), Int, Never>("five(_:_:_:_:_:)", placeholder: 0)
    let six = AsyncSpy<(Int, Int, Int, Int, Int, Int), Int, Never>(
      "six(_:_:_:_:_:_:)", placeholder: 0)
    let seven = AsyncSpy<(Int, Int, Int, Int, Int, Int, Int), Int, Never>(
      "seven(_:_:_:_:_:_:_:)", placeholder: 0)
    two.does { $0 * 10 + $1 }
    three.does { $0 * 100 + $1 * 10 + $2 }
    four.does { a, b, c, d in a * 1_000 + b * 100 + c * 10 + d }
    five.does { a, b, c, d, e in [a, b, c, d, e].reduce(0) { $0 * 10 + $1 } }
    six.does { a, b, c, d, e, f in [a, b, c, d, e, f].reduce(0) { $0 * 10 + $1 } }
    seven.does { [$0, $1, $2, $3, $4, $5, $6].reduce(0) { $0 * 10 + $1 } }
    #expect(await two(1, 2) == 12)
    #expect(await three(1, 2, 3) == 123)
    #expect(await four(1, 2, 3, 4) == 1_234)
    #expect(await five(1, 2, 3, 4, 5) == 12_345)
    #expect(await six(1, 2, 3, 4, 5, 6) == 123_456)
    #expect(await seven(1, 2, 3, 4, 5, 6, 7) == 1_234_567)
    #expect(seven.calls.last?.6 == 7)
  }

  @Test func `finds its calls, and orders them, with each number of matchers`() throws {
    let three = Spy<(Int, Int, Int), Void, Never>("three(_:_:_:)")
    let four = Spy<(Int, Int, Int, Int), Void, Never>("four(_:_:_:_:)")
    let five = Spy<(Int, Int, Int, Int, Int), Void, Never>("five(_:_:_:_:_:)")
    let six = Spy<(Int, Int, Int, Int, Int, Int), Void, Never>("six(_:_:_:_:_:_:)")
    let seven = Spy<(Int, Int, Int, Int, Int, Int, Int), Void, Never>("seven(_:_:_:_:_:_:_:)")
    for last in 1...2 {
      three(1, 2, last)
      four(1, 2, 3, last)
      five(1, 2, 3, 4, last)
      six(1, 2, 3, 4, 5, last)
      seven(1, 2, 3, 4, 5, 6, last)
    }
    #expect(three.calls(with: 1, .any, 2).count == 1)
    #expect(four.calls(with: 1, 2, .any, 2).count == 1)
    #expect(five.calls(with: 1, 2, 3, .any, 2).count == 1)
    #expect(six.calls(with: 1, 2, 3, 4, .any, 2).count == 1)
    #expect(seven.calls(with: .any, .any, .any, .any, .any, .any, .equal(2)).count == 1)
    #expect(seven.calls(with: 1, 2, 3, 4, 5, 6, 3).isEmpty)
    try verifyOrder {
      three.called(with: 1, .any, 1)
      four.called(with: 1, 2, .any, 1)
      five.called(with: 1, 2, 3, .any, 1)
      six.called(with: 1, 2, 3, 4, .any, 1)
      seven.called(with: .any, .any, .any, .any, .any, .any, .equal(1))
      seven.called(with: 1, 2, 3, 4, 5, 6, 2)
    }
    let error = #expect(throws: VerificationError.self) {
      try verifyOrder {
        seven.called(with: .any, .any, .any, .any, .any, .any, .equal(2))
        six.called(with: 1, 2, 3, 4, .any, 2)
      }
    }
    #expect(
      error?.description.contains("six(1, 2, 3, 4, any, 2)") == true, "\(String(describing: error))"
    )
  }

  @Test(arguments: [true, false])
  func `may have steps of an order that depend on a condition`(isFirst: Bool) throws {
    let spy = Spy<Int, Void, Never>("f(_:)")
    spy(isFirst ? 1 : 2)
    spy(3)
    try verifyOrder {
      if isFirst { spy.called(with: 1) } else { spy.called(with: 2) }
      spy.called(with: 3)
    }
    #expect(throws: VerificationError.self) {
      try verifyOrder {
        if isFirst { spy.called(with: 2) } else { spy.called(with: 1) }
      }
    }
  }

  @Test func `plays and records a cassette, with several arguments and without a value`()
    async throws
  {
    let folder = try Folder()
    let saved = Lock<[String]>([])
    for round in 1...2 {
      let cassette = try folder.cassette(.once)
      let logs = Spy<String, Void, Never>("log(_:)")
      let saves = AsyncSpy<String, Void, Never>("save(_:)")
      let moves = AsyncSpy<(String, Int), Void, Never>("move(_:to:)")
      let sums = AsyncSpy<(Int, Int), Int, Never>("sum(_:_:)", placeholder: -1)
      let starts = Spy<(String, Int), Void, Never>("start(_:at:)")
      logs.plays(cassette) { text in saved.withLock { $0.append("log \(text)") } }
      saves.plays(cassette) { text in saved.withLock { $0.append("save \(text)") } }
      moves.plays(cassette) { text, place in saved.withLock { $0.append("move \(text) \(place)") } }
      sums.plays(cassette) { $0 + $1 }
      starts.plays(cassette) { text, place in
        saved.withLock { $0.append("start \(text) \(place)") }
      }
      logs("a")
      await saves("b")
      await moves("c", 4)
      #expect(await sums(2, 3) == 5, "round \(round)")
      starts("d", 5)
    }
    // The second round played.
    #expect(saved.withLock { $0 } == ["log a", "save b", "move c 4", "start d 5"])
  }

  @Test func `a redaction may be a function of each value`() throws {
    let folder = try Folder()
    let upper = Redaction { json in
      if case .string(let text) = json { .string(text.uppercased()) } else { json }
    }
    let cassette = try folder.cassette(.once, redact: [upper])
    let names = Spy<Int, String, Never>("name(_:)", placeholder: "")
    names.plays(cassette) { "hall \($0)" }
    _ = names(7)
    #expect(folder.text?.contains("HALL 7") == true)
    #expect(folder.text?.contains("hall 7") == false)
  }
}

/// Matchers that a literal makes, or that only look whether there is a value.
@Suite struct `A matcher` {
  @Test func `is made of each kind of literal`() {
    let numbers = Spy<Double, Void, Never>("f(_:)")
    for number in [0.5, 1.5] { numbers(number) }
    #expect(numbers.calls(with: 1.5) == [1.5])
    let scalars = Spy<Unicode.Scalar, Void, Never>("g(_:)")
    for scalar in ["a", "b"] as [Unicode.Scalar] { scalars(scalar) }
    #expect(scalars.calls(with: "b") == ["b"])
    let characters = Spy<Character, Void, Never>("h(_:)")
    for character in ["a", "é"] as [Character] { characters(character) }
    #expect(characters.calls(with: "é") == ["é"])
  }

  @Test func `some matches every value that is there`() {
    let names = Spy<String?, Void, Never>("f(_:)")
    for name in [nil, "a", nil, ""] { names(name) }
    #expect(names.calls(with: .some()) == ["a", ""])
    #expect(names.calls(with: nil) == [nil, nil])
  }
}
