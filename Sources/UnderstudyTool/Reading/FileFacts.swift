// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The size of a file, and the time of its last change.
struct FileFacts: Hashable {
  var size: Int
  var seconds: Int
  var nanoseconds: Int
  var isDirectory: Bool

  /// Reads the facts of a file or a directory, or returns `nil` if it does not exist.
  ///
  /// This does not use `FileManager`, which looks up the names of the owner and the group. A
  /// package has thousands of files.
  init?(_ path: String) {
    var facts = stat()
    // Safety: a local variable that is written before the call returns. The path is valid until
    // then.
    guard unsafe stat(path, &facts) == 0 else { return nil }
    size = Int(facts.st_size)
    isDirectory = Int(facts.st_mode) & Int(S_IFMT) == Int(S_IFDIR)
    #if canImport(Darwin)
      seconds = facts.st_mtimespec.tv_sec
      nanoseconds = facts.st_mtimespec.tv_nsec
    #else
      seconds = Int(facts.st_mtim.tv_sec)
      nanoseconds = Int(facts.st_mtim.tv_nsec)
    #endif
  }

  var text: String { "\(size) \(seconds).\(nanoseconds)" }

  func isNewer(than other: FileFacts) -> Bool {
    (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
  }
}

/// A 64-bit FNV-1a hash over words of eight bytes. It only detects changes of a file.
struct ContentHash: Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ data: Data) {
    unsafe data.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        // Safety: the eight bytes at the offset are inside the buffer.
        add(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      while offset < bytes.count {
        add(UInt64(unsafe bytes[offset]))
        offset += 1
      }
    }
    add(UInt64(data.count))
  }

  mutating func add(_ text: String) { add(Data(text.utf8)) }

  private mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01b3
    value ^= value >> 32
  }

  var text: String { String(value, radix: 16) }
}
