// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes a file as a whole or not at all.
enum WholeWrite {
  /// Writes a text beside a file and puts it in the file's place: that of what a symbolic link
  /// leads to. What another run writes meanwhile is another file.
  ///
  /// Not with `FileManager`, which waits for the disk after every file: generated files can be
  /// generated again.
  ///
  /// Safety: the file is closed once, and not used after; the bytes are there until `withUTF8`
  /// returns.
  ///
  /// - Returns: Whether it was written; if not, nothing is left behind.
  static func write(_ text: String, to path: String) -> Bool {
    guard let path = target(of: path) else { return false }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let draft = (parts.dropLast() + [".\(parts.last ?? "").\(getpid()).draft"]).joined(
      separator: "/")
    // Never write to a draft of an interrupted run, or to a link of another user.
    unsafe unlink(draft)
    guard let file = unsafe fopen(draft, "wx") else { return false }
    // A file that its owner made private stays private.
    let old = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    if let mode = old as? NSNumber, unsafe chmod(draft, mode_t(mode.uint16Value)) != 0 {
      unsafe fclose(file)
      unsafe remove(draft)
      return false
    }
    var text = text
    let isWritten = text.withUTF8 { bytes in
      unsafe bytes.isEmpty || fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count
    }
    let isClosed = unsafe fclose(file) == 0
    if isWritten, isClosed, unsafe rename(draft, path) == 0 { return true }
    unsafe remove(draft)
    return false
  }

  /// Where symbolic links lead, whether anything is there yet or not; `nil` if they lead nowhere.
  static func target(of path: String) -> String? {
    var target = path
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        return target
      }
      let folder = target.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      target = next.hasPrefix("/") ? next : (folder + [next[...]]).joined(separator: "/")
    }
    return nil
  }
}
