// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

/// Fails a test that leaves an instance, a layer, a registration or a resolver alive.
///
/// A test with `.leavesNothing` says which objects to watch.
final class Lifetimes: Sendable {
  @TaskLocal static var current: Lifetimes?

  private struct Watched: Sendable {
    let name: String
    weak let object: (any AnyObject & Sendable)?
  }

  private let watched = Lock<[Watched]>([])

  init() {}

  /// Watches an object of the running test, and returns it.
  @discardableResult
  static func watch<Object: AnyObject & Sendable>(_ object: Object, _ name: String) -> Object {
    current?.watched.withLock { $0.append(Watched(name: name, object: object)) }
    return object
  }

  /// Watches a resolver and its registrations.
  static func watch(_ resolver: Resolver) {
    watch(resolver, "a resolver")
    for registration in resolver.store.all { watch(registration, "registration \(registration)") }
  }

  /// Watches a layer and its overrides.
  static func watch(_ layer: OverrideLayer) {
    watch(layer, "layer '\(layer.name)'")
    for registration in layer.store.all { watch(registration, "override \(registration)") }
  }

  var survivors: [String] {
    watched.withLock { $0 }.filter { $0.object != nil }.map(\.name)
  }

  /// The objects that stay alive. Escaped work of another test holds all live layers while it
  /// searches them, and may lose its core meanwhile. So this asks again for a while.
  var lastSurvivors: [String] {
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    while !survivors.isEmpty, start.duration(to: clock.now) < .seconds(120) { sched_yield() }
    return survivors
  }

  var count: Int { watched.withLock { $0.count } }
}

/// Fails a test that leaves a watched object alive, or that watches nothing.
struct LeavesNothing: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let lifetimes = Lifetimes()
    try await Lifetimes.$current.withValue(lifetimes) { try await function() }
    #expect(lifetimes.count > 0, "Nothing was watched.")
    for survivor in lifetimes.lastSurvivors { Issue.record("Still alive: \(survivor)") }
  }
}

extension Trait where Self == LeavesNothing {
  /// No object that the test watches is alive afterwards.
  static var leavesNothing: Self { LeavesNothing() }
}
