// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// The share of a check that is done: all of it in release, a part if the code is slow. The kind of
/// check is the same.
enum Effort {
  /// `UNDERSTUDY_EFFORT=10` does a tenth of everything.
  private static let divisor =
    ProcessInfo.processInfo.environment["UNDERSTUDY_EFFORT"].flatMap { Int($0) } ?? usual

  /// True if the thread sanitizer is linked. Its shadow memory grows with every address that is
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
