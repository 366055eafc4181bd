// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// `swift package understudy doubles --target App --output Tests/AppTests/Doubles`, and the
/// commands `wire`, `validate` and `graph`.
///
/// The plugin tells `understudy-tool` the modules of the package, and builds those that the tool
/// asks for.
@main struct UnderstudyPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments given: [String]) throws {
    var arguments = given
    let command = arguments.first ?? ""
    let isHelp = arguments.contains("--help") || arguments.contains("-h")
    let isWiring = ["wire", "validate", "graph"].contains(command) && !isHelp
    // The tool of the doubles is built in a part of the time, since it does not need the library.
    let product = isWiring ? "understudy-tool" : "understudy-doubles"
    let tool = try BuiltTool.url(of: product, in: context) {
      try packageManager.build(.product(product), parameters: .init())
    }
    guard isWiring || command == "doubles" && !isHelp else {
      return try check(run(tool, arguments, in: context))
    }
    let names = try takeValues(of: "--target", from: &arguments)
    let targets = try targets(named: names, for: arguments, in: context.package)
    // Without a target, the configuration chooses the modules to wire.
    let hasModule = arguments.contains { $0 == "--module" || $0.hasPrefix("--module=") }
    if !hasModule, command == "doubles" || !names.isEmpty {
      arguments += targets.flatMap { ["--module", $0.moduleName] }
    }
    let work = context.pluginWorkDirectoryURL
    let path = work.appendingPathComponent("modules.json")
    arguments += ["--modules", path.path, "--package", context.package.directoryURL.path]
    let extractor = try? context.tool(named: "swift-symbolgraph-extract").url
    var list = ModuleList(targets, of: context.package, tool: tool, extractor, work: work)
    list.arguments = given
    // The tool asks for builds, and runs again with their results, until it has every graph that it
    // needs.
    while true {
      try? FileManager.default.removeItem(atPath: list.wanted)
      try list.write(to: path)
      let status = try run(tool, arguments, in: context)
      let wanted = try? String(contentsOfFile: list.wanted, encoding: .utf8)
      guard status == 75, let wanted else {
        for name in list.broken where status == 0 {
          Diagnostics.warning(
            "'\(name)' does not compile. Its declarations do, and the tool read those.")
        }
        return try check(status)
      }
      for id in wanted.split(separator: "\n").map(String.init) {
        if let name = build(id, for: &list, context) { list.broken.append(name) }
      }
    }
  }

  /// Builds a target for its graph. Returns its name if the user has chosen it and it does not
  /// compile.
  private func build(
    _ id: String, for list: inout ModuleList, _ context: PluginContext
  ) -> String? {
    let package = context.package
    let known = withDependencies(targets(.generic, of: package)) + targets(.executable, of: package)
    guard let target = known.first(where: { $0.id == id }) else {
      list.refused.append(id)
      return nil
    }
    let start = Date().timeIntervalSince1970
    do {
      let graph = try packageManager.getSymbolGraph(
        for: target,
        options: .init(minimumAccessLevel: .private, includeSynthesized: false, includeSPI: true))
      list.built[id] = ModuleList.Built(path: graph.directoryURL.path, start: start)
      return nil
    } catch {
      list.refused.append(id)
      guard list.modules.contains(where: { $0.id == id && $0.isChosen }) else { return nil }
      // The compiler writes a module before it compiles the bodies of functions, such as that of
      // generated wiring. It does not replace a module by an equal one, whose time would tell the
      // tool that the module is up to date.
      try? FileManager.default.removeItem(at: list.compiled(target.moduleName))
      let result = try? packageManager.build(.target(target.name), parameters: .init())
      return result?.succeeded == true ? nil : target.name
    }
  }

  private func run(_ tool: URL, _ arguments: [String], in context: PluginContext) throws -> Int32 {
    let process = Process()
    process.executableURL = tool
    process.currentDirectoryURL = context.package.directoryURL
    // Its last argument tells the tool that messages name the plugin's command.
    process.arguments = arguments + ["--plugin"]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func check(_ status: Int32) throws {
    if status != 0 { throw Failure.tool(status) }
  }
}

