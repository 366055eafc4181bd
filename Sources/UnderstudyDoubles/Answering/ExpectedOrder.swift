// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// An order that expectations are met in, across doubles.
///
/// ```swift
/// let order = ExpectedOrder()
/// store.saves.expects(.once, in: order)
/// mailer.sends.when("saved").expects(.once, in: order)
/// ```
///
/// A call that comes before an earlier expectation is met, or after a later one has begun, is a
/// violation at the call.
public struct ExpectedOrder: Sendable {
  private let steps = Lock(Steps())

  /// Makes an order without expectations.
  public init() {}

  func add(_ text: String, least: Int) -> Int {
    steps.withLock { $0.add(text, least: least) }
  }

  func enter(_ index: Int) -> String? {
    steps.withLock { $0.enter(index) }
  }

  func leave(_ index: Int) {
    steps.withLock { $0.leave(index) }
  }

  func excuse(_ index: Int) {
    steps.withLock { $0.excuse(index) }
  }

  /// The pure table behind an order.
  struct Steps {
    // One has begun that was called in its place: what a call that came too early overtook is not late.
    private var steps: [(text: String, least: Int, count: Int, hasBegun: Bool)] = []

    mutating func add(_ text: String, least: Int) -> Int {
      steps.append((text, least, 0, false))
      return steps.count - 1
    }

    /// Counts a call for a step and returns what is wrong with its place, or `nil`.
    mutating func enter(_ index: Int) -> String? {
      let latest = steps.lastIndex(where: \.hasBegun)
      steps[index].count += 1
      if let latest, index < latest { return "it was expected before \(steps[latest].text)" }
      if let unmet = steps[..<index].first(where: { $0.count < $0.least }) {
        return "it was expected after \(unmet.text)"
      }
      steps[index].hasBegun = true
      return nil
    }

    /// Lets nobody wait for an expectation that was told to be unmet.
    mutating func excuse(_ index: Int) {
      steps[index].least = 0
    }

    /// Frees the place of an expectation that was forgotten: no call has to be before or after it.
    mutating func leave(_ index: Int) {
      steps[index].least = 0
      steps[index].count = 0
      steps[index].hasBegun = false
    }
  }
}
