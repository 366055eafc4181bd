// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The part of the C library's Swift module that the sources use: .ci/floor only type-checks them.

@_exported import CDarwin

/// The number of the last error.
public var errno: Int32 {
  get { 0 }
  set {}
}

/// Opens a file.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
/// Opens a file, and creates it with these permissions.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }

/// Asks about an open file.
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { 0 }

/// The longest path, in bytes, with the NUL at its end.
public var PATH_MAX: Int32 { 1024 }

/// Ignores a signal.
public var SIG_IGN: sig_t? { nil }

/// The errors that the sources name.
public enum POSIXErrorCode: Int32, Sendable {
  case EPERM = 1
  case ENOENT = 2
  case EINTR = 4
  case EIO = 5
  case EEXIST = 17
  case ENOTDIR = 20
  case EINVAL = 22
}
