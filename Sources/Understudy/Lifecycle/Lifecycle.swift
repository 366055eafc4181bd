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

/// Decides the effect of a resolution, as a pure function. All such decisions are made here.
package struct LifecyclePolicy: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// The block is called for this resolution alone.
    case block
    /// The value comes from the cache, which is filled first if it is empty.
    case cache
  }

  package let source: Source
  package let removesRegistration: Bool

  /// Decides the effect of a resolution. A registration whose form fixes its lifecycle honours only
  /// `.once`.
  package init(registered: Lifecycle, resolvedAs resolved: Lifecycle, isFixed: Bool = false) {
    let asked = isFixed && resolved != .once ? registered : resolved
    switch (registered, asked) {
    case (.once, _), (.notCached, .once): (source, removesRegistration) = (.block, true)
    case (.notCached, .notCached), (.notCached, .cached), (.cached, .notCached):
      (source, removesRegistration) = (.block, false)
    case (.cached, .cached): (source, removesRegistration) = (.cache, false)
    case (.cached, .once): (source, removesRegistration) = (.cache, true)
    }
  }
}

/// How a cached instance is held.
///
/// The form of `register` chooses it, and so does a scope (`RegistrationTraits`). A `WeakInstance`
/// holds an object weakly.
package enum Retention: Hashable, Sendable {
  /// By its resolver or layer, until that ends or the key is registered anew.
  case strong
  /// By its users alone. Requests share it while something retains it, and it is created again
  /// after that.
  case weak
}

/// Says whether production may answer a request in a process that runs tests.
///
/// The block of a guarded registration does not run in a test, with or without a layer. The request
/// is an error and an issue of the test. In a process without tests, a guard has no effect.
///
/// The first of these that says something decides: `allowing:` or `.live(.allowed)` of a layer, the
/// registration or declaration, `.live(.mustBeOverridden)` of a layer, the resolver and then its
/// parents, the process.
public enum LiveGuard: Hashable, Sendable {
  /// Production may answer in tests.
  case allowed
  /// Production must not answer in tests. An override must.
  case mustBeOverridden
}
