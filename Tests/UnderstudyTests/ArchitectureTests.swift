// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The rules for the sources of the core. Each one is also tested on text that breaks it.
@Suite struct `The architecture of the core` {
  /// A source file, and its text without comments and strings.
  struct File: Sendable {
    let folder: String
    let name: String
    let text: String

    /// The code without comments and string literals.
    var code: String { text.withoutCommentsAndStrings }

    /// The types that the file declares for other files, with nested ones.
    var declaredTypes: Set<String> { types { !$0.contains("private") } }

    /// The types that are visible in this file only.
    var privateTypes: Set<String> { types { $0.contains("private") } }

    private func types(where isWanted: (Substring) -> Bool) -> Set<String> {
      let declaration =
        /((?:\w+\s+)*)(?:class|struct|enum|actor|protocol|typealias)\s+([A-Z]\w*)/
        .wordBoundaryKind(.simple)
      return Set(code.matches(of: declaration).filter { isWanted($0.1) }.map { String($0.2) })
    }

    var words: Set<String> {
      Set(code.matches(of: /\b[A-Z]\w*/.wordBoundaryKind(.simple)).map { String($0.0) })
    }

    /// The names of the members, cases and functions that the file declares.
    ///
    /// - Parameter isPrivate: Whether to return those that are visible in this file only.
    func declaredMembers(isPrivate: Bool?) -> Set<String> {
      let declaration =
        /((?:[a-z]\w*(?:\(set\))? +)*)(?:func|var|let|case) +`?([a-z]\w*)/
        .wordBoundaryKind(.simple)
      return Set(
        code.matches(of: declaration)
          .filter { isPrivate == nil || $0.1.contains("private") == isPrivate }
          .map { String($0.2) })
    }

    /// The members that the file uses: each name after a dot, or before a parenthesis.
    var usedMembers: Set<String> {
      let code = code
      let members = code.matches(of: /\.([a-z]\w*)/).map { String($0.1) }
      let calls = code.matches(of: /[^.\w`]([a-z]\w*)\(/).map { String($0.1) }
      return Set(members + calls)
    }

    /// The file's own names: parameters, labels and variables.
    var ownNames: Set<String> {
      let code = code
      let labels = code.matches(of: /\b([a-z]\w*)\s*:/.wordBoundaryKind(.simple))
        .map { String($0.1) }
      let variables = code.matches(of: /(?:let|var|func)\s+\(?([a-z]\w*)/).map { String($0.1) }
      return Set(labels + variables)
    }
  }

  /// Members of the standard library whose names some folder declares as well.
  static let standardMembers: Set<String> = [
    "append", "children", "components", "contains", "create", "duration", "error", "first",
    "forEach", "get", "index", "insert", "joined", "kind", "map", "newValue", "optional", "remove",
    "removeAll", "self", "sequence", "type",
  ]

  /// The folders in order. Each one uses only folders to its left.
  static let folders = [
    "Support", "Keys", "Lifecycle", "Registration", "Engine", "Log", "Overrides", "Resolution",
    "Graph", "Injection",
  ]

  /// The only files that may use `@unchecked Sendable` and the like.
  static let unchecked: Set<String> = [
    "Platform.swift", "AtomicInt.swift", "Lock.swift", "KnownSendable.swift",
    "AnyRegistration.swift", "Registration.swift", "Instance.swift", "LevelLock.swift",
    "LevelStore.swift", "Creation.swift", "ResolutionLog.swift",
  ]

  static let header = """
    // Part of Understudy, a dependency-injection toolkit built around the test double.
    // SPDX-License-Identifier: MIT

    """

  // MARK: Checks

