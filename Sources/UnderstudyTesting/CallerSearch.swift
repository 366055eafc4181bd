// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if os(Linux) && canImport(Runtime)
  internal import Foundation
  internal import Runtime
  internal import UnderstudyTestHost
#endif

/// Finds the code that called a double.
///
/// A requirement of a protocol has no default arguments, so a double that implements one cannot
/// know its caller, and the call site of its spy is a line of the double. The stack has the caller,
/// outside the thunk through which a protocol is called. A stack is read only for a report.
enum CallerSearch {
  /// A function on the stack.
  struct Frame {
    /// As the demangler prints it.
    let name: String
    /// `nil` for a function of the standard library, or of another language.
    let module: String?
    /// True for code that only the compiler has written.
    let isThunk: Bool

    /// True for the code through which a requirement of a protocol is called.
    var isWitness: Bool { name.contains("protocol witness for ") }

    /// The function without the closure, or the part of an asynchronous function, that this is.
    var function: Substring {
      let starts = [" in ", " for "].compactMap { name.ranges(of: $0).last?.upperBound }
      return name[(starts.max() ?? name.startIndex)...]
    }

    /// True for the code between a double and the report of its call.
    var isOfReport: Bool {
      ["Understudy", "UnderstudyDoubles", "UnderstudyTesting"].contains(module)
    }
  }

  /// The indices of the functions that called a double, from the inside outwards. There are none if
  /// the double's function was not called through a protocol: its call site is the best place.
  static func callers(in frames: [Frame]) -> [Int] {
    guard
      let report = frames.firstIndex(where: { $0.module == "UnderstudyDoubles" }),
      let start = frames[report...].firstIndex(where: {
        $0.module != nil && !$0.isOfReport && !$0.isThunk
      }),
      let witness = frames[start...].firstIndex(where: \.isWitness),
      frames[start..<witness].allSatisfy({ $0.isThunk || $0.function == frames[start].function })
    else { return [] }
    return frames[witness...].indices.filter {
      let frame = frames[$0]
      // A convenience of a protocol of the package calls its requirement.
      return !frame.isWitness && !frame.isThunk && frame.module != nil && !frame.isOfReport
        && frame.module != "UnderstudyEssentials"
    }
  }
}

