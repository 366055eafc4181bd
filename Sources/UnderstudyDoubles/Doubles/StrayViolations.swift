// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// Where the violations of doubles go that belong to no layer.
///
/// An adapter of a test framework may listen. Without one each double keeps its own until
/// `finish()` or `verify()`.
package enum StrayViolations {
  package typealias Listener = @Sendable (Violation) -> Void

  /// True for a task whose doubles keep their violations, whoever listens.
  @TaskLocal package static var areKept = false

  private static let current = Lock<Listener?>(nil)

  /// Is called for each violation of a double without a layer, on the thread that caused it.
  package static var listener: Listener? {
    get { areKept ? nil : current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
