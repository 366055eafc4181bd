// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Generates doubles during a build, and compiles them with the test target. A file `doubles.json`
/// of the test target names the targets of the protocols.
@main struct UnderstudyBuildPlugin: BuildToolPlugin {
  /// The names of the targets in `doubles.json`. They are a part of the plan, which the package
  /// manager keeps after a change of the file. The tool reads the file in each build, and reports
  /// all other mistakes.
  private func targets(in url: URL) throws -> [String] {
    guard let data = try? Data(contentsOf: url) else {
      throw Failure("'\(url.path)' is missing. Create it with {\"targets\": [\"App\"]}.")
    }
    let tree = try? JSONSerialization.jsonObject(with: data)
    let value = (tree as? [String: Any])?["targets"]
    let targets = value as? [String] ?? (value as? String).map { [$0] } ?? []
    guard !targets.isEmpty else {
      throw Failure("'\(url.path)' needs 'targets', a list with the names of targets.")
    }
    return targets
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let file = target.directoryURL.appendingPathComponent("doubles.json")
    let names = try targets(in: file)
    let known = target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
    let targets = try names.map { name in
      guard let found = known.first(where: { $0.name == name }) else {
        throw Failure("'\(file.path)' names '\(name)', which '\(target.name)' does not depend on.")
      }
      return found
    }
    let tool = try context.tool(named: "understudy-doubles").url
    let work = context.pluginWorkDirectoryURL
    var list = ModuleList(
      targets, of: context.package, tool: tool,
      try? context.tool(named: "swift-symbolgraph-extract").url, work: work)
    list.isBuildStep = true
    let modules = work.appendingPathComponent("modules.json")
    try list.write(to: modules)
    let output = work.appendingPathComponent("\(target.name)Doubles.swift")
    // The command runs again when a compiled module changes. It also depends on the sources,
    // because a change of a comment leaves the module as it was. The modules of the dependencies
    // may declare parents of the protocols.
    let compiled = targets.map { list.compiled($0.moduleName) }
    let sources = list.modules.filter(\.isSwift).flatMap(\.files).map { URL(fileURLWithPath: $0) }
    return [
      .buildCommand(
        displayName: "Doubles of \(names.joined(separator: ", ")) for \(target.name)",
        executable: tool,
        arguments: [
          "doubles", "--modules", modules.path, "--choices", file.path, "--output", output.path,
          "--plugin",
        ],
        inputFiles: [file, modules] + compiled + sources,
        outputFiles: [output])
    ]
  }
}
