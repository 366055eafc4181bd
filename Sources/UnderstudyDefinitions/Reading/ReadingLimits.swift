// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How much a reader takes before it refuses the input.
public struct ReadingLimits: Hashable, Sendable {
  /// The largest file or text, in bytes.
  public var byteCount: Int
  /// How deep arrays and objects nest.
  public var depth: Int
  /// How many values a file has, counted as often as they are used: a binary property list can say
  /// one value many times.
  public var valueCount: Int
  /// True to read what a symbolic link points to.
  public var followsSymbolicLinks: Bool

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - byteCount: The largest file or text, in bytes; 32 MiB unless told otherwise.
  ///   - depth: How deep arrays and objects nest.
  ///   - valueCount: How many values a file has.
  ///   - followsSymbolicLinks: True to read what a symbolic link points to.
  public init(
    byteCount: Int = 32 << 20, depth: Int = 128, valueCount: Int = 4_000_000,
    followsSymbolicLinks: Bool = false
  ) {
    self.byteCount = byteCount
    self.depth = depth
    self.valueCount = valueCount
    self.followsSymbolicLinks = followsSymbolicLinks
  }
}
