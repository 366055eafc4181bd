// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Finds a tool of this package, and builds it if it is missing or its sources have changed.
///
/// If the plugin depended on its tool, the package manager would build it before each run. Even
/// without a change it would plan a build of the whole package, which takes two seconds if a
/// dependency has many C sources.
enum BuiltTool {
  /// The path of the built tool, and the state of its sources.
  private struct Record: Codable, Equatable {
    var path: String
    var facts: [String: String]
  }

  static func url(
    of product: String, in context: PluginContext, build: () throws -> PackageManager.BuildResult
  ) throws -> URL {
    let file = context.pluginWorkDirectoryURL.appendingPathComponent("\(product).json")
    let sources = sources(of: product, in: context.package)
    if !sources.isEmpty, let data = try? Data(contentsOf: file),
      let record = try? JSONDecoder().decode(Record.self, from: data),
      record == Record(path: record.path, facts: facts(of: sources + [record.path]))
    {
      return URL(fileURLWithPath: record.path)
    }
    let result = try build()
    let tool = result.builtArtifacts.first { artifact in
      artifact.kind == .executable
        && artifact.url.deletingPathExtension().lastPathComponent == product
    }
    guard result.succeeded, let tool else { throw Failure.noTool(result.logText) }
    let record = Record(path: tool.url.path, facts: facts(of: sources + [tool.url.path]))
    try JSONEncoder().encode(record).write(to: file)
    return tool.url
  }

  /// The sources of the tool and of its modules.
  private static func sources(of product: String, in package: Package) -> [String] {
    var seen: Set<String> = []
    var open = [package]
    while let next = open.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      open += next.dependencies.map(\.package)
      guard let target = next.targets.first(where: { $0.name == product }) else { continue }
      let all: [any Target] = [target] + target.recursiveTargetDependencies
      return [next.directoryURL.appendingPathComponent("Package.swift").path]
        + all.compactMap { $0 as? any SourceModuleTarget }
        .flatMap { $0.sourceFiles.map(\.url.path) }
    }
    return []
  }

  private static func facts(of paths: [String]) -> [String: String] {
    var facts: [String: String] = [:]
    for path in paths {
      let found = try? FileManager.default.attributesOfItem(atPath: path)
      let date = (found?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      facts[path] = "\(found?[.size] as? Int ?? -1) \(date)"
    }
    return facts
  }
}
