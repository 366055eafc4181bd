// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a call that no stub answers means.
///
/// A layer has a policy for its doubles and a double may have its own, which wins. Where neither
/// says anything it is `.report`, and a double that returns nothing and has no stubs at all may be
/// called freely: recording is all it is for.
public enum UnstubbedPolicy: Hashable, Sendable, CaseIterable {
  /// The call is a violation. It goes on if there is a way to: it returns nothing, the placeholder
  /// or `nil`, or throws `Unstubbed`; a call that can do none of these traps.
  case report
  /// The call is fine as long as there is a way to go on; otherwise it traps.
  case relaxed
  /// The call traps.
  case trap
}
