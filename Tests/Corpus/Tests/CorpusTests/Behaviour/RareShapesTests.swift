// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Doubles of rare shapes` {
  @Test func `have parameters and requirements named await`() async throws {
    let double = AwaitParameterDouble()
    double.spy.run.when(true).returns(7)
    double.spy.wait.returns()
    double.spy.await.returns(3)
    let it: any AwaitParameter = double
    same(it.run(await: true), 7)
    try await it.wait(1, async: 2, any: 3, each: 4, copy: 5, consume: 6)
    same(double.spy.wait.calls.map(\.5), [6])
    same(await it.await(), 3)
  }

  @Test func `have parameters named like what the double uses`() {
    func keep<It: UncheckedParameter>(_: It.Type, _ scratch: Scratch) -> Scratch {
      It.keep(scratch)
    }
    let kept = Scratch()
    UncheckedParameterDouble.spy.keep.returns(Unchecked(kept))
    same(keep(UncheckedParameterDouble.self, Scratch()) === kept, true)
  }

  @Test func `throw the associated error, or none if that is Never`() async {
    func load<It: FailingAsAssociated>(_ it: It) throws(It.Failure) -> Int { try it.load(1) }
    let failing = FailingAsAssociatedDouble<CancellationError>()
    failing.spy.load.throws(CancellationError())
    #expect(throws: CancellationError.self) { try load(failing) }
    let never = FailingNeverDouble()
    never.spy.load.returns(4)
    never.spy.run.returns()
    same(load(never), 4)
    await never.run()
    same(never.spy.run.callCount, 1)
  }

  @Test @MainActor func `have the nonisolated initialiser of their class`() {
    let double = PlainPanesDouble()
    let wiped = Scratch()
    double.spy.wipe.returns(wiped)
    same((double as any PlainPanes).wipe(Scratch()) === wiped, true)
  }
}
