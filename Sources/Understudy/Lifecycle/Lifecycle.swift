// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How often a registration makes its value.
public enum Lifecycle: Hashable, Sendable, CaseIterable {
  /// Made again for every resolution.
  case notCached
  /// Made once and kept.
  case cached
  /// Resolved once; the registration is gone after that.
  case once
}

/// How a cached instance is held.
public enum Retention: Hashable, Sendable {
  /// By its resolver or layer, until that ends or the key is registered anew.
  case strong
  /// By its users alone: shared while anyone holds it, made again after that.
  case weak
}
