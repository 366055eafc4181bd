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
