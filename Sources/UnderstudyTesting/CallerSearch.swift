// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if os(Linux) && canImport(Runtime)
  internal import Runtime
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
      let start = frames.firstIndex(where: { $0.module != nil && !$0.isOfReport && !$0.isThunk }),
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
      var callers: [[Backtrace.Address]: CallerPlace?] = [:]
    }

    private static let found = Lock(Found())
    /// The frames that a double may have between its report and its caller.
    private static let depth = 40
    private static let mostCallers = 1000

    static func caller(ofCallAt callSite: CallSite) -> CallerPlace? {
      found.withLock { found in
        let images = found.images ?? ImageMap.capture()
        found.images = images
        func stack(from index: Int, _ count: Int) -> Backtrace? {
          try? Backtrace.capture(
            limit: count, offset: index, top: 0, images: images)
        }
        guard let whole = stack(from: 0, depth) else { return nil }
        let addresses = whole.frames.compactMap(\.address)
        if let known = found.callers[addresses] { return known }
        // The source location of one frame takes a large program 50 ms, and a name next to nothing.
        let names = whole.symbolicated(with: images, options: .useSymbolCache)?.frames ?? []
        var caller: CallerPlace?
        for index in callers(in: names.map(Frame.init)).prefix(3) where caller == nil {
          // The last of two frames is only the mark that there are more.
          caller = stack(from: index, 2)?
            .symbolicated(with: images, options: [.showSourceLocations, .useSymbolCache])?
            .frames.first.flatMap(CallerPlace.init)
        }
        if found.callers.count >= mostCallers { found.callers = [:] }
        found.callers[addresses] = caller
        return caller
      }
    }
  }

  extension Backtrace.Frame {
    fileprivate var address: Backtrace.Address? {
      switch self {
      case .programCounter(let address), .returnAddress(let address),
        .asyncResumePoint(let address):
        address
      default: nil
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
    static func caller(ofCallAt callSite: CallSite) -> CallerPlace? { nil }
  }
#endif

extension CallerSearch.Frame {
  /// The module in a mangled name: `$s4Shop8CheckoutC…` has `Shop`.
  static func module(in mangled: String) -> String? {
    guard mangled.hasPrefix("$s") else { return nil }
    let rest = mangled.dropFirst(2)
    let digits = rest.prefix(while: \.isNumber)
    guard let length = Int(digits), length > 0 else { return nil }
    let name = rest.dropFirst(digits.count).prefix(length)
    return name.count == length ? String(name) : nil
  }
}
