// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How often a registration creates its value.
public enum Lifecycle: Hashable, Sendable, CaseIterable {
  /// Created for each request.
  case notCached
  /// Created once and stored.
  case cached
  /// Resolved once. The registration is gone after that.
  case once
}
