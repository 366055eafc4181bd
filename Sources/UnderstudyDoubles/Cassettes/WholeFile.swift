// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Foundation

/// A file that is replaced as a whole: a reader reads the old contents or the new ones.
package struct WholeFile: Sendable {
  /// The path that is written: where symbolic links lead, whether anything is there yet or not.
  package let target: String

  /// Creates the file at the end of the links at `path`; `nil` if they lead in a circle.
  package init?(_ path: String) {
    var target = path
    // As many as the system follows, and the file at their end.
    for _ in 0...40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        self.target = target
        return
      }
      let folder = (target as NSString).deletingLastPathComponent
      target = next.hasPrefix("/") ? next : "\(folder)/\(next)"
    }
    return nil
  }

  /// Creates the file at a path, which may be a link.
  init(target: String) {
    self.target = target
  }

  /// The directory of the file.
  package var folder: String { (target as NSString).deletingLastPathComponent }

  /// Writes a draft and puts it in the place of the file, whose owner and permissions it has before
  /// it has contents that others may read. A device, such as `/dev/null`, is written in its place.
  ///
  /// - Parameter draft: The name of the draft, of which no other writer has one.
  /// - Returns: The reason if the file was not written. The old file is still there then, and there
  ///   is no draft.
  package func replace(with contents: Data, draft: String) -> String? {
    let path = "\(folder)/\(draft)"
    var status = stat()
    let isThere = unsafe stat(target, &status) == 0
    // The numbers of `S_IFREG` and `S_IFCHR`, whose types differ between systems.
    switch status.st_mode & 0o170000 {
    case _ where !isThere, 0o100000: break
    case 0o020000: return writeInPlace(contents)
    default: return "It is neither a file nor a device"
    }
    let file = unsafe open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? status.st_mode & 0o600 : 0o666)
    guard file != -1 else { return Self.lastError }
    // The mask of the process does not hold for a file that is there.
    let isWritten =
      Self.write(contents, to: file) && (!isThere || Self.take(over: status, to: file))
    let reason = Self.lastError
    close(file)
    guard isWritten else {
      unsafe unlink(path)
      return reason
    }
    guard unsafe rename(path, target) == 0 else {
      let reason = Self.lastError
      unsafe unlink(path)
      return reason
    }
    return nil
  }

  private func writeInPlace(_ contents: Data) -> String? {
    // A terminal does not become that of the process.
    let file = unsafe open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    guard file != -1 else { return Self.lastError }
    let reason = Self.write(contents, to: file) ? nil : Self.lastError
    close(file)
    return reason
  }

  /// Gives a draft the owner and the permissions of the file that it replaces; false if the system
  /// refuses.
  private static func take(over status: stat, to file: Int32) -> Bool {
    var draft = stat()
    guard unsafe fstat(file, &draft) == 0 else { return false }
    let isOwned = draft.st_uid == status.st_uid && draft.st_gid == status.st_gid
    guard isOwned || fchown(file, status.st_uid, status.st_gid) == 0 else { return false }
    return fchmod(file, status.st_mode & 0o7777) == 0
  }

  /// Writes all bytes; false if the system refuses some, as on a full disk.
  private static func write(_ data: Data, to file: Int32) -> Bool {
    // Safety: the bytes outlive the block, and none beyond their count is read.
    unsafe data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe Foundation.write(file, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// The system's description of the last failed call.
  ///
  /// Safety, here and above: paths are copied for the call, and the returned text is copied at
  /// once.
  static var lastError: String { unsafe String(cString: strerror(errno)) }
}
