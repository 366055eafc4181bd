// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

extension URL {
  /// Replaces the file with new contents, as a whole: a process that is killed, a full disk or a
  /// power cut leaves either the old contents or the new ones.
  ///
  /// A private file stays private: the new file has the mode of the old one.
  ///
  /// The contents are first written to a neighbour with a fixed name. So processes that replace the
  /// same file need a lock, and the neighbour that a killed process left is used again.
  ///
  /// - Throws: `POSIXError` if the file cannot be written. The file has its old contents then.
  func replaceContents(with data: Data) throws {
    let target = path(percentEncoded: false)
    let neighbour = target + ".new"
    var old = stat()
    // Safety: the path is copied for the call, and the structure is a local variable.
    let mode = unsafe stat(target, &old) == 0 ? old.st_mode & 0o777 : nil
    // A symbolic link in place of the neighbour is not followed.
    let descriptor = unsafe open(
      neighbour, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode ?? 0o644)
    guard descriptor >= 0 else { throw POSIXError(.current) }
    do {
      // A neighbour that a killed process left has the mode of that process.
      if let mode, fchmod(descriptor, mode) != 0 { throw POSIXError(.current) }
      try write(data, to: descriptor)
      guard fsync(descriptor) == 0 else { throw POSIXError(.current) }
    } catch {
      close(descriptor)
      // Safety: the path is copied for the call.
      unsafe unlink(neighbour)
      throw error
    }
    guard close(descriptor) == 0, unsafe rename(neighbour, target) == 0 else {
      let code = POSIXErrorCode.current
      unsafe unlink(neighbour)
      throw POSIXError(code)
    }
    synchronizeFolder()
  }

  private func write(_ data: Data, to descriptor: Int32) throws {
    var rest = data[...]
    while !rest.isEmpty {
      // Safety: the buffer is valid until the call returns, and its count is right.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, POSIXErrorCode.current == .EINTR { continue }
      guard count > 0 else { throw POSIXError(count == 0 ? .EIO : .current) }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes the new name to the disk. The replacement is already visible, so a failure is no error.
  private func synchronizeFolder() {
    let folder = deletingLastPathComponent().path(percentEncoded: false)
    // Safety: the path is copied for the call.
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}

extension POSIXErrorCode {
  /// The error of the last system call on this thread.
  static var current: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }
}
