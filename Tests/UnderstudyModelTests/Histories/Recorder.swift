// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Understudy

/// A subject with one key that threads compete for.
protocol Contended: Sendable {
  func register(_ lifecycle: Lifecycle, _ block: @escaping @Sendable () throws -> Part)
  func unregister() -> Bool
  func resolve(as lifecycle: Lifecycle) throws(ResolutionError) -> Part
}

extension Resolver: Contended {
  func register(_ lifecycle: Lifecycle, _ block: @escaping @Sendable () throws -> Part) {
    register(Part.self, lifecycle: lifecycle, block)
  }

  func unregister() -> Bool { unregister(Key<Part>()) }

  func resolve(as lifecycle: Lifecycle) throws(ResolutionError) -> Part {
    try resolve(Key<Part>(), lifecycle: lifecycle)
  }
}

/// Lets threads compete for one key, and records what each of them sees.
struct Recorder: Sendable {
  let subject: any Contended
  private let workshop = Workshop()
  private let clock = Clock()

  private final class Clock: Sendable {
    private let now = AtomicInt(0)
    func tick() -> Int { now.add(1).newValue }
  }

  /// The actions of each thread. Every registration has its own id.
  static func script(seed: UInt64) -> [[History.Action]] {
    var generator = SeededGenerator(seed: seed)
    var id = 0
    let threads = 2 + generator.below(3)
    return (0..<threads).map { thread in
      (0..<(2 + generator.below(3))).map { index -> History.Action in
        let lifecycle = Lifecycle.random(&generator)
        if thread + index > 0 {
          if generator.isOne(in: 8) { return .unregister }
          if !generator.isOne(in: 4) { return .resolve(lifecycle) }
        }
        id += 1
        return .register(id: id, lifecycle, fails: generator.isOne(in: 4))
      }
    }
  }

  /// Performs one thread's actions.
  func perform(_ script: [History.Action]) -> [History.Event] {
    script.map { action in
      let began = clock.tick()
      let outcome = outcome(of: action)
      return History.Event(action: action, outcome: outcome, began: began, ended: clock.tick())
    }
  }

  private func outcome(of action: History.Action) -> History.Outcome {
    switch action {
    case .register(let id, let lifecycle, let fails):
      subject.register(lifecycle) { [workshop] in
        // Gives another thread the chance to run in between.
        sched_yield()
        if fails { throw Thrown(registration: id) }
        return workshop.part(of: id, from: [])
      }
      return .done
    case .unregister: return .wasThere(subject.unregister())
    case .resolve(let lifecycle):
      do throws(ResolutionError) {
        let part = try subject.resolve(as: lifecycle)
        return .part(serial: part.serial, registration: part.maker)
      } catch {
        switch error.reason {
        case .missing: return .missing
        case .failed(let thrown as Thrown): return .threw(registration: thrown.registration)
        default: return .other("\(error.reason)")
        }
      }
    }
  }
}

extension Lifecycle {
  fileprivate static func random(_ generator: inout SeededGenerator) -> Lifecycle {
    [.cached, .cached, .once, .notCached][generator.below(4)]
  }
}

private struct Thrown: Error {
  let registration: Int
}

/// A group of threads that perform rounds of work. All threads start each round together.
final class Crew: Sendable {
  private final class Round: Sendable {
    let end = Latch()
    let remaining: AtomicInt
    let work: @Sendable (Int) -> Void

    init(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
      remaining = AtomicInt(count)
      self.work = work
    }
  }

  private struct State {
    /// The number of rounds, and the last one: `nil` once there are no more.
    var count = 0
    var last: Round?
    var waiting: [Latch] = []
  }

  private let state = Lock(State())
  private let count: Int

  init(of count: Int) {
    self.count = count
    for member in 0..<count {
      let thread = Thread { [self] in
        var index = 0
        while let round = round(index) {
          round.work(member)
          if round.remaining.subtract(1).newValue == 0 {
            round.end.open()
          }
          index += 1
        }
      }
      thread.start()
    }
  }

  /// Lets every member do some work, and waits for all of them.
  func perform(_ work: @escaping @Sendable (Int) -> Void) {
    let round = Round(count, work)
    add(round)
    round.end.wait()
  }

  /// Lets the threads end.
  func dismiss() { add(nil) }

  private func add(_ round: Round?) {
    let waiting = state.withLock { state in
      state.last = round
      state.count += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for latch in waiting { latch.open() }
  }

  private func round(_ index: Int) -> Round? {
    while true {
      let latch = Latch()
      let found: Round?? = state.withLock { state in
        if state.count > index { return .some(state.last) }
        state.waiting.append(latch)
        return nil
      }
      if let found { return found }
      latch.wait()
    }
  }
}
