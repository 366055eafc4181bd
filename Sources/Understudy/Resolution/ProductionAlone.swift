// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// That production alone answers: for a caller whose form cannot throw, and whose question came from nowhere (O3).
///
/// It has been reported. So what production asks for meanwhile, to make the answer, is neither an error nor reported
/// again.
package final class ProductionAlone: Sendable {
  @TaskLocal private static var bound: ProductionAlone?

  private let isOpen = Atomic<Bool>(true)

  /// True if the calling task makes such an answer. A task that was begun meanwhile inherits this, and is on its own
  /// once the answer is made.
  static var answers: Bool { bound?.isOpen.load(ordering: .acquiring) ?? false }

  /// Runs `body` so that no layer answers what it asks for, and nothing of it is an escape.
  package static func answering<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let alone = ProductionAlone()
    defer { alone.isOpen.store(false, ordering: .releasing) }
    let outcome = OverrideLayer.binding(nil) {
      $bound.withValue(alone) {
        Swift.Result { () throws(Failure) -> Result in try body() }
      }
    }
    return try outcome.get()
  }
}
