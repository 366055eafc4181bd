// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A value that one thread uses at a time. (`Mutex` of the standard library needs macOS 15 and
/// iOS 18.)
///
/// Safety of `@unchecked Sendable`: the value is used while the lock is held, and nowhere else.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
