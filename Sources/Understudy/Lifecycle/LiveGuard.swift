// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Says whether production may answer a request in a process that runs tests.
///
/// ```swift
/// resolver.register(inTests: .mustBeOverridden) { SMTPMailer() as any Mailer }
/// ```
///
/// A guarded block does not run in a test, with or without a layer. A form that throws throws, and
/// a wrapper keeps the error until it is read. The test has an issue. In a process without tests, a
/// guard has no effect.
///
/// The nearest statement decides: the layer's `allowing:` and `.live(…)` for `.allowed`, then the
/// registration, then `.live(.mustBeOverridden)` of a layer, then the resolver, then the process.
/// Work that lost its context sees no layer. It is guarded while each live layer has the guard.
public enum LiveGuard: Hashable, Sendable {
  /// Production may answer in tests.
  case allowed
  /// Production must not answer in tests. An override must.
  case mustBeOverridden
}
