// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a call misses: which argument, from 0; `nil` for the call as a whole; `Int.max` for the type
/// that a generic call asks for.
@usableFromInline
struct ArgumentsMiss: Hashable, Sendable {
  @usableFromInline let argument: Int?
}
