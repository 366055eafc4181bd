// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// `swift package understudy doubles --target App --output Tests/AppTests/Doubles`, and `wire`,
/// `validate` and `graph`.
///
/// The plugin finds the symbol graphs and hands everything else to `understudy-tool`.
@main struct UnderstudyPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var arguments = arguments
    var names: [String] = []
    var graphs: [String] = []
    let isReading = ["doubles", "wire", "validate", "graph"].contains(arguments.first ?? "")
    if isReading, !arguments.contains("--help"), !arguments.contains("-h") {
      names = Self.takeValues(of: "--target", from: &arguments)
      let targets = try Self.libraries(named: names, in: context.package)
      for target in Self.withDependencies(targets) {
        guard let path = graph(of: target, isChosen: targets.contains { $0.id == target.id })
        else { continue }
        graphs += ["--symbol-graph", path]
      }
      // Without a target, the configuration says which modules are wired.
      if arguments.first == "doubles" || !names.isEmpty {
        graphs += targets.flatMap { ["--module", $0.moduleName] }
      }
      graphs += ["--package", context.package.directoryURL.path]
    }
    let tool = try context.tool(named: "understudy-tool")
    let process = Process()
    process.executableURL = tool.url
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = arguments + graphs
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure.tool(process.terminationStatus) }

    func graph(of target: SwiftSourceModuleTarget, isChosen: Bool) -> String? {
      do {
        return try packageManager.getSymbolGraph(
          for: target,
          options: .init(minimumAccessLevel: .private, includeSynthesized: false, includeSPI: true)
        ).directoryURL.path
      } catch {
        // A dependency that gives no graph matters only if a protocol of it is inherited; then the
        // tool names it.
        if isChosen { Diagnostics.error("No symbol graph of '\(target.name)': \(error)") }
        return nil
      }
    }
  }

  private enum Failure: Error, CustomStringConvertible {
    case tool(Int32)
    case noTarget(String, [String])

    var description: String {
      switch self {
      case .tool(let status): "understudy-tool ended with status \(status)."
      case .noTarget(let name, let known):
        "No library target is named '\(name)'. There are: \(known.joined(separator: ", "))."
      }
    }
  }

  /// The library targets of these names; all of the package if there are no names.
  private static func libraries(
    named names: [String], in package: Package
  ) throws -> [SwiftSourceModuleTarget] {
    let own = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { $0.kind == .generic }
    if names.isEmpty { return own }
    let others = withDependencies(own)
    return try names.map { name in
      guard let target = (own + others).first(where: { $0.name == name }) else {
        throw Failure.noTarget(name, own.map(\.name))
      }
      return target
    }
  }

  private static func withDependencies(
    _ targets: [SwiftSourceModuleTarget]
  ) -> [SwiftSourceModuleTarget] {
    var seen: Set<String> = []
    let dependencies = targets.flatMap { $0.recursiveTargetDependencies }
      .compactMap { $0 as? SwiftSourceModuleTarget }
    return (targets + dependencies).filter { $0.kind == .generic && seen.insert($0.id).inserted }
  }

  private static func takeValues(of name: String, from arguments: inout [String]) -> [String] {
    var values: [String] = []
    while let index = arguments.firstIndex(of: name), index + 1 < arguments.count {
      values.append(arguments[index + 1])
      arguments.removeSubrange(index...(index + 1))
    }
    return values
  }
}