  /// The uses of types that are declared in a folder to the right.
  static func misplacedUses(in files: [File]) -> [String] {
    let declared = Dictionary(grouping: files, by: \.folder).mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.declaredTypes) }
    }
    return files.flatMap { file -> [String] in
      guard let index = folders.firstIndex(of: file.folder) else {
        return ["\(file.folder)/\(file.name) is in no folder of the design"]
      }
      let left = folders[...index].reduce(into: Set<String>()) { $0.formUnion(declared[$1] ?? []) }
      return folders[(index + 1)...].flatMap { folder -> [String] in
        file.words.intersection(declared[folder] ?? []).subtracting(left)
          .subtracting(file.privateTypes).sorted().map {
            "\(file.folder)/\(file.name) uses \($0) of \(folder)"
          }
      }
    }
  }

  /// The uses of members that are declared only in folders to the right.
  static func misplacedMembers(in files: [File]) -> [String] {
    let all = Dictionary(grouping: files, by: \.folder).mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.declaredMembers(isPrivate: nil)) }
    }
    let visible = Dictionary(grouping: files, by: \.folder).mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.declaredMembers(isPrivate: false)) }
    }
    return files.flatMap { file -> [String] in
      guard let index = folders.firstIndex(of: file.folder) else { return [] }
      let left = folders[...index].reduce(into: Set<String>()) { $0.formUnion(all[$1] ?? []) }
      let used = file.usedMembers.subtracting(left).subtracting(standardMembers)
        .subtracting(file.ownNames)
      return folders[(index + 1)...].flatMap { folder -> [String] in
        used.intersection(visible[folder] ?? []).sorted().map {
          "\(file.folder)/\(file.name) uses .\($0) of \(folder)"
        }
      }
    }
  }

  static func longFiles(in files: [File]) -> [String] {
    files.filter { $0.text.split(separator: "\n", omittingEmptySubsequences: false).count > 401 }
      .map(\.name)
  }

  static func foundationImports(in files: [File]) -> [String] {
    files.filter { $0.code.contains(/\bimport\s+(?:\w+\s+)?Foundation/) }.map(\.name)
  }

  static func filesWithoutHeader(in files: [File]) -> [String] {
    files.filter { !$0.text.hasPrefix(header) }.map(\.name)
  }

  static func uncheckedFiles(in files: [File]) -> [String] {
    files.filter {
      $0.code.contains(/@unchecked\s+Sendable|nonisolated\(unsafe\)/)
        && !(unchecked.contains($0.name) && $0.text.contains("Safety"))
    }.map(\.name)
  }

  // MARK: Sources

  static func sources() throws -> [File] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Understudy")
    return try FileManager.default.contentsOfDirectory(atPath: root.path()).flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
        .filter { $0.hasSuffix(".swift") }
        .map { name in
          let url = root.appending(path: "\(folder)/\(name)")
          return File(
            folder: folder, name: name, text: try String(contentsOf: url, encoding: .utf8))
        }
    }
  }

  @Test func `a folder uses only folders to its left`() throws {
    let files = try Self.sources()
    #expect(files.count > 40)
    #expect(Self.misplacedUses(in: files) == [])
    #expect(Self.misplacedMembers(in: files) == [])
  }

  @Test func `no file is longer than 400 lines`() throws {
    try #expect(Self.longFiles(in: Self.sources()) == [])
  }

  @Test func `no file imports Foundation`() throws {
    try #expect(Self.foundationImports(in: Self.sources()) == [])
  }

  @Test func `every file has the header`() throws {
    try #expect(Self.filesWithoutHeader(in: Self.sources()) == [])
  }

  @Test func `only listed files promise safety that the compiler cannot check`() throws {
    try #expect(Self.uncheckedFiles(in: Self.sources()) == [])
  }

  // MARK: Bounds

  @Test(arguments: [("register", 22), ("resolve", 8)])
  func `a verb has few public forms`(verb: String, most: Int) throws {
    let form = try Regex("public func \(verb)\\b")
    let forms = try Self.sources().reduce(0) { $0 + $1.code.matches(of: form).count }
    #expect(1...most ~= forms)
  }

  @Test func `at most 12 files have unsafe code`() throws {
    let files = try RepositoryFile.all.get().filter {
      $0.path.hasPrefix("Sources/Understudy/") && `Unsafe code`.isUnsafe($0)
    }
    #expect(1...12 ~= files.count)
  }

  /// The signatures of a text that have an unmanaged reference, and are seen by other files.
  static func unmanagedSignatures(in code: String) -> [String] {
    code.matches(of: /(?m)^[^\n{=]*\b(?:func|var|let|init|subscript)\b[^{=\n]*\bUnmanaged\b/)
      .map { String($0.0) }.filter { !$0.contains("private") }
  }

  @Test func `no signature has an unmanaged reference`() throws {
    try #expect(Self.sources().flatMap { Self.unmanagedSignatures(in: $0.code) } == [])
    #expect(
      Self.unmanagedSignatures(
        in: "func f(_ x: Unmanaged<A>) {}\nprivate func g() -> Unmanaged<A> {\nlet y = Unmanaged"
      ).count == 1)
  }

  @Test func `the top level is short`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: root.path())
    #expect(
      Set(names.filter { !$0.hasPrefix(".") && $0 != "Package.resolved" })
        == ["CHANGELOG.md", "Docs", "LICENSE", "Package.swift", "README.md", "Sources", "Tests"])
  }

  /// The page says which file decides what, and names its functions.
  @Test func `the page names files and functions that exist`() throws {
    let page = try RepositoryFile(at: "Docs/Architecture.md").text
    let files = try Self.sources()
    let paths = Set(files.map { "\($0.folder)/\($0.name)" })
    let decides = page.matches(of: /`(\w+\/[\w+]+\.swift)`/).map { String($0.1) }
    #expect(decides.count >= 12)
    #expect(decides.filter { !paths.contains($0) } == [])
    let text = files.map(\.text).joined(separator: "\n")
    let functions = page.matches(of: /\(`([a-z]\w*)`\)/).map { String($0.1) }
    #expect(functions.count >= 4)
    #expect(functions.filter { !text.contains("func \($0)") && !text.contains("var \($0)") } == [])
  }

  // MARK: The checks find violations

  @Test func `a use of a type in a folder to the right is found`() {
    let files = [
      File(
        folder: "Support", name: "Bad.swift",
        text: """
          // A comment may mention Late.
          struct Early { let text = "Late" }
          func use(_ x: Late.Nested) {}
          """),
      File(
        folder: "Log", name: "Good.swift",
        text: "final class Late { enum Nested {}; private struct Early {} }"),
      File(folder: "Elsewhere", name: "Lost.swift", text: ""),
    ]
    #expect(
      Self.misplacedUses(in: files) == [
        "Support/Bad.swift uses Late of Log", "Support/Bad.swift uses Nested of Log",
        "Elsewhere/Lost.swift is in no folder of the design",
      ])
  }

  @Test func `a use of a member in a folder to the right is found, whatever the type's name`() {
    let files = [
      File(
        folder: "Keys", name: "Bad.swift",
        text: """
          extension Early {
            func begin() { endLate(); print(late.state) } // lateSpoken
            private func close() {}
            func use(known: Int) { known.left(known: 1) }
          }
          """),
      File(folder: "Support", name: "Left.swift", text: "extension Early { func left() {} }"),
      File(
        folder: "Log", name: "Good.swift",
        text: """
          extension Early {
            func endLate() { begin(); left() }
            var state: Int { 1 }
            private var close: Int { 2 }
            var known: Int { 3 }
            func lateSpoken() {}
          }
          """),
    ]
    #expect(
      Self.misplacedMembers(in: files) == [
        "Keys/Bad.swift uses .endLate of Log", "Keys/Bad.swift uses .state of Log",
      ])
  }

  @Test(arguments: [(400, false), (401, true)])
  func `a long file is found`(lines: Int, isLong: Bool) {
    let text = String(repeating: "line\n", count: lines)
    let file = File(folder: "Log", name: "Long.swift", text: text)
    #expect(Self.longFiles(in: [file]).isEmpty != isLong)
  }

  @Test(arguments: [
    ("import Foundation", true), ("internal import Foundation", true),
    ("import struct Foundation.URL", true),
    ("// import Foundation", false), ("let x = \"import Foundation\"", false),
    ("import Glibc", false),
  ])
  func `an import of Foundation is found`(text: String, isBad: Bool) {
    let file = File(folder: "Log", name: "A.swift", text: text)
    #expect(Self.foundationImports(in: [file]).isEmpty != isBad)
  }

  @Test func `a missing header is found`() {
    let header = Self.header
    let files = [
      File(folder: "Log", name: "Good.swift", text: header + "\nstruct A {}"),
      File(folder: "Log", name: "Bad.swift", text: "struct A {}"),
      File(folder: "Log", name: "Late.swift", text: "\n" + header),
    ]
    #expect(Self.filesWithoutHeader(in: files) == ["Bad.swift", "Late.swift"])
  }

  @Test func `an unchecked promise in a file that is not listed is found`() {
    let text = "final class A: @unchecked Sendable {}"
    let files = [
      File(folder: "Log", name: "Bad.swift", text: text),
      File(folder: "Log", name: "Platform.swift", text: "/// Safety: immutable.\n" + text),
      File(folder: "Log", name: "Registration.swift", text: text),
      File(folder: "Log", name: "Spoken.swift", text: "/// Not @unchecked Sendable."),
      File(folder: "Log", name: "Worse.swift", text: "nonisolated(unsafe) var x = 1"),
    ]
    #expect(Self.uncheckedFiles(in: files) == ["Bad.swift", "Registration.swift", "Worse.swift"])
  }
}

