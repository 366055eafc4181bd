// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// A module in the language mode of Swift 5.

/// A closure on an actor is not `Sendable`, as it is in Swift 6.
public protocol UploadsOfFive {
  /// Takes a closure that does not escape.
  func upload(_ id: Int, progress: @MainActor (Int) -> Void) async -> Int
  /// Takes a closure that escapes.
  func later(_ done: @escaping @MainActor (Int) -> Void)
}
protocol PlainOfFive {
  func load(_ id: Int) -> Int
}
