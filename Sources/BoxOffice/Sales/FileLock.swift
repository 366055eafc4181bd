// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A lock between processes, and between threads of one process.
///
/// The lock belongs to the file's descriptor: the system releases it even if the process is killed.
struct FileLock {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Parameter file: The file to lock. It is created if it does not exist, and stays.
  /// - Throws: `POSIXError` if the file cannot be made or locked.
  init(_ file: URL) throws {
    // Safety: the path is copied for the call, and nothing else is handed over.
    descriptor = unsafe open(file.path(percentEncoded: false), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(.current) }
    while flock(descriptor, LOCK_EX) != 0 {
      let code = POSIXErrorCode.current
      guard code == .EINTR else {
        close(descriptor)
        throw POSIXError(code)
      }
    }
  }

  /// Releases the lock.
  func unlock() {
    close(descriptor)
  }
}
