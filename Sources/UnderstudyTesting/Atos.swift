// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyTestHost

/// Apple's program that finds the lines of instructions.
///
/// All of this is tested on Linux, where the program does not exist.
enum Atos {
  static let path = "/usr/bin/atos"

  /// Asks for instructions of an image by their addresses in memory.
  static func arguments(
    image: String, loadedAt start: UInt, addresses: [UInt], architecture: String
  ) -> [String] {
    let numbers = ([start] + addresses).map { "0x" + String($0, radix: 16) }
    return ["-arch", architecture, "-o", image, "-fullPath", "-l"] + numbers
  }

  /// A line of a source file for each address, or `nil` for an address without one.
  static func places(in output: String) -> [(path: String, line: Int)?] {
    output.split(separator: "\n").map(place)
  }

  /// A function is printed as `name (in Image) (/path/File.swift:12)`. Without debug information it
  /// is `name (in Image) + 4`, and only an address if it is unknown.
  private static func place(in text: Substring) -> (path: String, line: Int)? {
    guard let match = text.wholeMatch(of: /.+? \(in .+?\) \(([^<].*):(\d+)\)/),
      let line = Int(match.2), line > 0
    else { return nil }
    return (String(match.1), line)
  }
}

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
