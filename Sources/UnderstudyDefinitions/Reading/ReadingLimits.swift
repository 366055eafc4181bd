// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The limits within which a reader reads. Input beyond a limit is one error, found before the
/// memory is taken.
public struct ReadingLimits: Hashable, Sendable {
  /// The size of the largest file or text, in bytes.
  public var byteCount: Int
  /// The number of levels that arrays and objects nest. A number above `maximumDepth` counts as
  /// `maximumDepth`.
  public var depth: Int
  /// The number of values in a file. A value that a binary property list uses many times counts
  /// each time, and no file may have more values than bytes.
  public var valueCount: Int
  /// The size of the paths of all properties and objects together, in bytes, with one more for
  /// each key. A long key is a part of the path of every property below it, so a small file can
  /// have very large paths.
  public var pathByteCount: Int
  /// The number of values in arguments, calls and tags that all services together inherit from
  /// their parents. A short chain of parents can describe very many.
  public var inheritedValueCount: Int
  /// True to read the target of a symbolic link.
  public var followsSymbolicLinks: Bool

  /// The largest number of levels. That many fit on a thread with 512 KB of stack in a debug build.
  public static let maximumDepth = 128

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the largest file or text, in bytes. 32 MiB by default.
  ///   - depth: The number of levels that arrays and objects nest.
  ///   - valueCount: The number of values in a file.
  ///   - pathByteCount: The size of the paths of all properties together, in bytes. 64 MiB by
  ///     default.
  ///   - inheritedValueCount: The number of values in arguments, calls and tags that all services
  ///     together inherit from their parents.
  ///   - followsSymbolicLinks: True to read the target of a symbolic link.
  public init(
    byteCount: Int = 32 << 20, depth: Int = maximumDepth, valueCount: Int = 4_000_000,
    pathByteCount: Int = 64 << 20, inheritedValueCount: Int = 1_000_000,
    followsSymbolicLinks: Bool = false
  ) {
    self.byteCount = byteCount
    self.depth = depth
    self.valueCount = valueCount
    self.pathByteCount = pathByteCount
    self.inheritedValueCount = inheritedValueCount
    self.followsSymbolicLinks = followsSymbolicLinks
  }

  /// The depth that the readers use.
  var appliedDepth: Int { min(depth, Self.maximumDepth) }

  /// Throws if a document is too large.
  func check(_ bytes: [UInt8], from source: SourceName) throws(DefinitionError) {
    guard bytes.count <= byteCount else {
      throw DefinitionError(.tooLarge(limit: byteCount), at: Origin(source))
    }
  }
}
