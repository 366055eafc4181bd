// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// The lifecycle policy engine, as a table.
@Suite struct `The lifecycle policy` {
  struct Row: CustomTestStringConvertible, Sendable {
    let registered: Lifecycle
    let resolved: Lifecycle
    let source: LifecyclePolicy.Source
    let removes: Bool

    var testDescription: String { "\(registered) resolved as \(resolved)" }
  }

  static let table = [
    Row(registered: .notCached, resolved: .notCached, source: .block, removes: false),
    Row(registered: .notCached, resolved: .cached, source: .block, removes: false),
    Row(registered: .notCached, resolved: .once, source: .block, removes: true),
    Row(registered: .cached, resolved: .notCached, source: .block, removes: false),
    Row(registered: .cached, resolved: .cached, source: .cache, removes: false),
    Row(registered: .cached, resolved: .once, source: .cache, removes: true),
    Row(registered: .once, resolved: .notCached, source: .block, removes: true),
    Row(registered: .once, resolved: .cached, source: .block, removes: true),
    Row(registered: .once, resolved: .once, source: .block, removes: true),
  ]

  @Test(arguments: table)
  func `decides as the table says`(row: Row) {
    let policy = LifecyclePolicy(registered: row.registered, resolvedAs: row.resolved)
    #expect(policy.source == row.source)
    #expect(policy.removesRegistration == row.removes)
  }

  @Test func `has a row for every pair`() {
    #expect(
      `The lifecycle policy`.table.count == Lifecycle.allCases.count * Lifecycle.allCases.count)
  }

  @Test(arguments: Lifecycle.allCases, [Lifecycle.cached, .notCached])
  func `ignores the requested lifecycle for a fixed registration`(
    registered: Lifecycle, resolved: Lifecycle
  ) {
    let policy = LifecyclePolicy(registered: registered, resolvedAs: resolved, isFixed: true)
    #expect(policy == LifecyclePolicy(registered: registered, resolvedAs: registered))
  }

  @Test(arguments: Lifecycle.allCases)
  func `honours once for a fixed registration`(registered: Lifecycle) {
    let policy = LifecyclePolicy(registered: registered, resolvedAs: .once, isFixed: true)
    #expect(policy == LifecyclePolicy(registered: registered, resolvedAs: .once))
    #expect(policy.removesRegistration)
  }
}
