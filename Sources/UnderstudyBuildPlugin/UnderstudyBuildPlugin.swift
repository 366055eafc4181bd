// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Generates doubles during a build, and compiles them with the test target. A file `doubles.json`
/// of the test target names the targets of the protocols.
@main struct UnderstudyBuildPlugin: BuildToolPlugin {
  /// The contents of `doubles.json`.
  private struct Choices {
    /// The targets whose protocols get doubles.
    var targets: [String]
    /// Names of protocols, with the wildcards `*` and `?`. If empty, the protocols whose comments
    /// ask for a double.
    var protocols: [String] = []

    init(contentsOf url: URL) throws {
      guard let data = try? Data(contentsOf: url) else {
        throw Failure("'\(url.path)' is missing. Create it with {\"targets\": [\"App\"]}.")
      }
      let tree = try? JSONSerialization.jsonObject(with: data)
      guard let values = tree as? [String: Any], let targets = values["targets"] as? [String],
        !targets.isEmpty
      else {
        throw Failure("'\(url.path)' needs 'targets', a list with the names of targets.")
      }
      self.targets = targets
      if let value = values["protocols"] {
        guard let protocols = value as? [String] else {
          throw Failure("'\(url.path)' has 'protocols', which is not a list of names.")
        }
        self.protocols = protocols
      }
      if let key = values.keys.sorted().first(where: { !["targets", "protocols"].contains($0) }) {
        throw Failure("'\(url.path)' has '\(key)', which is neither 'targets' nor 'protocols'.")
      }
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let file = target.directoryURL.appendingPathComponent("doubles.json")
    let choices = try Choices(contentsOf: file)
    let known = target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
    let targets = try choices.targets.map { name in
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
        displayName: "Doubles of \(choices.targets.joined(separator: ", ")) for \(target.name)",
        executable: tool,
        arguments: ["doubles", "--modules", modules.path, "--output", output.path]
          + targets.flatMap { ["--module", $0.moduleName] }
          + choices.protocols.flatMap { ["--protocol", $0] },
        inputFiles: [file, modules] + compiled + sources,
        outputFiles: [output])
    ]
  }
}