#if os(Linux) && canImport(Runtime)
  extension CallerSearch {
    /// The images of the process, and the callers that were found before: the same code may report
    /// thousands of calls.
    private struct Found {
      var images: ImageMap?
      var callers: [Stack: CallerPlace?] = [:]
    }

    private static let found = Lock(Found())
    private static let mostCallers = 1000

    static func caller() -> CallerPlace? {
      found.withLock { found in
        let images = found.images ?? ImageMap.capture()
        found.images = images
        let stack = Stack.ofCaller(images)
        if let known = found.callers[stack] { return known }
        // The source location of one frame takes a large program 50 ms, and a name next to nothing.
        let frames = stack.frames(with: images, options: .useSymbolCache)
        var caller: CallerPlace?
        for index in callers(in: frames.map(Frame.init)).prefix(3) where caller == nil {
          caller = Stack(places: [stack.places[index]])
            .frames(with: images, options: [.showSourceLocations, .useSymbolCache])
            .first.flatMap(CallerPlace.init)
        }
        if found.callers.count >= mostCallers { found.callers = [:] }
        found.callers[stack] = caller
        return caller
      }
    }
  }

  /// The places at which functions continue, from the inside outwards.
  private struct Stack: Hashable {
    enum Place: Hashable {
      /// Where a call returns to.
      case returning(UInt)
      /// Where an asynchronous function is resumed.
      case resuming(UInt)
    }

    /// The functions that a double may have between its report and its caller.
    private static let depth = 40

    var places: [Place]

    /// The calling functions of Swift, up to the one that other code calls. The callers of that one
    /// follow if it is asynchronous, since the runtime has resumed it or one of them.
    ///
    /// The toolchain's own walk reads memory without a check, and can end the process.
    static func ofCaller(_ images: ImageMap) -> Stack {
      // Safety: the callee writes at most `depth` elements, and returns their number.
      let functions = unsafe [understudy_frame](unsafeUninitializedCapacity: depth) {
        buffer, count in
        count = unsafe understudy_read_stack(buffer.baseAddress, depth)
      }
      var stack = Stack(places: functions.map { .returning($0.address) })
      let ofSwift = stack.frames(with: images, options: .useSymbolCache)
        .prefix { $0.symbol?.rawName.hasPrefix("$s") ?? false }
      guard let last = functions.prefix(ofSwift.count).last else { return Stack(places: []) }
      // Safety: as above.
      let callers = unsafe [UInt](unsafeUninitializedCapacity: depth) { buffer, count in
        count = unsafe understudy_read_continuations(last.base, buffer.baseAddress, depth)
      }
      stack.places.removeLast(functions.count - ofSwift.count)
      stack.places += callers.map { .resuming($0) }
      return stack
    }

    /// A frame for each place, or none if the toolchain cannot read them.
    func frames(
      with images: ImageMap, options: Backtrace.SymbolicationOptions
    ) -> [SymbolicatedBacktrace.Frame] {
      let data = try? JSONEncoder().encode(Archive(self))
      let backtrace = data.flatMap { try? JSONDecoder().decode(Backtrace.self, from: $0) }
      let frames = backtrace?.symbolicated(with: images, options: options)?.frames ?? []
      return frames.count == places.count ? frames : []
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

      init(_ stack: Stack) {
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

  extension CallerSearch.Frame {
    init(_ frame: SymbolicatedBacktrace.Frame) {
      self.init(
        name: frame.symbol?.name ?? "",
        module: frame.symbol.flatMap { Self.module(in: $0.rawName) },
        isThunk: frame.symbol?.isSwiftThunk ?? true)
    }
  }

  extension CallerPlace {
    init?(_ frame: SymbolicatedBacktrace.Frame) {
      guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
        let module = CallerSearch.Frame.module(in: symbol.rawName),
        let file = place.path.split(separator: "/").last
      else { return nil }
      self.init(
        fileID: "\(module)/\(file)", filePath: place.path, line: place.line, column: place.column)
    }
  }
#else
  extension CallerSearch {
    /// Only Linux has the toolchain's backtraces at each deployment target.
    static func caller() -> CallerPlace? { nil }
  }
#endif

extension CallerSearch.Frame {
  /// The module of a function, by its mangled name: `$s4Shop8CheckoutC…` has `Shop`. A member of an
  /// extension is of the module that extends the type, if the name spells that out: `$sSa4ShopE…`.
  /// `nil` for the standard library, and for other languages.
  static func module(in mangled: String) -> String? {
    guard mangled.hasPrefix("$s") else { return nil }
    var rest = mangled.dropFirst(2)
    var module = identifier(at: &rest)
    if module == nil {
      // A type of the standard library has two letters, and one of concurrency three.
      guard rest.first == "S" || rest.first == "s" else { return nil }
      rest = rest.dropFirst(rest.first == "s" ? 1 : rest.hasPrefix("Sc") ? 3 : 2)
    }
    while let name = identifier(at: &rest) {
      guard let kind = rest.first, "VCOPa".contains(kind) else {
        // The constraints of an extension end with an `l`.
        if rest.first == "E" || rest.contains(/^\w*?lE\d/) { module = name }
        break
      }
      rest = rest.dropFirst()
    }
    return module
  }

  /// Removes a name with its length before it: `4Shop`.
  private static func identifier(at rest: inout Substring) -> String? {
    let digits = rest.prefix(while: \.isNumber)
    guard let length = Int(digits), length > 0 else { return nil }
    let name = rest.dropFirst(digits.count).prefix(length)
    guard name.count == length else { return nil }
    rest = rest.dropFirst(digits.count + length)
    return String(name)
  }
}
