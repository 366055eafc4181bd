// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Corpus
@testable import CorpusNonsending

/// Doubles of protocols whose symbol graph alone says too little.
@Suite(.overrides()) struct `A double of what only the source says` {
  @Test func `passes on a type that conforms to a protocol, and cannot be copied`() throws {
    let double = OpensRawSocketDouble()
    double.spy.open.returns { RawSocket() }
    double.spy.use.returns { _ in 3 }
    let socket = try double.open("a")
    same(double.use(socket), 3)
    socket.close()
    let closed = CloseableDouble()
    closed.spy.close.returns()
    closed.close()
    same(closed.spy.close.callCount, 1)
  }

  @Test func `passes on a type whose head has a comment, or stands below a form feed`() {
    let (seal, made) = (BreaksSealDouble(), ReturnsAfterFormFeedDouble())
    seal.spy.seal.returns { Seal() }
    made.spy.make.returns { AfterFormFeed() }
    _ = seal.seal()
    _ = made.make()
    same([seal.spy.seal.callCount, made.spy.make.callCount], [1, 1])
  }

  @Test func `copies a generic value if its argument can be copied`() {
    let double = CasedValuesDouble()
    double.spy.number.returns(Casing())
    double.spy.socket.returns { Casing() }
    _ = double.number()
    _ = double.socket()
    same([double.spy.number.callCount, double.spy.socket.callCount], [1, 1])
  }

  @Database.Executor @Test func `is on the actor that is nested in a type`() {
    let double = RowsDouble()
    double.spy.count.returns(2)
    same(double.count(), 2)
    double.run { 1 }
    same(double.spy.run.callCount, 1)
  }

  @Test func `tells the prefix from the postfix of one operator`() {
    SteppingDouble.spy.plusPlusPlus.returns(1)
    SteppingDouble.spy.plusPlusPlusSelfReturningInt2.returns(2)
    let value = SteppingDouble()
    same([value+++, +++value], [1, 2])
  }

  @Test func `has an empty body for a call that can never be made`() {
    same(NestedNothingDouble().spy.pair.callCount, 0)
    same(NestedNothingDouble().spy.end.callCount, 0)
  }

  @Test func `passes a closure of an associated type with a bound`() {
    let double = RemovingKeysDouble<Int>()
    double.spy.removeAll.returns { body in _ = body(1) }
    double.spy.each.returns { body in try? body(2) }
    double.spy.bump.does { $0 + 1 }
    var seen: [Int] = []
    double.removeAll { key in
      seen.append(key)
      return true
    }
    double.each { seen.append($0) }
    var key = 3
    double.bump(&key)
    same(seen + [key], [1, 2, 4])
  }

  @available(*, deprecated)
  @Test func `is deprecated if its bound is`() {
    let (double, bound) = (WithOldBoundDouble<OldBoundDouble>(), OldBoundDouble())
    bound.spy.old.returns()
    double.spy.use.returns()
    bound.old()
    double.use(bound)
    same([double.spy.use.callCount, bound.spy.old.callCount], [1, 1])
  }

  @Test func `has the isolation of an asynchronous initialiser`() async throws {
    DraftInitializersDouble.spy.initialize.returns()
    let draft = Draft()
    _ = try await DraftInitializersDouble(draft)
    same(DraftInitializersDouble.spy.initialize.callCount, 1)
    DraftsOnMainDouble.spy.initialize.returns()
    _ = await DraftsOnMainDouble(draft)
    same(DraftsOnMainDouble.spy.initialize.callCount, 1)
  }

  @Test func `runs a nonisolated member of a protocol on the main actor on its caller's actor`()
    async
  {
    let (double, draft) = (DraftsOnMainDouble(), Draft())
    double.spy.send.returns(draft)
    double.spy.last.returns(draft)
    let (sent, last) = (await double.send(draft), await double.last)
    #expect(sent === draft && last === draft)
  }

  @MainActor @Test func `keeps a member on the main actor that stands below a nonisolated one`()
    async
  {
    let (double, draft) = (DraftsOnMainDouble(), Draft())
    double.spy.keep.returns(draft)
    let kept = await double.keep(draft)
    #expect(kept === draft)
  }
}
