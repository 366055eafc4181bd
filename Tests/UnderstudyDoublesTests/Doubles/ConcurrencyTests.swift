// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import Understudy
@testable import UnderstudyDoubles

@Suite struct ConcurrencyTests {
  @Test func `16 threads on one spy lose no call`() {
    let calls = 2_000
    let spy = Spy<Int, Int, Never>("f(_:)")
    spy.returns(1)
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      for index in 0..<calls { _ = spy(thread * calls + index) }
    }
    #expect(spy.callCount == 16 * calls)
    #expect(Set(spy.calls) == Set(0..<16 * calls))
  }

  @Test func `limited stubs answer exactly their number of calls from 16 threads`() {
    let spy = Spy<Int, Int, Never>("f(_:)")
    spy.returns(0)
    spy.returns(1, times: 1_000)
    spy.when { $0 % 2 == 0 }.returns(2, times: 500)
    spy.expects(16_000)
    let answers = Spy<Int, Void, Never>("answer(_:)")
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      for index in 0..<1_000 { answers(spy(index)) }
    }
    #expect(answers.calls(with: 2).count == 500)
    #expect(answers.calls(with: 1).count == 1_000)
    #expect(answers.callCount == 16_000)
    #expect(spy.finish() == [])
  }

  @Test func `stubbing, calling, reading and resetting may happen concurrently`() {
    let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0, unstubbed: .relaxed)
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      for index in 0..<200 {
        switch thread % 4 {
        case 0: _ = spy(index)
        case 1: spy.when(index).returns(index, times: 1)
        case 2: _ = spy.calls
        default: if index % 50 == 0 { spy.reset() } else { spy.keepsLast(index) }
        }
      }
    }
    spy.reset()
    spy.returns(7)
    #expect(spy(1) == 7)
  }

  @Test func `the order across doubles is the order in which they were called`() {
    let first = Spy<Int, Void, Never>("first(_:)")
    let second = Spy<Int, Void, Never>("second(_:)")
    for index in 0..<100 {
      first(index)
      DispatchQueue.global().sync { second(index) }
    }
    #expect(
      expectOrder {
        first.called(with: 41)
        second.called(with: 41)
        first.called(with: 42)
        second.called(with: 42)
      } == [])
  }

  @Test func `memory stays bounded however often a spy is called`() {
    #if DEBUG
      let calls = 200_000
    #else
      let calls = isSanitized ? 200_000 : 10_000_000
    #endif
    let tracker = Tracker()
    let spy = Spy<Tracked, Void, Never>("f(_:)").keepsLast(100)
    spy.returns()
    for _ in 0..<calls / 10 { spy(Tracked(tracker)) }
    #expect(tracker.alive == 100)
    let plain = Spy<Int, Void, Never>("g(_:)").keepsLast(100)
    plain.returns()
    for index in 0..<calls { plain(index) }
    #expect(plain.callCount == calls)
    #expect(plain.calls == Array(calls - 100..<calls))
  }
}

/// True if the thread sanitizer is linked, under which ten million calls take minutes.
private let isSanitized = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

/// Counts the arguments that are alive.
private final class Tracker: Sendable {
  private let count = SpyProperty<Int>("alive", 0)
  private let lock = KeyValueMemory<Int, Int>([0: 0])
  var alive: Int { lock[0] ?? 0 }
  func add(_ number: Int) { lock.update { $0[0, default: 0] += number } }
}

private final class Tracked: Sendable {
  private let tracker: Tracker
  init(_ tracker: Tracker) {
    self.tracker = tracker
    tracker.add(1)
  }
  deinit { tracker.add(-1) }
}

@Suite struct CallsReachTests {
  @Test func `it is true at once if the calls were already made`() async {
    let pings = Spy<Void, Void, Never>("ping()")
    pings()
    #expect(await pings.calls(reach: 1, within: .zero))
    #expect(await pings.calls(reach: 0, within: .zero))
  }

  @Test func `the call that reaches the number wakes the waiter`() async {
    let pings = Spy<Void, Int, Never>("ping()")
    pings.returns(1)
    let clock = ManualClock()
    async let reached = pings.calls(reach: 2, within: .seconds(1), of: clock)
    await clock.sleepers(reach: 1)
    _ = pings()
    _ = pings()
    #expect(await reached)
  }

  @Test(arguments: [true, false])
  func `it is true only after the call has counted for its expectation or stub`(
    isExpected: Bool
  ) async {
    let matches = Spy<Void, Void, Never>("match()")
    let gate = DispatchSemaphore(value: 0)
    let sends = Spy<Int, Void, Never>("send(_:)")
    let matched = sends.when { _ in
      matches()
      gate.wait()
      return true
    }
    if isExpected { matched.expects(.once) } else { matched.returns() }
    Thread { sends(1) }.start()
    #expect(await matches.calls(reach: 1, within: .seconds(600)))
    #expect(await !sends.calls(reach: 1, within: .zero))
    #expect(await !sends.when(1).calls(reach: 1, within: .zero))
    gate.signal()
    #expect(await sends.when(1).calls(reach: 1, within: .seconds(600)))
    #expect(await sends.calls(reach: 1, within: .seconds(600)))
    #expect(sends.finish() == [])
  }

