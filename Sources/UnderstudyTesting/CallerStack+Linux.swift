// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if os(Linux) && canImport(Runtime)
  internal import Foundation
  internal import Runtime
  internal import UnderstudyTestHost

  /// The places at which functions continue, from the inside outwards.
  struct CallerStack: Hashable {
    private enum Place: Hashable {
      /// Where a call returns to.
      case returning(UInt)
      /// Where an asynchronous function is resumed.
      case resuming(UInt)
    }

    /// The functions that a double may have between its report and its caller.
    private static let depth = 40

    /// The images of the process.
    private static let images = Lock(ImageMap.capture())

    private var places: [Place]

    /// The calling functions of Swift, up to the one that other code calls. The callers of that one
    /// follow if it is asynchronous, since the runtime has resumed it or one of them.
    ///
    /// The toolchain's own walk reads memory without a check, and can end the process.
    static var current: CallerStack {
      // Safety: the callee writes at most `depth` elements, and returns their number.
      let functions = unsafe [understudy_frame](unsafeUninitializedCapacity: depth) {
        buffer, count in
        count = unsafe understudy_read_stack(buffer.baseAddress, depth)
      }
      var stack = CallerStack(places: functions.map { .returning($0.address) })
      let ofSwift = stack.names.prefix { $0.hasPrefix("$s") }
      guard let last = functions.prefix(ofSwift.count).last else { return CallerStack(places: []) }
      // Safety: as above.
      let callers = unsafe [UInt](unsafeUninitializedCapacity: depth) { buffer, count in
        count = unsafe understudy_read_continuations(last.base, buffer.baseAddress, depth)
      }
      stack.places.removeLast(functions.count - ofSwift.count)
      stack.places += callers.map { .resuming($0) }
      return stack
    }

    /// The mangled names of the functions.
    var names: [String] {
      let frames = frames(.useSymbolCache)
      return frames.count == places.count ? frames.map { $0.symbol?.rawName ?? "" } : []
    }

    /// The first of these functions that has a place in a source file. The place of one function
    /// takes a large program 50 ms, and a name next to nothing.
    ///
    /// An argument of a macro, as of `#expect`, is in a function that is inlined into the expanded
    /// code.
    func firstPlace(of indices: some Sequence<Int>) -> CallerPlace? {
      for index in indices {
        let inlined = CallerStack(places: [Self.pastEntry(of: places[index])])
          .frames([.showInlineFrames, .showSourceLocations, .useSymbolCache])
        for case let symbol? in inlined.map(\.symbol) {
          let function = CallerSearch.Frame(symbol.rawName)
          if function.isCaller, let place = symbol.sourceLocation,
            let caller = CallerPlace(
              in: function, path: place.path, line: place.line, column: place.column)
          {
            return caller
          }
        }
      }
      return nil
    }

    /// The place in a resumed function after the instructions with which it begins: 20 bytes on
    /// x86-64. They have the line of its `func` if an argument of a macro goes on there.
    private static func pastEntry(of place: Place) -> Place {
      guard case .resuming(let address) = place else { return place }
      let later = Place.resuming(address + 32)
      let names = CallerStack(places: [place, later]).names
      return names.first == names.last ? later : place
    }

    /// At least one frame for each place, or none if the toolchain cannot read them.
    private func frames(
      _ options: Backtrace.SymbolicationOptions
    ) -> [SymbolicatedBacktrace.Frame] {
      let data = try? JSONEncoder().encode(Archive(self))
      let backtrace = data.flatMap { try? JSONDecoder().decode(Backtrace.self, from: $0) }
      return Self.images.withLock {
        backtrace?.symbolicated(with: $0, options: options)?.frames ?? []
      }
    }

    /// What the toolchain decodes a backtrace from.
    private struct Archive: Encodable {
      #if arch(arm64)
        let architecture = "arm64"
      #else
        let architecture = "x86_64"
      #endif
      /// In the toolchain's Compact Backtrace Format, version 0.
      let backtrace: Data

      init(_ stack: CallerStack) {
        let (wordsOf64Bits, end): (UInt8, UInt8) = (0b10, 0)
        backtrace =
          stack.places.reduce(into: Data([wordsOf64Bits])) { data, place in
            let (instruction, address): (UInt8, UInt) =
              switch place {
              case .returning(let address): (0b0010_1111, address)
              case .resuming(let address): (0b0011_1111, address)
              }
            data.append(instruction)
            for shift in stride(from: UInt.bitWidth - 8, through: 0, by: -8) {
              data.append(UInt8(truncatingIfNeeded: address >> shift))
            }
          } + [end]
      }
    }
  }
#endif
