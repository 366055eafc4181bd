// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyTestHost

/// What another program prints.
///
/// Foundation's `Process` would run the run loop of the calling thread, and with it user code.
enum ProgramOutput {
  /// Runs a program, without a shell, and returns the beginning of its output. It may write nothing
  /// and may fail.
  ///
  /// - Returns: `nil` if the program cannot be started or does not end in time.
  static func text(
    of path: String, _ arguments: [String], within milliseconds: Int32 = 2000,
    limit: Int = 1 << 16
  ) -> String? {
    let list = ([path] + arguments).joined(separator: "\0") + "\0"
    var length = 0
    // Safety: the text ends with an empty argument, since a string that is passed to C ends with a
    // zero. The callee writes at most `limit` bytes, and returns their number.
    let bytes = unsafe [CChar](unsafeUninitializedCapacity: limit) { buffer, count in
      length = unsafe understudy_read_program(list, buffer.baseAddress, limit, milliseconds)
      count = max(length, 0)
    }
    return length < 0
      ? nil : String(decoding: bytes.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
