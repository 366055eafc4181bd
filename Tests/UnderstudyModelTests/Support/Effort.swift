// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// How much of a check is done: all of it in release, a part where the code is slow. What is
/// checked is the same.
enum Effort {
  /// `UNDERSTUDY_EFFORT=10` does a tenth of everything.
  private static let divisor =
    ProcessInfo.processInfo.environment["UNDERSTUDY_EFFORT"].flatMap { Int($0) } ?? usual

  /// True if the thread sanitizer is linked. Its shadow memory grows with everything that is
  /// touched.
  static let isSanitized = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

  private static var usual: Int {
    #if DEBUG
      let configuration = 20
    #else
      let configuration = 1
    #endif
    return isSanitized ? 25 : configuration
  }

  static func of(_ count: Int) -> Int { max(1, count / divisor) }
}
