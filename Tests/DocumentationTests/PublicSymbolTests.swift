// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Every public symbol is named by a page, or is in a list of symbols that need no page.
struct `A public symbol` {
  private static let modules = [
    "Understudy", "UnderstudyCompatibility", "UnderstudyDefinitions", "UnderstudyDoubles",
    "UnderstudyEssentials",
    "UnderstudyGraph", "UnderstudyTesting",
  ]

  /// Symbols that are explained in the reference only: types that calls infer or return,
  /// requirements of the standard library's protocols, and properties of such types. Remove a
  /// symbol from this list when a page names it.
  private static let unnamed = Set(
    """
    Answering Answers ArgumentsMatcher AssemblyChoice AssemblyPriority CallCount CallSite
    ChosenProfile Contents DefinitionError
    DoubleControls Edge Fault FaultSchedule FixedProcess GenericStubbing
    HTTPExchange Handler ImmediateScheduler InjectionKey Instant Iterator
    KeyInjecting KeyValueStorable Malformed Matcher Matching Mode NoArgument Node NotADouble OrderBuilder
    OrderStep Origin OverridesTrait PropertyPath PropertyRequirement PropertyScalar
    Qualifier QueueScheduler RegistrationDefaults Removed
    ResolutionCountRequirement ResolutionCounts Response
    ServiceArguments ServiceMetadata Severity Spying StandardStream Step Stubbing Subject
    SystemDate SystemRandomness URLSessionClient Unanswered UnstubbedPolicy
    Verifiable VerificationError Violation Weight
    activeProcessorCount advanced assertion buildArray buildBlock buildEither
    buildExpression buildOptional byteCount callAsFunction controls customMirror
    debugDescription defaults duration endIndex expectedCount fileID filePath followsSymbolicLinks
    inheritedValueCount inOneLine injectables injections isEager isRecursive low
    makeAsyncIterator maximumDepth mayBeMissing minimumResolution nextDeadline nextText
    normal offset operatingSystemVersionString origin pathByteCount
    physicalMemory problem processIdentifier processName rawValue
    removeAll revealed runningCount scopeProvider setUpWithError severity
    sinceEpoch startIndex systemUptime update valueCount
    """.split { $0.isWhitespace }.map(String.init))

  @Test func `is named by a guide`() throws {
    let missing = try Self.missing(from: Self.guides(), in: Self.symbols())
    #expect(missing.subtracting(Self.unnamed).sorted() == [], "No page names these.")
    #expect(
      Self.unnamed.subtracting(missing).sorted() == [], "A page names these, or they are gone.")
  }

  /// The core must declare neither a key nor a type of a ready-made dependency.
  @Test func `of the core does not belong to a ready-made dependency`() throws {
    let core = try Self.text(of: "Understudy")
    let ready = try Self.text(of: "UnderstudyEssentials")
    let declared = Self.declared(in: ready)
    #expect(declared.isSuperset(of: ["uuid", "fileSystem", "FileSystem", "UUIDGenerator"]))
    #expect(Self.declared(in: core).intersection(declared) == [])
    // The check can fail.
    let wrong = core + "\npublic protocol FileSystem {}\n"
    #expect(Self.declared(in: wrong).intersection(declared) == ["FileSystem"])
  }

  /// The public types and declared dependencies of a source.
  private static func declared(in source: String) -> Set<String> {
    let types =
      #/(?m)^(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:final\s+)?(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)/#
    let keys = #/(?m)^\s*public\s+static\s+(?:var|let)\s+(\w+)\s*(?::|=)\s*Dependency</#
    return Set(source.matches(of: types).map { String($0.1) })
      .union(source.matches(of: keys).map { String($0.1) })
  }

  private static func text(of module: String) throws -> String {
    let folder = Page.root.appending(path: "Sources/\(module)")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .joined(separator: "\n")
  }

  @Test func `is found if no guide names it`() {
    let source = """
      public struct Named {
        public var hidden: Int
        @discardableResult public static func forgotten() -> Int { 1 }
      }
      struct Internal {}
      """
    let symbols = Self.names(in: source)
    #expect(symbols == ["Named", "hidden", "forgotten"])
    #expect(
      Self.missing(from: "Use `Named`, not forgottenly.", in: symbols) == ["hidden", "forgotten"])
  }

  private static func symbols() throws -> Set<String> {
    try modules.reduce(into: []) { symbols, module in
      let folder = Page.root.appending(path: "Sources/\(module)")
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where file.hasSuffix(".swift") {
        symbols.formUnion(
          names(in: try String(contentsOf: folder.appending(path: file), encoding: .utf8)))
      }
    }
  }

  private static func names(in source: String) -> Set<String> {
    let pattern =
      #/(?m)^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s+(?:(?:static|final|class|mutating|nonisolated|convenience|override|indirect)\s+)*(?:func|var|let|struct|enum|protocol|class|actor|typealias)\s+`?(\w+)/#
    return Set(source.matches(of: pattern).map { String($0.1) })
  }

  /// The text of all pages in `Docs` and of the README, without the table of prior systems.
  private static func guides() throws -> String {
    try Page.all.filter {
      $0.path != "Docs/PriorSystems.md" && !$0.path.hasPrefix("Docs/Examples/")
        && ($0.path.hasPrefix("Docs/") || $0.path == "README.md")
    }.map { try $0.text }.joined(separator: "\n")
  }

  private static func missing(from pages: String, in symbols: Set<String>) -> Set<String> {
    let words = Set(pages.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    return symbols.subtracting(words)
  }
}
