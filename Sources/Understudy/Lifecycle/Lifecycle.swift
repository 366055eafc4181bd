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

/// How a cached instance is held.
public enum Retention: Hashable, Sendable {
  /// By its resolver or layer, until that ends or the key is registered anew.
  case strong
  /// By its users alone. Requests share it while something retains it, and it is created again
  /// after that.
  case weak
}