/// The rules for all files of the package. Each one is also tested on text that breaks it.
@Suite struct `The files of the package` {
  /// A pattern that is forbidden in some folders, except in the listed files.
  enum Rule: CaseIterable, Sendable {
    case debugCondition, testFramework, foundation, unchecked, lock, packageDependency, sleep

    private var forbidden: Regex<Substring> {
      switch self {
      case .debugCondition: /#(?:if|elseif)[^\n]*DEBUG/
      case .testFramework: /\bimport\s+(?:\w+\s+)?(?:Testing|XCTest)/
      case .foundation: /\bimport\s+(?:\w+\s+)?Foundation/
      case .unchecked: /@unchecked/
      case .lock: /pthread_mutex|NSLock|DispatchSemaphore|os_unfair_lock/
      case .packageDependency: /\.package\(/
      case .sleep: /(?:Thread|Task(?:<[^>]*>)?)\.sleep|usleep\(/
      }
    }

    /// The path prefixes to which the rule applies.
    private var places: [String] {
      switch self {
      case .debugCondition, .lock: ["Sources/"]
      case .testFramework:
        [
          "Sources/Understudy/", "Sources/UnderstudyCompatibility/",
          "Sources/UnderstudyDefinitions/", "Sources/UnderstudyDoubles/",
        ]
      case .foundation: ["Sources/UnderstudyCompatibility/", "Sources/UnderstudyDoubles/"]
      case .unchecked:
        [
          "Sources/UnderstudyCompatibility/", "Sources/UnderstudyDefinitions/",
          "Sources/UnderstudyDoubles/",
        ]
      case .packageDependency: ["Package.swift"]
      case .sleep: ["Tests/"]
      }
    }

    /// The path prefixes to which the rule does not apply.
    private var exceptions: [String] {
      switch self {
      // These files read and write other files.
      case .foundation: ["Sources/UnderstudyDoubles/Cassettes/"]
      // A user makes this promise with `Unchecked` in the type of a spy.
      case .unchecked: ["Sources/UnderstudyDoubles/Recording/Unchecked.swift"]
      // The only file that calls the C library, and the sample, which has what a user has.
      case .lock:
        ["Sources/Understudy/Support/Platform.swift", "Sources/BoxOffice/Support/Guarded.swift"]
      case .debugCondition, .testFramework, .packageDependency, .sleep: []
      }
    }

    /// True if the file breaks the rule.
    func isBroken(by path: String, _ text: String) -> Bool {
      let forbidden = self.forbidden
      guard places.contains(where: { path.hasPrefix($0) }),
        !exceptions.contains(where: { path.hasPrefix($0) }), text.contains(forbidden)
      else { return false }
      return text.withoutCommentsAndStrings.contains(forbidden)
    }
  }

  @Test(arguments: Rule.allCases)
  func `none breaks a rule`(rule: Rule) throws {
    let files = try RepositoryFile.all.get()
    #expect(files.count > 500)
    #expect(files.filter { rule.isBroken(by: $0.path, $0.text) }.map(\.path) == [])
  }

  @Test(
    arguments: [
      (.debugCondition, "Sources/BoxOffice/A.swift", "#if DEBUG\n#endif", true),
      (.debugCondition, "Sources/Understudy/Log/A.swift", "#if os(Linux) && !DEBUG", true),
      (.debugCondition, "Sources/Understudy/Log/A.swift", "// #if DEBUG", false),
      (.testFramework, "Sources/UnderstudyDoubles/A.swift", "internal import XCTest", true),
      (.testFramework, "Sources/UnderstudyDefinitions/A.swift", "import Testing", true),
      (.testFramework, "Sources/UnderstudyTesting/A.swift", "import Testing", false),
      (.foundation, "Sources/UnderstudyDoubles/Doubles/A.swift", "import Foundation", true),
      (.foundation, "Sources/UnderstudyCompatibility/Filters/A.swift", "import Foundation", true),
      (.foundation, "Sources/UnderstudyDoubles/Cassettes/A.swift", "import Foundation", false),
      (
        .unchecked, "Sources/UnderstudyDefinitions/Model/A.swift",
        "struct A: @unchecked Sendable {}", true
      ),
      (
        .unchecked, "Sources/UnderstudyDoubles/Recording/Unchecked.swift",
        "struct A: @unchecked Sendable {}", false
      ),
      (.unchecked, "Sources/UnderstudyDoubles/A.swift", "/// No @unchecked Sendable.", false),
      (.lock, "Sources/UnderstudyTool/A.swift", "let lock = NSLock()", true),
      (.lock, "Sources/Understudy/Log/A.swift", "pthread_mutex_lock(mutex)", true),
      (.lock, "Sources/BoxOffice/Support/A.swift", "let lock = NSLock()", true),
      (.lock, "Sources/BoxOffice/Support/Guarded.swift", "let lock = NSLock()", false),
      (.lock, "Sources/Understudy/Support/Platform.swift", "pthread_mutex_lock(mutex)", false),
      (.packageDependency, "Package.swift", "  .package(url: \"there\", from: \"1.0.0\"),", true),
      (.packageDependency, "Tests/Corpus/Package.swift", ".package(path: \"..\")", false),
      (.sleep, "Tests/UnderstudyTests/A.swift", "try await Task.sleep(for: .seconds(1))", true),
      (.sleep, "Tests/UnderstudyTests/A.swift", "try await Task<Never, Never>.sleep(for: x)", true),
      (.sleep, "Tests/UnderstudyTests/A.swift", "Thread.sleep(forTimeInterval: 1)", true),
      (.sleep, "Tests/Corpus/Tests/A.swift", "usleep(1)", true),
      (.sleep, "Tests/UnderstudyTests/A.swift", "try await clock.sleep(for: .seconds(1))", false),
      (.sleep, "Tests/UnderstudyTests/A.swift", "let text = \"usleep(1)\"", false),
    ] as [(Rule, String, String, Bool)])
  func `one that breaks a rule is found`(rule: Rule, path: String, text: String, isBad: Bool) {
    #expect(rule.isBroken(by: path, text) == isBad)
  }
}
