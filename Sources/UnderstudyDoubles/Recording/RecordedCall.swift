// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One call of a double: its arguments and its place among the calls of all doubles.
@usableFromInline
struct RecordedCall<Arguments> {
  @usableFromInline let arguments: Arguments
  @usableFromInline let tick: UInt64

  @usableFromInline
  init(arguments: Arguments, tick: UInt64) {
    self.arguments = arguments
    self.tick = tick
  }
}
