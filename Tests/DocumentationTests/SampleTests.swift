// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The code in the guides is compiled somewhere: here, in an example, or in the sample application.
/// Change a page and its code together.
struct `A guide` {
  /// Blocks that another test compiles, and a block for another library.
  private static let exceptions = [
    "README.md": ["// swift-tools-version: 6.2"],  // `The README's manifest`
    "Docs/Doubles/ThreeWays.md": ["@Mockable"],
    // `The page about lost doubles` compiles these without `private`.
    "Docs/WhereDidMyDoubleGo.md": ["struct Outbox: Sendable {", "@Suite("],
  ]

  @Test(arguments: Page.all)
  func `has no block of Swift that is not compiled`(page: Page) throws {
    let exceptions = Self.exceptions[page.path] ?? []
    let blocks = try page.blocks("swift")
    func isException(_ block: String) -> Bool {
      exceptions.contains { block.hasPrefix("\($0)\n") }
    }
    #expect(blocks.count(where: isException) == exceptions.count)
    for block in blocks where !isException(block) {
      #expect(Compiled.contains(block: block), "\(page.path) shows:\n\(block)")
    }
  }

  @Test(arguments: Page.guides)
  func `has no code in a table that is not compiled`(page: Page) throws {
    for cell in try page.codeOfSecondColumn() {
      #expect(Compiled.contains(cell: cell), "\(page.path) says: \(cell)")
    }
  }

  @Test func `with wrong code is found by the checks`() throws {
    let names = Page.guides.map(\.path)
    #expect(names.contains("Docs/FirstTest.md"))
    #expect(names.contains("Docs/MovingHere/Factory.md"))
    #expect(try Page.all.map { try $0.blocks("swift").count }.reduce(0, +) > 50)
    #expect(Page.all.contains { $0.path == "Sources/Understudy/Understudy.docc/Understudy.md" })
    #expect(try Page.guides.map { try $0.codeOfSecondColumn().count }.reduce(0, +) > 100)
  }

  /// The package that the README's second command tests. A block is a file of it, with its imports,
  /// or a part of a file that the page has shown.
  @Test(arguments: [("README.md", 4), ("Docs/FirstTest.md", 6)])
  func `to a first test is a package, too`(path: String, count: Int) throws {
    let folder = Page.root.appending(path: "Docs/Examples/FirstTest")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let code = try (names ?? []).filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    let blocks = try Page(path: path).blocks("swift").filter {
      // The manifest, and a block about the compiler.
      !$0.hasPrefix("// swift-tools-version") && !$0.hasPrefix("try withOverrides")
    }
    #expect(blocks.count == count)
    for block in blocks {
      #expect(Compiled.contains(block: block, in: code), "The package does not have:\n\(block)")
      #expect(block.hasPrefix("import ") || block.hasPrefix("@Test(.overrides"), "\(block)")
    }
  }

  @Test func `with code that is not compiled is found`() {
    #expect(!Compiled.contains(block: "let nothing = \("compiles") + this\n"))
    #expect(!Compiled.contains(cell: "nothing.\("compiles")(this)"))
  }

  @Test(arguments: [
    "FirstTest", "Doubles", "Essentials", "WhereDidMyDoubleGo", "OneTimeArguments",
    "OverridingModules", "TestingServers", "ParallelAndSerial", "PreviewsAndUITests", "Guarantees",
    "Performance", "PerformanceTables", "WiringYourApp", "Isolation", "Recipes", "Contributing",
    "Architecture", "APIStability", "LiveGuard", "Mistakes", "Observing",
  ])
  func `exists for each question`(name: String) {
    #expect(Page.guides.contains { $0.path == "Docs/\(name).md" })
  }

  /// The topics that a newcomer looks for, by page.
  private static let sections = [
    "WiringYourApp": [
      "Register or declare", "Choose a lifecycle", "Asynchronous blocks and the main actor",
      "Group registrations in assemblies", "The composition root", "Register in the test process",
      "Which resolver answers", "Every wrapper", "A server with a layer for each request",
    ],
    "LiveGuard": [
      "One dependency", "More than one", "The message", "Allow production in a test", "The order",
    ],
    "Isolation": [
      "An actor", "A `@MainActor` model", "An `@Observable` class", "A `Sendable` class",
      "A callback of a queue", "All of them in one app",
      "A module that is on the main actor by default",
    ],
    "Recipes": [
      "Get your spy back", "Override in the middle of a test", "Assert that nothing was resolved",
      "Inject a fault", "Throw once, then succeed", "Fix the identity, the date and the clock",
      "Keep your own base class of XCTest", "Test a view model after its scope",
      "Stub the network in parallel tests", "One instance for each argument",
      "One instance for each graph",
    ],
    "Contributing": [
      "Build and test", "The house in one page", "Add or change a rule", "Add a form",
      "Add a protocol shape", "Checks in CI",
    ],
  ]

