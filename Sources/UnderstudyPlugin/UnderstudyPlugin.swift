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
    let tool = try context.tool(named: "understudy-tool")
    if isReading, !arguments.contains("--help"), !arguments.contains("-h") {
      names = Self.takeValues(of: "--target", from: &arguments)
      let targets = try Self.libraries(named: names, in: context.package)
      graphs = try symbolGraphs(of: targets, for: arguments)
      // Without a target, the configuration says which modules are wired.
      if arguments.first == "doubles" || !names.isEmpty {
        graphs += targets.flatMap { ["--module", $0.moduleName] }
      }
      graphs += ["--package", context.package.directoryURL.path]
    }
    let process = Process()
    process.executableURL = tool.url
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = arguments + graphs
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure.tool(process.terminationStatus) }

    /// The graphs that a command needs. Each is a build, which takes its time even where nothing
    /// changed: doubles need those of the dependencies that their protocols name, and wiring those
    /// that its modules name anywhere.
    func symbolGraphs(
      of targets: [SwiftSourceModuleTarget], for arguments: [String]
    ) throws -> [String] {
      let all = Self.withDependencies(targets)
      var read: Set<String> = []
      var graphs: [String] = []
      var open = all.filter { target in targets.contains { $0.id == target.id } }
      while !open.isEmpty {
        var paths: [String] = []
        for target in open where read.insert(target.id).inserted {
          if let path = graph(of: target, isChosen: targets.contains { $0.id == target.id }) {
            paths.append(path)
          }
        }
        graphs += paths.flatMap { ["--symbol-graph", $0] }
        let rest = all.filter { !read.contains($0.id) }
        if rest.isEmpty || graphs.isEmpty { break }
        let named: Set<String>
        if arguments.first == "doubles" {
          let selection = Self.values(of: "--protocol", in: arguments).flatMap {
            ["--protocol", $0]
          }
          let modules = targets.flatMap { ["--module", $0.moduleName] }
          named = try Set(lines(of: ["needs"] + graphs + selection + modules))
        } else {
          named = Self.modules(among: rest.map(\.moduleName), namedIn: paths)
        }
        open = rest.filter { named.contains($0.moduleName) }
      }
      return graphs
    }

    /// What the tool prints.
    func lines(of arguments: [String]) throws -> [String] {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = tool.url
      process.currentDirectoryURL = context.package.directoryURL
      process.arguments = arguments
      process.standardOutput = pipe
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      if process.terminationStatus != 0 { throw Failure.tool(process.terminationStatus) }
      return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

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

  /// The modules that the graphs in some directories name: an identifier begins with the length of
  /// its module's name, and the name.
  private static func modules(among names: [String], namedIn directories: [String]) -> Set<String> {
    var found: Set<String> = []
    for directory in directories {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      for file in files where file.hasSuffix(".symbols.json") {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(file)") else {
          continue
        }
        for name in names where !found.contains(name) {
          if data.range(of: Data("\"s:\(name.utf8.count)\(name)".utf8)) != nil {
            found.insert(name)
          }
        }
      }
    }
    return found
  }

  private static func values(of name: String, in arguments: [String]) -> [String] {
    var arguments = arguments
    return takeValues(of: name, from: &arguments)
  }

  private static func takeValues(of name: String, from arguments: inout [String]) -> [String] {
    var values: [String] = []
    for argument in arguments where argument.hasPrefix("\(name)=") {
      values.append(String(argument.dropFirst(name.count + 1)))
    }
    arguments.removeAll { $0.hasPrefix("\(name)=") }
    while let index = arguments.firstIndex(of: name), index + 1 < arguments.count {
      values.append(arguments[index + 1])
      arguments.removeSubrange(index...(index + 1))
    }
    return values
  }
}
