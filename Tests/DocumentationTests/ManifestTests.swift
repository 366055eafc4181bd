// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The manifest in the README, in a package beside this one.
struct `The README's manifest` {
  @Test func `is valid, and links the two products`() throws {
    let block = try #require(
      Page(path: "README.md").blocks("swift").first { $0.hasPrefix("// swift-tools-version") })
    let manifest = try dump(manifest: block)
    let targets = try #require(manifest["targets"] as? [[String: Any]])
    #expect(targets.map { $0["name"] as? String } == ["Orders", "OrdersTests"])
    let products = targets.flatMap { target -> [String] in
      let dependencies = target["dependencies"] as? [[String: Any]] ?? []
      return dependencies.compactMap { ($0["product"] as? [Any])?.first as? String }
    }
    #expect(products == ["Understudy", "UnderstudyTesting"])
    let ours = try String(contentsOf: Page.root.appending(path: "Package.swift"), encoding: .utf8)
    for product in products { #expect(ours.contains(".library(name: \"\(product)\"")) }
    // Without these, a package on an Apple platform cannot depend on this one.
    #expect(try Self.platforms(of: manifest) == Self.platforms(of: dump(manifest: ours)))
  }

  private static func platforms(of manifest: [String: Any]) throws -> [String] {
    let platforms = try #require(manifest["platforms"] as? [[String: Any]])
    return try platforms.map {
      try "\(#require($0["platformName"] as? String)) \(#require($0["version"] as? String))"
    }.sorted()
  }

  @Test func `is found if it is invalid`() {
    #expect(throws: (any Error).self) { try dump("dependencies: [],\ntargets: [.nothing]\n") }
  }
}

struct `The manifest of this package` {
  /// A program that imports the core alone links the core alone: what it has of C is inlined.
  @Test func `has a core that needs no package, and no target but the atomics of C`() throws {
    let ours = Page.root.appending(path: "Package.swift")
    let manifest = try dump(manifest: String(contentsOf: ours, encoding: .utf8))
    #expect(Self.faults(of: manifest) == [])
    // The check can fail.
    func core(_ targets: [String]) -> [String: Any] {
      let dependencies = targets.map { ["byName": [$0, NSNull()]] }
      return ["name": "Understudy", "dependencies": dependencies]
    }
    let right = [
      "dependencies": [Any](), "targets": [core(["UnderstudyAtomics"])],
      "products": [["name": "Understudy", "targets": ["Understudy"]] as [String: Any]],
    ]
    let wrong: [(String, [Any])] = [
      ("dependencies", ["a package"]),
      ("targets", [core([])]),
      ("targets", [core(["UnderstudyAtomics", "a target"])]),
      ("targets", [core(["a target"])]),
      ("products", [["name": "Understudy", "targets": ["Understudy", "Else"]] as [String: Any]]),
    ]
    #expect(Self.faults(of: right) == [])
    for (list, value) in wrong {
      #expect(Self.faults(of: right.merging([list: value]) { $1 }).count == 1, "\(list)")
    }
  }

  /// The targets and packages that a program links besides the core if it imports only the core.
  private static func faults(of manifest: [String: Any]) -> [String] {
    func named(_ name: String, in list: String) -> [String: Any]? {
      (manifest[list] as? [[String: Any]])?.first { $0["name"] as? String == name }
    }
    let packages = (manifest["dependencies"] as? [Any])?.count ?? 0
    let dependencies =
      named("Understudy", in: "targets")?["dependencies"] as? [[String: [Any]]] ?? []
    let needed = dependencies.map { $0["byName"]?.first as? String }
    let linked = named("Understudy", in: "products")?["targets"] as? [String] ?? []
    return [
      packages == 0 ? nil : "The package needs \(packages) packages.",
      needed == ["UnderstudyAtomics"] ? nil : "The core needs the targets \(needed).",
      linked == ["Understudy"] ? nil : "The core's product links \(linked).",
    ].compactMap(\.self)
  }
}

/// The manifest with these lines, as the package manager reads it.
private func dump(_ lines: String) throws -> [String: Any] {
  try dump(
    manifest: """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
      name: "Shop",
      \(lines))

      """)
}

private func dump(manifest text: String) throws -> [String: Any] {
  let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try text.write(
    to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
  let output = folder.appending(path: "output")
  try Data().write(to: output)
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
  process.standardOutput = try FileHandle(forWritingTo: output)
  process.standardError = FileHandle.nullDevice
  // Foundation's own wait races with its wake-up on Linux.
  let isOver = DispatchSemaphore(value: 0)
  process.terminationHandler = { _ in isOver.signal() }
  try process.run()
  isOver.wait()
  let read = try JSONSerialization.jsonObject(with: Data(contentsOf: output))
  return try #require(read as? [String: Any])
}

/// `Package.swift` of this package.
struct `The manifest` {
  @Test func `has the platforms that the pages state`() throws {
    let manifest = try Page(path: "Package.swift").text
    let list = try #require(manifest.firstMatch(of: #/platforms: \[([^\]]+)\]/#)).1
    let platforms = list.matches(of: #/\.(\w+)\(\.v(\d+)\)/#).map { "\($0.1) \($0.2)" }
    #expect(platforms.count == 5)
    let stated = try Page(path: "Docs/APIStability.md").text
    for platform in platforms { #expect(stated.contains(platform)) }
    let lowest = platforms.first { $0.hasPrefix("iOS ") }?.dropFirst(4) ?? ""
    try #expect(Page(path: "README.md").text.contains("| lowest iOS | \(lowest) |"))
  }
}