  @Test(arguments: sections.keys.sorted())
  func `has a section for each topic of a newcomer`(name: String) throws {
    let text = try Page(path: "Docs/\(name).md").text
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
      .map { String($0.dropFirst(3)) }
    let wanted = try #require(Self.sections[name])
    // The sections are in this order, with others between them.
    #expect(headings.filter(wanted.contains) == wanted)
  }

  @Test(arguments: [
    "SwiftDependencies", "Factory", "Swinject", "Resolver", "Needle", "Mockable", "Cuckoo",
    "Spyable", "HandWrittenMocks", "Guise9", "GuiseSwift3", "Blade", "Dose", "Deli",
  ])
  func `about another library has the table with its three columns, and the losses`(
    name: String
  ) throws {
    let page = Page(path: "Docs/MovingHere/\(name).md")
    let head = "| what you write there | what you write here | what gets better, what you lose |"
    #expect(try page.text.contains("\n\(head)\n"))
    #expect(try page.codeOfSecondColumn().count >= 4)
    #expect(Self.endsWithLosses(try page.text))
  }

  /// True if the last section of a page has a list in which each item names a loss in bold, and
  /// then an alternative.
  private static func endsWithLosses(_ text: String) -> Bool {
    let last = text.trimmingCharacters(in: .newlines).components(separatedBy: "\n## ").last ?? ""
    guard last.hasPrefix("You lose, and how to do without\n\n- **") else { return false }
    let lines = last.split(separator: "\n").dropFirst()
    let items = last.components(separatedBy: "\n- ").dropFirst()
    return lines.allSatisfy { $0.hasPrefix("- **") || $0.hasPrefix("  ") }
      && items.allSatisfy { $0.wholeMatch(of: #/(?s)\*\*.+?\*\*.{10,}\./#) != nil }
  }

  @Test func `about another library without the losses at its end is found`() {
    let right = "# Coming\n\n## You lose, and how to do without\n\n- **It.** Use this instead.\n"
    #expect(Self.endsWithLosses(right))
    #expect(!Self.endsWithLosses(right + "\nYou get more.\n"))
    #expect(!Self.endsWithLosses(right + "\n## Next\n"))
    #expect(!Self.endsWithLosses(right + "- **A loss without a way.**\n"))
  }

  /// The public properties of `DependencyValues` in the sources of swift-dependencies.
  private static let builtInKeys = [
    "assert", "assertionFailure", "calendar", "context", "continuousClock", "date", "fireAndForget",
    "locale", "mainQueue", "mainRunLoop", "notificationCenter", "openURL", "precondition",
    "preferredLocales", "suspendingClock", "timeZone", "urlSession", "uuid",
    "withRandomNumberGenerator",
  ]

  @Test func `to moving from swift-dependencies has each built-in key, and no other`()
    throws
  {
    let text = try Page(path: "Docs/MovingHere/SwiftDependencies.md").text
    let rows = text.matches(of: #/(?m)^\| `(\w+)`(?: as `now`)? \| (none|`\\.(\w+)`) \|/#)
    #expect(Set(rows.map { String($0.1) }) == Set(Self.builtInKeys))
    let essentials = try Page(path: "Docs/Essentials.md").text
    for key in rows.compactMap({ $0.3 }) { #expect(essentials.contains("`\\.\(key)`"), "\(key)") }
    #expect(text.contains("| `date.now` as `now` |"))
  }

  /// Each key of the module is in the table and in a compiled sample.
  @Test func `to ready-made dependencies has a recipe for each key`() throws {
    let page = Page(path: "Docs/Essentials.md")
    let keysOn = try page.text.components(separatedBy: "\n## The keys\n")
    let table = keysOn[1].components(separatedBy: "\n## ")[0]
    let samples = try page.blocks("swift").joined()
    let folder = Page.root.appending(path: "Sources/UnderstudyEssentials")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let keys = try (files ?? []).filter { $0.hasSuffix(".swift") }.flatMap { file in
      try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        .matches(of: #/public static var (\w+): Dependency</#).map { String($0.1) }
    }
    #expect(keys.count == 24)
    let changes = try Page(path: "CHANGELOG.md").text
    #expect(changes.contains("`UnderstudyEssentials`: \(keys.count) declared dependencies"))
    for key in keys {
      #expect(table.contains("`\\.\(key)`"), "The table does not have \(key).")
      #expect(samples.contains("override(\\.\(key), with:") || key == "fireAndForget", "\(key)")
    }
    #expect(samples.contains("resolve(\\.fireAndForget)"))
  }

  @Test(arguments: [
    "Configuration", "GRDB", "GRPC", "Hummingbird", "Lifecycle", "Logging", "Metrics", "NIO",
    "Tracing",
  ])
  func `exists for each bridge`(name: String) throws {
    #expect(Page.all.contains { $0.path == "Docs/Bridges/\(name).md" })
    try #expect(Page(path: "Docs/README.md").text.contains("](Bridges/\(name).md)"))
  }

  @Test func `is in the index`() throws {
    let index = try Page(path: "Docs/README.md").text
    for page in Page.guides where page.path != "Docs/README.md" {
      let link = page.path.dropFirst("Docs/".count)
      #expect(index.contains("](\(link))"), "\(link)")
    }
  }
}
