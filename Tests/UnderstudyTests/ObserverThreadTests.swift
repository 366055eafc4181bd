// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

private final class Engine: Sendable {}

private final class Car: Sendable {
  let engine: Engine

  init(engine: Engine) {
    self.engine = engine
  }
}

@Suite struct `An observer, on many threads` {
  @Test(arguments: [2, 4, 8])
  func `receives exactly the events of many threads`(count: Int) throws {
    for _ in 0..<20 {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) { Engine() }
      resolver.register(autowiring: Car.init(engine:))
      let events = ReceivedEvents(of: resolver)
      _ = try Threads.run(count) { _ in
        for _ in 0..<10 { _ = try resolver.resolve(Car.self) }
      }
      let kinds = Dictionary(grouping: events.all) { "\($0.kind) \($0.key)" }.mapValues(\.count)
      #expect(
        kinds == [
          "creating 'Car'": 10 * count, "created 'Car'": 10 * count, "resolved 'Car'": 10 * count,
          "creating 'Engine'": 1, "created 'Engine'": 1, "resolved 'Engine'": 10 * count,
        ])
    }
  }

  /// This includes a value that is discarded because another request has claimed the registration.
  @Test(arguments: [2, 4, 8])
  func `receives the end of each creation`(count: Int) throws {
    for _ in 0..<20 {
      let resolver = Resolver()
      let calls = Tally()
      resolver.register(lifecycle: .cached) { () throws -> Engine in
        if calls.next() % 3 == 0 { throw Mishap() }
        return Engine()
      }
      let events = ReceivedEvents(of: resolver)
      _ = try Threads.run(count) { _ in try resolver.resolve(Engine.self, lifecycle: .once) }
      let all = events.all.filter { $0.kind == .creating }
      #expect(all.count == calls.count)
      for event in all {
        let ends = events.all.filter {
          $0.order == event.order && [.created, .failed].contains($0.kind)
        }
        #expect(ends.count == events.all.count { $0.kind == .creating && $0.order == event.order })
      }
    }
  }

  /// Observers come and go. Each one must receive every request that begins after it was added and
  /// ends before it is cancelled.
  @Test(arguments: [2, 4, 8])
  func `can be added and cancelled on many threads`(count: Int) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Engine() }
    let outcomes = try Threads.run(count) { _ in
      for _ in 0..<50 {
        let seen = Tally()
        let key = AnyKey(Key<Engine>())
        let observation = resolver.observe { event in
          if event.kind == .resolved, event.key == key { seen.next() }
        }
        for _ in 0..<3 { _ = try resolver.resolve(Engine.self) }
        observation.cancel()
        guard seen.count >= 3 else { return false }
        _ = try resolver.resolve(Engine.self)
      }
      return true
    }
    #expect(outcomes.allSatisfy { $0.success == true })
    #expect(!resolver.isObserved)
  }
}
