// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus
@testable import CorpusNonsending

@Suite struct `Effects and isolation` {
  @Test func `an escaping closure of a rethrowing function is recorded`() throws {
    let alone = EscapingRethrowsAloneDouble()
    alone.spy.run.does { body in (try? body()) ?? 0 }
    same(alone.run { 3 }, 3)
    same(try alone.run { throw Plain() }, 0)
    let generic = EscapingRethrowsGenericDouble()
    generic.spy.run.returns("a")
    same(generic.run { "b" }, "a")
    same(generic.spy.run.callCount, 1)
  }

  @Test func `a generic error is the error of a stub`() async throws {
    let double = GenericErrorsDouble()
    double.spy.run.throws(LoadError.busy)
    await #expect(throws: LoadError.busy) { try await double.run(LoadError.self) }
    double.spy.load.returns(3)
    same(try await double.load(LoadError.self), 3)
    same(await double.load(Never.self), 3)
    GenericErrorsDouble.spy.run.throws(LoadError.busy)
    #expect(throws: LoadError.busy) { try GenericErrorsDouble.run(LoadError.self) }
    GenericErrorsDouble.spy.load.returns(4)
    same(try await GenericErrorsDouble.load(LoadError.self), 4)
  }

  @MainActor @Test func `overloads may differ in the effects of a closure`() throws {
    let throwing = ThrowingOverloadsDouble()
    throwing.run { 1 }
    throwing.run { () throws -> Int in throw Plain() }
    same(throwing.spy.run.callCount, 1)
    same(throwing.spy.runVoidThrowsToInt.callCount, 1)
    let isolated = ActorOverloadsDouble()
    isolated.run { () -> Void in }
    isolated.run { @MainActor () -> Void in MainActor.assertIsolated() }
    same(isolated.spy.run.callCount, 1)
    same(isolated.spy.runMainActorVoidToVoid.callCount, 1)
  }

  @Test func `a protocol may be in an extension, or only encode`() throws {
    let wide = InnerWideDouble()
    wide.spy.wide.returns(3)
    same(wide.wide(), 3)
    let encodes = EncodesAloneDouble()
    #expect(try JSONEncoder().encode([encodes]).count > 0)
  }

  @Test(.relaxed) func `numbers of the platform have placeholders`() {
    let double = PlatformNumbersDouble()
    same(double.interval(), 0)
    same(double.decimal(), 0)
    same(double.width(), 0)
    same(double.progress().0, 0)
    same(double.code(), 0)
    double.spy.index.returns(2)
    same(double.index(), 2)
  }
}

@Suite struct `Doubles of a module with NonisolatedNonsendingByDefault` {
  @MainActor @Test func `run on the caller's actor`() async throws {
    let double = DefaultGettersDouble()
    let draft = Draft()
    double.spy.count.returns(1)
    same(await double.count, 1)
    double.spy.draft.returns(draft)
    #expect(try await double.draft === draft)
    double.spy.`subscript`.returns(draft)
    #expect(await double["a"] === draft)
    DefaultGettersDouble.spy.now.returns(2)
    same(await DefaultGettersDouble.now, 2)
    let shared = DefaultSharedDouble()
    shared.spy.load.does { _ in
      MainActor.assertIsolated()
      return 3
    }
    same(await shared.load(draft), 3)
    shared.spy.far.returns(4)
    same(await shared.far("a"), 4)
    shared.spy.run.returns { body in await body() }
    same(await shared.run { 5 }, 5)
    shared.later { 6 }
    same(shared.spy.later.callCount, 1)
  }

  @MainActor @Test func `have members on actors`() async {
    let main = DefaultOnMainDouble()
    main.spy.count.returns(1)
    same(await main.count, 1)
    main.spy.`subscript`.returns(2)
    same(await main["a"], 2)
    let double = DefaultActorDouble()
    double.spy.count.returns(3)
    same(await double.count, 3)
    double.spy.free.returns(4)
    same(await double.free(Draft()), 4)
  }
}
