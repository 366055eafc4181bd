// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

private struct Refused: Error {}

@Suite struct `A placeholder of a call` {
  @Test func `is the result without a stub`() async throws {
    let spy = Spy<(Int, String), (Bool, Int), Never>("bump(_:_:)", unstubbed: .relaxed)
    #expect(spy((5, "a"), placeholder: (false, 5)) == (false, 5))
    #expect(spy((6, "b"), placeholder: (false, 6)) == (false, 6))
    #expect(spy.calls.map(\.0) == [5, 6])
    let async = AsyncSpy<Int, Int, any Error>("wait(_:)", unstubbed: .relaxed)
    #expect(try await async(5, placeholder: 7) == 7)
    let generic = GenericSpy<Int>("reset(_:)", unstubbed: .relaxed)
    #expect(generic.value(5, as: [Refused].self, placeholder: [Refused()]).count == 1)
    #expect(try generic(5, as: (Int, Int).self, placeholder: (1, 2)) == (1, 2))
    #expect(try generic(5, throwing: Refused.self, placeholder: "a") == "a")
  }

  @Test func `does not make the call allowed`() {
    let spy = Spy<Int, Int, Never>("bump(_:)")
    var value = 0
    withKnownIssue { value = spy(5, placeholder: 7) }
    #expect(value == 7)
  }

  @Test func `gives way to a stub`() async throws {
    let spy = Spy<Int, Int, Refused>("bump(_:)")
    spy.when(5).returns(1)
    spy.when(6).throws(Refused())
    #expect(try spy(5, placeholder: 2) == 1)
    #expect(throws: Refused.self) { try spy(6, placeholder: 2) }
    let async = AsyncSpy<Int, Int, Never>("wait(_:)")
    async.returns(1)
    #expect(await async(5, placeholder: 2) == 1)
    let generic = GenericSpy<Int>("reset(_:)")
    generic.returns("b")
    #expect(generic.value(5, placeholder: "a") == "b")
  }

  @Test func `wins over the placeholder of the spy`() {
    let spy = Spy<Int, Int, Never>("bump(_:)", placeholder: 1, unstubbed: .relaxed)
    #expect(spy(5, placeholder: 2) == 2)
    #expect(spy(5) == 1)
    #expect(spy.finish().isEmpty)
  }
}
