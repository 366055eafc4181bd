// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes a file completely or not at all.
enum WholeWrite {
  /// Writes a text beside a file, and then replaces the file, or the target of a symbolic link.
  /// Each run writes its own temporary file.
  ///
  /// This does not use `FileManager`, which waits for the disk after every file. Generated files
  /// can be generated again.
  ///
  /// Safety: the file is closed once and not used after that. The bytes are valid until `withUTF8`
  /// returns.
  ///
  /// - Returns: Whether the file was written. If not, no temporary file remains.
  static func write(_ text: String, to path: String) -> Bool {
    guard let path = target(of: path) else { return false }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let draft = (parts.dropLast() + [".\(parts.last ?? "").\(getpid()).draft"]).joined(
      separator: "/")
    // Never writes to the temporary file of an interrupted run, or to another user's link.
    unsafe unlink(draft)
    guard let file = unsafe fopen(draft, "wx") else { return false }
    // A private file stays private.
    let old = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    let mode = (old as? NSNumber).map { mode_t($0.uint16Value) }
    let hasMode = mode.map { unsafe chmod(draft, $0) == 0 } ?? true
    var text = text
    let isWritten =
      hasMode
      && text.withUTF8 { bytes in
        unsafe bytes.isEmpty || fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count
      }
    let isClosed = unsafe fclose(file) == 0
    if isWritten, isClosed, unsafe rename(draft, path) == 0 { return true }
    unsafe remove(draft)
    return false
  }

  /// The target of symbolic links, whether or not it exists, or `nil` if they form a circle.
  static func target(of path: String) -> String? {
    var target = path
    // As many as the system follows, and the file at their end.
    for _ in 0...40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        return target
      }
      let folder = target.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      target = next.hasPrefix("/") ? next : (folder + [next[...]]).joined(separator: "/")
    }
    return nil
  }
}
