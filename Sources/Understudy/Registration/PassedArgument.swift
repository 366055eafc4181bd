// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What `resolve(with:)` passes to a block.
///
/// Safety of `@unchecked Sendable`: a value that is not `Sendable` gets in through the synchronous
/// `resolve` alone, which runs the block on the calling thread and keeps the argument nowhere;
/// `resolveAsync` takes arguments that are `Sendable`. A class, so that a question without one stays small.
package final class PassedArgument: @unchecked Sendable {
  package let value: Any

  package init(_ value: Any) {
    self.value = value
  }
}
