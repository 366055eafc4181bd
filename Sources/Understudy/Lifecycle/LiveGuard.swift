// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Says whether production may answer a request in a process that runs tests.
///
/// The block of a guarded registration does not run in a test, with or without a layer. The request
/// is an error and an issue of the test. In a process without tests, a guard has no effect.
///
/// The nearest statement decides: the layer's `allowing:` and `.live(…)` for `.allowed`, then the
/// registration, then `.live(.mustBeOverridden)` of a layer, then the resolver, then the process.
public enum LiveGuard: Hashable, Sendable {
  /// Production may answer in tests.
  case allowed
  /// Production must not answer in tests. An override must.
  case mustBeOverridden
}
