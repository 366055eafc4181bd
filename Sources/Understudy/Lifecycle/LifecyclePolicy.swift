// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
