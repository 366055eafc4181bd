// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// Counts how often blocks run.
final class CallCounter: Sendable {
  private let count = AtomicInt(0)

  var value: Int { count.relaxedValue }

  func next() -> Int { count.add(1).newValue }
}

protocol Plugin: Sendable { var id: Int { get } }
struct ToolPlugin: Plugin, Equatable { let id: Int }

struct Grain: Equatable, Sendable { let granularity: Int }

final class Prop: Sendable {
  let id: Int
  init(_ id: Int = 0) { self.id = id }
}

/// A type that is not `Sendable`.
final class Draft {}
