// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// A new resolver that ignores registrations and answers nothing.
  ///
  /// `T?` is `nil`, `[T]` is empty, `resolve` throws `missing`, and `resolve(into:)` does not
  /// change its target. A declared dependency cannot be missing, so production answers it.
  ///
  /// ```swift
  /// withResolver(.inert) { screen.load() }
  /// ```
  ///
  /// Use it for a task tree. Other tests do not see it.
  public static var inert: Resolver { Resolver(named: "inert", parent: nil, isInert: true) }
}