enum Failure: Error, CustomStringConvertible {
  case tool(Int32)
  case noTool(String)
  case noTarget(String, in: String, [String])
  case noValue(String)

  var description: String {
    switch self {
    case .tool(let status): "The tool ended with status \(status)."
    case .noTool(let log): "The tool could not be built.\n\(log)"
    case .noTarget(let name, let place, let known):
      "No library target is named '\(name)', as in \(place). There are:"
        + " \(known.joined(separator: ", "))."
    case .noValue(let option): "'\(option)' needs a value."
    }
  }
}

/// The targets of these names. Without names, those that the configuration names for doubles, or
/// all libraries with those that it names for wiring.
private func targets(
  named names: [String], for arguments: [String], in package: Package
) throws -> [SwiftSourceModuleTarget] {
  let own = targets(.generic, of: package)
  let all = withDependencies(own) + targets(.executable, of: package)
  func target(_ name: String, in place: String) throws -> SwiftSourceModuleTarget {
    guard let target = all.first(where: { $0.name == name || $0.moduleName == name }) else {
      throw Failure.noTarget(name, in: place, own.map(\.name).sorted())
    }
    return target
  }
  let isOfDoubles = arguments.first == "doubles"
  let configured = configured(for: arguments, in: package)
  // The tool knows only the targets of this list, so it cannot check other names.
  let found =
    try isOfDoubles
    ? configured.map { try target($0, in: "the configuration") }
    : all.filter { configured.contains($0.name) || configured.contains($0.moduleName) }
  guard names.isEmpty else { return try names.map { try target($0, in: "'--target'") } }
  if isOfDoubles { return found.isEmpty ? own : found }
  let libraries = Set(own.map(\.id))
  return own + found.filter { !libraries.contains($0.id) }
}

/// The names of the targets in the configuration. The tool reports mistakes in its form.
private func configured(for arguments: [String], in package: Package) -> [String] {
  let isOfDoubles = arguments.first == "doubles"
  if isOfDoubles, arguments.contains(where: { $0 == "--output" || $0.hasPrefix("--output=") }) {
    return []
  }
  var arguments = arguments
  let name = (try? takeValues(of: "--config", from: &arguments))?.last ?? "understudy.json"
  let url = URL(fileURLWithPath: name, relativeTo: package.directoryURL)
  guard let data = try? Data(contentsOf: url),
    let tree = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
  else { return [] }
  if isOfDoubles {
    let jobs = tree["doubles"] as? [[String: Any]] ?? []
    return jobs.compactMap { $0["target"] as? String }
  }
  let active = tree["target"] as? [String] ?? (tree["target"] as? String).map { [$0] } ?? []
  let sections = tree["config"] as? [String: Any] ?? [:]
  return active.isEmpty ? Array(sections.keys) : active
}

private func targets(_ kind: ModuleKind, of package: Package) -> [SwiftSourceModuleTarget] {
  package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter { $0.kind == kind }
}

private func withDependencies(_ targets: [SwiftSourceModuleTarget]) -> [SwiftSourceModuleTarget] {
  var seen: Set<String> = []
  let dependencies = targets.flatMap { $0.recursiveTargetDependencies }
    .compactMap { $0 as? SwiftSourceModuleTarget }
  return (targets + dependencies).filter { $0.kind == .generic && seen.insert($0.id).inserted }
}

/// Removes an option with its values.
private func takeValues(of name: String, from arguments: inout [String]) throws -> [String] {
  var values: [String] = []
  while let index = arguments.firstIndex(where: { $0 == name || $0.hasPrefix("\(name)=") }) {
    let option = arguments.remove(at: index)
    var value = String(option.dropFirst(name.count + 1))
    if option == name, index < arguments.count, !arguments[index].hasPrefix("--") {
      value = arguments.remove(at: index)
    }
    guard !value.isEmpty else { throw Failure.noValue(name) }
    values.append(value)
  }
  return values
}
