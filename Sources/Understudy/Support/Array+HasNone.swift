// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Array {
  /// The same as `isEmpty`, which is generic code of `Collection` in a debug build. For arrays that
  /// each request looks at.
  var hasNone: Bool { count == 0 }
}