  @Test func `it is true while a side effect of the call still runs`() async {
    let sends = Spy<Int, Void, Never>("send(_:)")
    let gate = DispatchSemaphore(value: 0)
    sends.onCall { _ in gate.wait() }
    Thread { sends(1) }.start()
    #expect(await sends.calls(reach: 1, within: .seconds(600)))
    gate.signal()
  }

  @Test(arguments: [0, 1, 2, 9], [false, true])
  func `it wakes after any number of earlier calls`(before: Int, isMatched: Bool) async {
    let pings = Spy<Int, Int, Never>("ping(_:)")
    pings.returns(1)
    if isMatched { pings.when(0).returns(0) }
    for number in 0..<before { _ = pings(number) }
    // The next call must wake the waiter, or the test never ends.
    let clock = ManualClock()
    async let reached = pings.calls(reach: before + 1, within: .seconds(1), of: clock)
    await clock.sleepers(reach: 1)
    await Task.detached(priority: .background) { _ = pings(before) }.value
    #expect(await reached)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func `it is true for chosen calls that come after the earlier ones were forgotten`(
    isReset: Bool
  ) async {
    let pings = Spy<Int, Void, Never>("ping(_:)")
    for _ in 1...2 { pings(0) }
    // The last call must wake the waiter, or the test never ends.
    let clock = ManualClock()
    async let reached = pings.when(1).calls(reach: 1, within: .seconds(1), of: clock)
    await clock.sleepers(reach: 1)
    if isReset { pings.reset() } else { pings.forgetCalls() }
    pings(1)
    #expect(await reached)
  }

  @Test(.timeLimit(.minutes(20)))
  func `it counts chosen calls that the history drops during the wait`() async {
    let pings = Spy<Int, Void, Never>("ping(_:)").keepsLast(1)
    pings(7)
    let clock = ManualClock()
    async let reached = pings.when(7).calls(reach: 3, within: .seconds(1), of: clock)
    for number in [7, 0, 7] {
      await clock.sleepers(reach: 1)
      pings(number)
    }
    #expect(await reached)
  }

  @Test func `it counts no forgotten calls`() async {
    let pings = Spy<Int, Void, Never>("ping(_:)")
    pings(1)
    let clock = ManualClock()
    async let reached = pings.calls(reach: 2, within: .seconds(1), of: clock)
    async let chosen = pings.when(1).calls(reach: 2, within: .seconds(1), of: clock)
    await clock.sleepers(reach: 2)
    pings.forgetCalls()
    pings(1)
    clock.advance(by: .seconds(1))
    #expect(await !reached)
    #expect(await !chosen)
  }

  @Test func `it is false after the timeout of the given clock`() async {
    let pings = Spy<Void, Void, Never>("ping()")
    let clock = ManualClock()
    async let reached = pings.calls(reach: 2, within: .seconds(1), of: clock)
    await clock.sleepers(reach: 1)
    pings()
    clock.advance(by: .seconds(1))
    #expect(await !reached)
    #expect(pings.callCount == 1)
  }

  @Test func `it is true if the number was reached while the timeout ended`() async {
    for _ in 1...10 {
      let pings = Spy<Void, Void, Never>("ping()")
      let reached = await pings.controls.recorder.wait(until: 1) { pings() }
      #expect(reached)
    }
  }

  @Test func `it is false when the task is cancelled`() async {
    let pings = Spy<Void, Void, Never>("ping()")
    let clock = ManualClock()
    let task = Task { await pings.calls(reach: 1, within: .seconds(1), of: clock) }
    await clock.sleepers(reach: 1)
    task.cancel()
    #expect(await !task.value)
  }

  /// A task that is already cancelled runs no cancellation handler that could wake it.
  @Test func `it is false if the task is already cancelled`() async {
    let pings = Spy<Void, Void, Never>("ping()")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await pings.controls.recorder.wait(until: 1) {
        for _ in 0..<10_000 { await Task.yield() }
      }
    }
    #expect(await !task.value)
  }

  @Test func `many waiters for different numbers are all woken`() async {
    let pings = Spy<Void, Int, Never>("ping()")
    pings.returns(1)
    await withTaskGroup(of: Bool.self) { group in
      for target in 1...20 {
        group.addTask { await pings.calls(reach: target, within: .seconds(600)) }
      }
      for _ in 0..<20 { group.addTask { pings() == 1 } }
      for await isFine in group { #expect(isFine) }
    }
    #expect(pings.callCount == 20)
  }
}
