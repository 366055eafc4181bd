// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

/// Fails a test that leaves something alive: an instance, a layer, a registration, a resolver.
///
/// A test under `.leavesNothing` tells it what to watch.
final class Lifetimes: Sendable {
  @TaskLocal static var current: Lifetimes?

  private struct Watched: Sendable {
    let name: String
    weak let object: (any AnyObject & Sendable)?
  }

  private let watched = Lock<[Watched]>([])

  init() {}

  /// Watches an object of the test that runs, and returns it.
  @discardableResult
  static func watch<Object: AnyObject & Sendable>(_ object: Object, _ name: String) -> Object {
    current?.watched.withLock { $0.append(Watched(name: name, object: object)) }
    return object
  }

  /// Watches a resolver and what is registered on it.
  static func watch(_ resolver: Resolver) {
    watch(resolver, "a resolver")
    for registration in resolver.store.all { watch(registration, "registration \(registration)") }
  }

  /// Watches a layer and what it overrides.
  static func watch(_ layer: OverrideLayer) {
    watch(layer, "layer '\(layer.name)'")
    for registration in layer.store.all { watch(registration, "override \(registration)") }
  }

  var survivors: [String] {
    watched.withLock { $0 }.filter { $0.object != nil }.map(\.name)
  }

  /// What is left when everybody else has looked away. Code of another test that lost its context
  /// looks at the live layers and holds them for that moment, so what is there is looked at again,
  /// a bounded number of times.
  var lastSurvivors: [String] {
    for _ in 0..<100_000 where !survivors.isEmpty { sched_yield() }
    return survivors
  }

  var count: Int { watched.withLock { $0.count } }
}

/// Fails a test that leaves something alive that it had watched, or that watches nothing.
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
  /// Nothing that the test watches is alive after it.
  static var leavesNothing: Self { LeavesNothing() }
}
