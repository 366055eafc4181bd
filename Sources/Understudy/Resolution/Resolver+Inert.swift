// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// A resolver that ignores what is registered on it and answers nothing, a new one each time
  /// (G9-80).
  ///
  /// `T?` is `nil`, `[T]` is empty, `resolve` throws `missing`, and `resolve(into:)` leaves its target
  /// as it is. A declared dependency cannot be missing and is production's.
  ///
  /// ```swift
  /// withResolver(.inert) { screen.load() }
  /// ```
  ///
  /// Use it for a task tree; what other tests see stays as it is.
  public static var inert: Resolver { Resolver(inertNamed: "inert") }
}
