// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

@Suite struct ManualClockTests {
  @Test func `concurrent advances of a clock all count`() async {
    let clock = ManualClock()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<10_000 { clock.advance(by: .nanoseconds(1)) } }
      }
    }
    #expect(clock.now.offset == .microseconds(40))
  }

  @Test func `it knows the time between two instants`() {
    let clock = ManualClock()
    clock.advance(by: .seconds(3))
    let later = clock.now.advanced(by: .seconds(2))
    #expect(clock.now.duration(to: later) == .seconds(2))
    #expect(later.duration(to: clock.now) == .seconds(-2))
  }

  @Test func `no duration between two instants is longer than the longest`() {
    let farthest = Duration.seconds(Int64.max)
    let late = ManualClock.Instant(offset: farthest * 18)
    let early = ManualClock.Instant(offset: .zero - farthest * 18)
    #expect(early.duration(to: late) == farthest)
    #expect(late.duration(to: early) == .zero - farthest)
    let clock = ManualClock()
    clock.advance(to: late)
    let reported = violations { _ in clock.advance(to: early) }
    #expect(reported.count == 1)
    #expect(clock.now == late)
  }

  @Test func `it is moved to a time, and wakes the sleepers on the way`() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(reach: 1)
    clock.advance(to: ManualClock.Instant(offset: .seconds(2)))
    try await task.value
    #expect(clock.now.offset == .seconds(2))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `it stands still until it is moved, and never runs backwards`() {
    let clock = ManualClock()
    #expect(clock.now.offset == .zero)
    clock.advance(by: .seconds(5))
    #expect(clock.now.offset == .seconds(5))
    let reported = violations { _ in
      clock.advance(by: .seconds(-1))
      clock.advance(to: ManualClock.Instant(offset: .seconds(2)))
    }
    #expect(clock.now.offset == .seconds(5))
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.hasPrefix("A manual clock cannot be moved back.") })
  }

  @Test func `a sleeper wakes at its deadline and not before`() async throws {
    let clock = ManualClock()
    let woken = Spy<Int, Void, Never>("woken(_:)")
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        woken(seconds)
      }
    }
    await clock.sleepers(reach: 3)
    #expect(clock.nextDeadline == ManualClock.Instant(offset: .seconds(1)))
    clock.advance(by: .milliseconds(1_999))
    _ = try await tasks[1].value
    #expect(woken.calls == [1])
    #expect(clock.sleeperCount == 2)
    clock.advance(by: .seconds(10))
    for task in tasks { try await task.value }
    #expect(Set(woken.calls) == [1, 2, 3])
    #expect(clock.now.offset == .milliseconds(11_999))
  }

  @Test func `sleeping until a past time returns at once`() async throws {
    let clock = ManualClock(now: .init(offset: .seconds(9)))
    try await clock.sleep(until: .init(offset: .seconds(9)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a cancelled sleeper throws, before and while it sleeps`() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(reach: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `many sleepers on many threads all wake`() async throws {
    let clock = ManualClock()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask { try await clock.sleep(for: .milliseconds(index % 10 + 1)) }
      }
      await clock.sleepers(reach: 200)
      for _ in 0..<10 { clock.advance(by: .milliseconds(1)) }
      try await group.waitForAll()
    }
    #expect(clock.sleeperCount == 0)
  }
}

@Suite struct GateTests {
  @Test func `it lets waiting and new tasks pass until it is closed`() async throws {
    let gate = Gate()
    let task = Task { try await gate.wait() }
    await gate.waiters(reach: 1)
    gate.open()
    try await task.value
    try await gate.wait()
    gate.close()
    let late = Task { try await gate.wait() }
    await gate.waiters(reach: 1)
    #expect(gate.waiterCount == 1)
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(gate.waiterCount == 0)
  }

  @Test func `a task that waited for others before they came is told that they are there`() async {
    let waiting = Lock((Waiting<Int>(), isHere: false))
    let first = Task {
      await waiting.wait { state, id, wake in
        state.0.add(id, at: 1, wake)
        return .waits()
      } remove: {
        $0.0.take($1)
      }
    }
    while waiting.withLock({ $0.0.waiters.isEmpty }) { await Task.yield() }
    let second = Task {
      await waiting.wait { state, id, wake in
        let others = state.0.take { $0 == 1 }
        state.0.add(id, at: 2, wake)
        state.isHere = true
        return .waits(waking: others)
      } remove: {
        $0.0.take($1)
      }
    }
    #expect(await first.value)
    second.cancel()
    #expect(await second.value == false)
  }
}

@Suite struct ManualDateTests {
  @Test func `it is the date that the test sets, and it can be moved`() {
    let date = ManualDate(Date(timeIntervalSince1970: 86_400))
    let copy = date
    copy.advance(by: .seconds(1.5))
    #expect(date.date == Date(timeIntervalSince1970: 86_401.5))
    date.date = Date(timeIntervalSince1970: -10)
    #expect(date.sinceEpoch == .seconds(-10))
    #expect(ManualDate().date == Date(timeIntervalSince1970: 0))
  }

  @Test func `it is exactly the date that the test has set`() {
    var random = SeededGenerator(seed: 7)
    let moments = (0..<1_000).map { _ in Double.random(in: -1e9...2e9, using: &random) }
    let dates = moments.map(Date.init(timeIntervalSinceReferenceDate:))
    for date in dates + [.distantPast, .distantFuture, Date()] {
      #expect(ManualDate(date).date == date)
      let travelling = ManualDate()
      travelling.date = date
      #expect(travelling.date == date)
    }
  }

  @Test func `it moves with the clock that it follows`() async {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    let date = ManualDate(following: clock, since1970: 60)
    #expect(date.date == Date(timeIntervalSince1970: 60))
    clock.advance(by: .seconds(1))
    #expect(date.sinceEpoch == .seconds(61))
    date.advance(by: .seconds(-10))
    #expect(date.sinceEpoch == .seconds(51))
    date.date = Date(timeIntervalSince1970: 0.5)
    await clock.run(for: .seconds(2), sleepers: 0)
    #expect(date.date == Date(timeIntervalSince1970: 2.5))
    #expect(clock.now.offset == .seconds(8))
    #expect(ManualDate(following: clock).sinceEpoch == .zero)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
  func `it continues with a date that is out of range`(seconds: Double) {
    let date = ManualDate(Date(timeIntervalSinceReferenceDate: seconds))
    #expect(abs(date.date.timeIntervalSince1970) > 1e18)
    date.advance(by: .seconds(Int64.max))
    date.advance(by: .seconds(Int64.max))
    #expect(date.date.timeIntervalSince1970 > 1e18)
    let following = ManualDate(following: ManualClock(), since1970: seconds)
    #expect(abs(following.date.timeIntervalSince1970) > 1e18)
  }
}

@Suite struct `A sleep for ever` {
  @Test func `may be slept again and again`() async throws {
    let immediate = ImmediateClock()
    let manual = ManualClock()
    for _ in 0..<40 {
      try await immediate.sleep(for: .seconds(Int64.max))
      manual.advance(by: .seconds(Int64.max))
    }
    #expect(immediate.now.offset == .seconds(Int64.max))
    #expect(manual.now == immediate.now)
  }
}

@Suite struct UUIDSourceTests {
  @Test func `it counts`() {
    let source = UUIDSource.counting()
    #expect(source.nextText() == "00000000-0000-0000-0000-000000000001")
    #expect(source.uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000002"))
    #expect(source.nextText() == "00000000-0000-0000-0000-000000000003")
  }

  @Test func `it counts on from the greatest number of 64 bits`() {
    let source = UUIDSource.counting(from: .max)
    #expect(source.nextText() == "00000000-0000-0000-FFFF-FFFFFFFFFFFF")
    #expect(source.nextText() == "00000000-0000-0001-0000-000000000000")
    #expect(UUIDBits(high: .max, low: .max).next == UUIDBits(high: 0, low: 0))
  }

  @Test func `it repeats or scripts UUIDs of Foundation`() throws {
    let first = try #require(UUID(uuidString: "FEDCBA98-7654-3210-0123-456789ABCDEF"))
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    let constant = UUIDSource.constant(first)
    #expect([constant.uuid(), constant.uuid()] == [first, first])
    let reported = violations { _ in
      let script = UUIDSource.scripted(first, zero)
      #expect((0..<3).map { _ in script.uuid() } == [first, zero, first])
    }
    #expect(reported.count == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `it gives a number, too`() throws {
    let uuid = try #require(UUID(uuidString: "FEDCBA98-7654-3210-0123-456789ABCDEF"))
    #expect(UUIDSource.constant(uuid).next() == 0xFEDC_BA98_7654_3210_0123_4567_89AB_CDEF)
  }

  @Test func `the same seed gives the same UUIDs of version 4`() {
    let texts = (0..<50).map { _ in UUIDSource.seeded(7).nextText() }
    #expect(Set(texts).count == 1)
    let source = UUIDSource.seeded(7)
    #expect(Set((0..<100).map { _ in source.nextText() }).count == 100)
    // The version is after the first 48 bits.
    var generator = SeededGenerator(seed: 7)
    #expect(UUIDSource.seeded(7).nextBits().high >> 16 == generator.next() >> 16)
    #expect(
      UUIDSource.seeded(7).nextBits().low & ~(0b11 << 62) == generator.next() & ~(0b11 << 62))
    for _ in 0..<50 {
      let text = Array(source.nextText())
      #expect(text[14] == "4")
      #expect("89AB".contains(text[19]))
    }
  }

  @Test func `a script starts again at its end, which is a violation`() {
    let reported = violations { _ in
      let source = UUIDSource.scripted(5, 6)
      #expect((0..<5).map { _ in source.nextBits().low } == [5, 6, 5, 6, 5])
    }
    #expect(reported.count == 1)
    #expect(reported.first?.hasPrefix("A script of UUIDs ran out.") == true)
    #expect(
      reported.first?.hasSuffix(
        "Use '.constant(…)', '.counting()' or '.seeded(…)', which never run out.") == true)
  }

  @Test func `a constant never ends`() {
    let reported = violations { _ in
      let source = UUIDSource.constant(5)
      #expect((0..<3).map { _ in source.nextBits().low } == [5, 5, 5])
    }
    #expect(reported == [])
  }
}

@Suite struct RandomSourceTests {
  // The first numbers of SplitMix64 for seed 1234567, from its reference implementation.
  @Test func `a seed gives the numbers of SplitMix64`() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test func `copies share one sequence, and every number is given once`() async {
    let source = RandomSource.seeded(1)
    let numbers = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<16 { group.addTask { (0..<100).map { _ in source.next() } } }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    var expected = SeededGenerator(seed: 1)
    #expect(numbers == Set((0..<1_600).map { _ in expected.next() }))
  }

  @Test func `a script starts again at its end, which is a violation`() {
    let reported = violations { _ in
      var source = RandomSource.scripted(0, .max)
      #expect((0..<3).map { _ in source.next() } == [0, .max, 0])
      #expect((0..<2).map { _ in Int.random(in: 0...9, using: &source) }.count == 2)
      // The range rejects 0 and asks for another number.
      #expect((0..<2).map { _ in Int.random(in: 1...6, using: &source) } == [6, 6])
    }
    #expect(reported.count == 1)
    #expect(reported.first?.hasPrefix("A script of random numbers ran out.") == true)
    #expect(
      reported.first?.hasSuffix("Use '.constant(…)' or '.seeded(…)', which never run out.") == true)
  }

  @Test func `a constant never ends`() {
    let reported = violations { _ in
      var source = RandomSource.constant(.max)
      #expect((0..<3).map { _ in Int.random(in: 1...6, using: &source) } == [6, 6, 6])
    }
    #expect(reported == [])
  }

  /// A range rejects 0, and asks for another number.
  @Test(arguments: [RandomSource.constant, { RandomSource.scripted($0) }] as [Source])
  fileprivate func `a number that is always rejected is a violation, and the caller continues`(
    make: Source
  ) {
    let reported = violations { _ in
      var source = make(0)
      #expect((1...6).contains(Int.random(in: 1...6, using: &source)))
      // The numbers after the rejected one are not reported again.
      for _ in 1...3 { _ = source.next() }
    }
    #expect(reported.filter { $0.contains("random numbers were repeated") }.count == 1)
    let refused =
      "A million random numbers were repeated, the last of them 0: the caller may reject them."
    #expect(reported.filter { $0.hasPrefix(refused) }.count == 1)
  }
}

private typealias Source = @Sendable (UInt64) -> RandomSource

@Suite struct MemoryStoreTests {
  @Test func `it stores, replaces and removes`() {
    let store = KeyValueMemory<String, Int>(["a": 1])
    let copy = store
    copy["b"] = 2
    #expect(store.values == ["a": 1, "b": 2])
    #expect(store.store(3, for: "a") == 1)
    #expect(store.remove("a") == 3)
    #expect(store.remove("a") == nil)
    store["b"] = nil
    #expect(store.count == 0)
    store["c"] = 1
    store.removeAll()
    #expect(store.values == [:])
  }

  @Test func `an update that throws stores nothing`() {
    let store = KeyValueMemory<String, Int>(["a": 1])
    #expect(throws: Bounced.self) {
      try store.update { values in
        values["a"] = 2
        throw Bounced()
      }
    }
    #expect(store["a"] == 1)
  }

  @Test func `an update that another one overtook runs again`() {
    let store = KeyValueMemory<String, Int>()
    let runs = Spy<Void, Void, Never>("run()")
    store.update { values in
      runs()
      if runs.callCount == 1 { store["overtaking"] = 1 }
      values["overtaken"] = 2
    }
    #expect(store.values == ["overtaking": 1, "overtaken": 2])
    #expect(runs.callCount == 2)
  }

  @Test
  func `an update that changes the store itself ends with an explanation, not in an endless loop`()
    async
  {
    await #expect(processExitsWith: .failure) {
      let store = KeyValueMemory<Int, Int>()
      store.update { values in
        store[1] = 1
        values[2] = 2
      }
    }
  }

  @Test func `updates from many tasks are all stored`() async {
    let store = KeyValueMemory<Int, Int>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { for key in 0..<50 { store.update { $0[key % 5, default: 0] += 1 } } }
      }
    }
    #expect(store.values == Dictionary(uniqueKeysWithValues: (0..<5).map { ($0, 160) }))
  }
}

@Suite struct ScriptedSequenceTests {
  @Test func `every iterator gets every element, and waits for more`() async throws {
    let sequence = ScriptedSequence<Int, Never>(1, 2)
    async let first = sequence.reduce(into: []) { $0.append($1) }
    async let second = sequence.reduce(into: []) { $0.append($1) }
    await sequence.consumers(reach: 2)
    sequence.yield(3)
    sequence.finish()
    sequence.yield(4)
    #expect(await first == [1, 2, 3])
    #expect(await second == [1, 2, 3])
    #expect(await sequence.reduce(0, +) == 6)
  }

  @Test func `it ends with an error after the last element`() async {
    let sequence = ScriptedSequence<Int, RepoError>(1)
    sequence.finish(throwing: .busy)
    sequence.finish()
    var iterator = sequence.makeAsyncIterator()
    await #expect(throws: Never.self) { try await iterator.next() }
    await #expect(throws: RepoError.busy) { try await iterator.next() }
    // After an error the iterator has ended.
    await #expect(throws: Never.self) { try await iterator.next() }
  }

  @Test func `a waiting consumer gets the error`() async {
    let sequence = ScriptedSequence<Int, RepoError>()
    let task = Task {
      var iterator = sequence.makeAsyncIterator()
      return try await iterator.next()
    }
    await sequence.consumers(reach: 1)
    sequence.finish(throwing: .busy)
    await #expect(throws: RepoError.busy) { try await task.value }
  }

  @Test func `a cancelled consumer gets nil`() async {
    let sequence = ScriptedSequence<Int, Never>()
    let task = Task {
      var iterator = sequence.makeAsyncIterator()
      return await iterator.next()
    }
    await sequence.consumers(reach: 1)
    task.cancel()
    #expect(await task.value == nil)
  }
}
