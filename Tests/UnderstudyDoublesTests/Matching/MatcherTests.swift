// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@Suite struct MatcherTests {
  private final class Page {}

  @Test func `matchers for one argument`() {
    let numbers = Spy<Int, Void, Never>("f(_:)")
    for number in -2...5 { numbers(number) }
    #expect(numbers.calls(with: .not(3)) == [-2, -1, 0, 1, 2, 4, 5])
    #expect(numbers.calls(with: .in(1...3)) == [1, 2, 3])
    #expect(numbers.calls(with: .in(..<0)) == [-2, -1])
    #expect(numbers.calls(with: .oneOf(0, 5, 9)) == [0, 5])
    #expect(numbers.calls(with: .in(1...).and(.not(2))) == [1, 3, 4, 5])
    #expect(numbers.calls(with: .in(..<(-1)).or(5)) == [-2, 5])

    let texts = Spy<String, Void, Never>("g(_:)")
    for text in ["a", "ab", "b", ""] { texts(text) }
    #expect(texts.calls(with: .prefix("a")) == ["a", "ab"])
    #expect(texts.calls(with: .prefix("a").and(.not("ab"))) == ["a"])
    #expect(texts.calls(with: .prefix("")).count == 4)
  }

  @Test func `a miss is reported in the words of the matcher`() {
    let found = violations { _ in
      let spy = Spy<(Int, String), Int, Never>("f(_:by:)", placeholder: 0)
      spy.when(.in(1...3).or(7), .prefix("a").and(.not("ab"))).returns(1)
      _ = spy(4, "a")
      _ = spy(7, "ab")
      _ = spy(2, "abc")
    }
    #expect(found.count == 2)
    #expect(found.first?.contains("argument 1 is 4, not in") == true)
    #expect(found.last?.contains("argument 2 is \"ab\", not prefix \"a\" and not \"ab\"") == true)
  }

  /// The class is not `Sendable`.
  @Test func `an object is matched by identity`() {
    let (first, second) = (Page(), Page())
    let plain = Spy<Page, Void, Never>("open(_:)")
    let optional = Spy<Page?, Void, Never>("open(_:)")
    let unchecked = Spy<Unchecked<Page>, Void, Never>("open(_:)")
    let existential = Spy<any AnyObject, Void, Never>("open(_:)")
    for page in [first, second, first] {
      plain(page)
      optional(page)
      unchecked(Unchecked(page))
      existential(page)
    }
    optional(nil)
    #expect(plain.calls(with: .identical(to: first)).count == 2)
    #expect(optional.calls(with: .identical(to: first)).count == 2)
    #expect(unchecked.calls(with: .identical(to: second)).count == 1)
    #expect(existential.calls(with: .identical(to: second)).count == 1)
    #expect(Spy<Int, Void, Never>("f(_:)").calls(with: .identical(to: first)).isEmpty)
  }

  @Test func `more than six arguments are called, matched and expected`() throws {
    let spy = Spy<(Int, Bool, String?, Int, Int, Int, String), Int, Never>("f(_:_:_:_:_:_:_:)")
    spy.returns(0)
    spy.when(.equal(1), .any, .any, .any, .any, .any, .prefix("x")).returns(1)
    spy.when(2, true, nil, 3, 4, 5, "y").returns(2)
    #expect(spy(1, false, "a", 1, 1, 1, "xy") == 1)
    #expect(spy(1, false, "a", 1, 1, 1, "y") == 0)
    #expect(spy(2, true, nil, 3, 4, 5, "y") == 2)
    #expect(spy.calls(with: 1, false, "a", 1, 1, 1, "y").count == 1)
    #expect(verifies { spy.called(with: 2, true, nil, 3, 4, 5, "y") })
  }

  private func verifies(_ step: () -> OrderStep) -> Bool {
    (try? verifyOrder { step() }) != nil
  }
}
