// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a cached instance is held.
///
/// The form of `register` chooses it, and so does a scope (`RegistrationTraits`). A `WeakInstance`
/// holds an object weakly.
public enum Retention: Hashable, Sendable {
  /// By its resolver or layer, until that ends or the key is registered anew.
  case strong
  /// By its users alone. Requests share it while something retains it, and it is created again
  /// after that.
  case weak
}
