// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Finds the code that called a double.
///
/// A requirement of a protocol has no default arguments, so a double that implements one cannot
/// know its caller, and the call site of its spy is a line of the double. The stack has the caller,
/// outside the thunk through which a protocol is called. A stack is read only for a report.
enum CallerSearch {
  /// A function on the stack.
  struct Frame {
    /// `nil` for a function of the standard library, or of another language.
    let module: String?
    /// The function's name, without the number of a part of an asynchronous function. An
    /// initialiser has the same name as the function that allocates the object for it.
    let function: String

    /// The mangled name is empty for code without a name.
    init(_ mangled: String) {
      module = Self.module(in: mangled)
      isOfSpy = module != "UnderstudyDoubles" && mangled.hasPrefix("$s17UnderstudyDoubles")
      let function = mangled.replacing(/(?:T[QY]\d*_)+$/, with: "")
      self.function = function.hasSuffix("fC") ? function.dropLast() + "c" : function
    }

    /// True for a helper that a user adds to a spy in an extension.
    private let isOfSpy: Bool

    /// True for the code through which a requirement of a protocol is called.
    var isWitness: Bool { function.hasSuffix("TW") }

    /// True for code that only the compiler has written.
    var isThunk: Bool {
      ["TA", "Ta", "To", "TO", "TR", "Tr", "TW"].contains { function.hasSuffix($0) }
    }

    /// True for code that a user may have written.
    var isOfUser: Bool { module != nil && !isThunk }

    /// True for code that may be a double's.
    var isOfDouble: Bool { isOfUser && !isOfReport && !isOfSpy }

    /// True for code that may have called a double. A convenience of a protocol of the package
    /// calls its requirement, and an assertion its closure.
    var isCaller: Bool {
      isOfUser && !isOfReport && module != "UnderstudyEssentials" && module != "Testing"
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
      let start = frames[report...].firstIndex(where: \.isOfDouble),
      let witness = frames[start...].firstIndex(where: \.isWitness)
    else { return [] }
    // The name of a closure begins with that of the function that it is written in.
    let double = frames[start..<witness].filter(\.isOfDouble)
    guard let function = double.last?.function,
      double.allSatisfy({ $0.function.hasPrefix(function) })
    else { return [] }
    // The function that calls an assertion of XCTest is not on the stack. Its caller, which is, is
    // not the place of the call.
    let end = frames[witness...].firstIndex { $0.module == "XCTest" } ?? frames.endIndex
    return (witness..<end).filter { frames[$0].isCaller }
  }
}

#if os(macOS) || os(Linux) && canImport(Runtime)
  extension CallerSearch {
    /// The callers that were found before: the same code may report thousands of calls.
    private static let found = Lock<[CallerStack: CallerPlace?]>([:])
    private static let mostFound = 1000

    static func caller() -> CallerPlace? {
      let stack = CallerStack.current
      if let known = found.withLock({ $0[stack] }) { return known }
      let caller = stack.firstPlace(of: callers(in: stack.names.map(Frame.init)).prefix(3))
      found.withLock { found in
        if found.count >= mostFound { found = [:] }
        found[stack] = caller
      }
      return caller
    }
  }
#else
  extension CallerSearch {
    /// Only Linux has the toolchain's backtraces at each deployment target, and only macOS has
    /// `atos`.
    static func caller() -> CallerPlace? { nil }
  }
#endif

extension CallerPlace {
  /// `nil` for code without a line in a source file, such as what a macro expands to.
  init?(in function: CallerSearch.Frame, path: String, line: Int, column: Int = 0) {
    guard line > 0, let module = function.module, let file = path.split(separator: "/").last,
      !file.hasPrefix("@__swiftmacro")
    else { return nil }
    self.init(fileID: "\(module)/\(file)", filePath: path, line: line, column: column)
  }
}

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
