// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyTestHost

#if os(macOS)
  /// The addresses at which functions continue, from the inside outwards.
  struct CallerStack: Hashable {
    /// The functions that a double may have between its report and its caller, and that one.
    private static let depth = 80
    /// How often `atos` may still fail. It is slow for some programs, and each report waits for it.
    private static let attempts = Lock(3)

    private let addresses: [UInt]

    static var current: CallerStack {
      // Safety: the callee writes at most `depth` elements, and returns their number.
      CallerStack(
        addresses: unsafe [UInt](unsafeUninitializedCapacity: depth) { buffer, count in
          count = unsafe understudy_read_calls(buffer.baseAddress, depth)
        })
    }

    /// The mangled names of the functions.
    var names: [String] { addresses.map { Function(continuingAt: $0)?.name ?? "" } }

    /// The first of these functions that has a place in a source file. Only functions of one image
    /// are looked up, so that a report waits for one program.
    func firstPlace(of indices: some Sequence<Int>) -> CallerPlace? {
      let functions = indices.compactMap { Function(continuingAt: addresses[$0]) }
      guard let first = functions.first, Self.attempts.withLock({ $0 > 0 }) else { return nil }
      let asked = functions.filter { $0.image == first.image }
      guard
        let output = ProgramOutput.text(
          of: Atos.path,
          Atos.arguments(
            image: first.image, loadedAt: first.imageStart, addresses: asked.map(\.instruction),
            architecture: Self.architecture)),
        // It prints a line for each address, unless it has failed.
        !output.isEmpty
      else {
        Self.attempts.withLock { $0 -= 1 }
        return nil
      }
      for (function, place) in zip(asked, Atos.places(in: output)) {
        if let place,
          let caller = CallerPlace(
            in: CallerSearch.Frame(function.name), path: place.path, line: place.line)
        {
          return caller
        }
      }
      return nil
    }

    #if arch(arm64)
      private static let architecture = "arm64"
    #else
      private static let architecture = "x86_64"
    #endif
  }

  private struct Function {
    let name: String
    let image: String
    let imageStart: UInt
    /// The address of the call.
    let instruction: UInt

    init?(continuingAt address: UInt) {
      instruction = address - 1
      var function = unsafe understudy_function()
      guard unsafe understudy_find_function(instruction, &function) else { return nil }
      // Safety: the callee has found both texts, and they end with a zero.
      name = unsafe String(cString: function.name)
      image = unsafe String(cString: function.image)
      imageStart = unsafe function.image_start
    }
  }
#endif

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
