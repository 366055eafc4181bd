// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// The structure of the package, read from its sources, its manifest and the page about its
/// architecture.
struct Blueprint {
  /// A target of the manifest that is not a test target.
  struct Target {
    let name: String
    let kind: String
    let dependencies: [String]
    let isLibraryProduct: Bool
    let importsFoundation: Bool
  }

  /// The folders of the core in the order of `Docs/Architecture.md`. Each folder comes after those
  /// that it uses.
  let folders: [String]
  let targets: [Target]

  init() throws {
    let page = try Page(path: "Docs/Architecture.md").text
    let order = page.components(separatedBy: "```")[1].split(separator: "\n")[0]
    folders = order.components(separatedBy: " → ").map { String($0.split(separator: " ")[0]) }
    targets = try Self.targets(of: String(contentsOf: Self.file("Package.swift"), encoding: .utf8))
  }

  private static func file(_ path: String) -> URL { Page.root.appending(path: path) }

  private static func sources(below folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: file(folder).path)?
      .compactMap { $0 as? String }
    return try (names ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { try String(contentsOf: file("\(folder)/\($0)"), encoding: .utf8) }
  }

  // MARK: The targets

  private static func targets(of manifest: String) throws -> [Target] {
    let products =
      manifest.components(separatedBy: "  products: [").last?
      .components(separatedBy: "  targets: [").first ?? ""
    let libraries = Set(products.matches(of: #/\.library\(name: "([^"]+)"/#).map { String($0.1) })
    let section = manifest.components(separatedBy: "  targets: [").last ?? ""
    return try section.components(separatedBy: "\n    .").dropFirst().compactMap { text in
      guard let head = text.firstMatch(of: #/^(\w+)\(\s*name: "([^"]+)"/#), head.1 != "testTarget"
      else { return nil }
      let name = String(head.2)
      let list = text.firstMatch(of: #/(?s)dependencies: \[(.*?)\]/#)?.1 ?? ""
      let lines = try sources(below: "Sources/\(name)").flatMap { $0.split(separator: "\n") }
      return Target(
        name: name, kind: String(head.1),
        dependencies: list.matches(of: #/"([^"]+)"/#).map { String($0.1) },
        isLibraryProduct: libraries.contains(name),
        importsFoundation: lines.contains { $0.hasSuffix("import Foundation") })
    }
  }

  /// The direct dependencies of a target that are not also indirect ones.
  func ownDependencies(of target: Target) -> [String] {
    target.dependencies.filter { name in
      !target.dependencies.contains { $0 != name && reach(of: $0).contains(name) }
    }
  }

  private func reach(of name: String) -> Set<String> {
    let direct = targets.first { $0.name == name }?.dependencies ?? []
    return direct.reduce(into: Set(direct)) { $0.formUnion(reach(of: $1)) }
  }

  /// The number of steps from the core to a target. A target without dependencies is one step left
  /// of the first target that depends on it.
  func column(of name: String) -> Int {
    let direct = targets.first { $0.name == name }?.dependencies ?? []
    if let furthest = direct.map({ column(of: $0) }).max() { return furthest + 1 }
    guard name != targets.first?.name else { return 0 }
    let users = targets.filter { $0.dependencies.contains(name) }
    return users.map { user in
      let others = user.dependencies.filter { $0 != name && !reach(of: $0).contains(name) }
      return others.map { column(of: $0) }.max() ?? 0
    }.min() ?? 0
  }
}
