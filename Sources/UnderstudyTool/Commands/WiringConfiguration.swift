// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The doubles of one target, and their directory.
struct DoublesJob: Hashable {
  /// The name of the target or of its module.
  var target: String
  var selection: Selection
  var output: String
  /// The access level of the doubles, or `nil` for the default.
  var access: DoublesAccess?
}

/// The configuration file for wiring and doubles, `understudy.json`.
struct WiringConfiguration: Hashable {
  struct Dependency: Hashable {
    var path: String
    var imports: [String]
  }

  /// The configuration of one target. `nil` and empty values are not set.
  struct Target: Hashable {
    var output: String?
    var name: String?
    var access: String?
    var imports: [String] = []
    var include: [String] = []
    var exclude: [String] = []
    var lifecycle: ComponentMarker.Lifecycle?
    var provided: [String] = []
    /// The files of configuration properties. The last file with a property wins.
    var properties: [String] = []
    /// Shell commands that print properties as JSON.
    var propertyCommands: [String] = []
    var resolvedOutput: String?
    var dependencies: [Dependency] = []

    /// Whether there are files or commands of properties.
    var hasProperties: Bool { !properties.isEmpty || !propertyCommands.isEmpty }

    /// The own values, completed with the other ones. Own files and commands of properties replace
    /// all other ones.
    func merging(_ other: Target) -> Target {
      var merged = self
      merged.output = output ?? other.output
      merged.name = name ?? other.name
      merged.access = access ?? other.access
      merged.imports += other.imports
      merged.include += other.include
      merged.exclude += other.exclude
      merged.lifecycle = lifecycle ?? other.lifecycle
      merged.provided += other.provided
      if !hasProperties {
        merged.properties = other.properties
        merged.propertyCommands = other.propertyCommands
      }
      merged.resolvedOutput = resolvedOutput ?? other.resolvedOutput
      merged.dependencies += other.dependencies
      return merged
    }
  }

  /// The targets to wire, in order.
  var active: [String] = []
  var targets: [String: Target] = [:]

  /// The doubles of each target and their directory, in order.
  var doubles: [DoublesJob] = []

  init() {}

  /// Reads a configuration.
  init(contentsOf path: String) throws(ToolError) {
    try self.init(JSONReader.data(at: path), path: path)
  }

  init(_ data: Data, path: String) throws(ToolError) {
    var root = try JSONReader(data, path: path)
    active = try root.texts("target")
    if let config = try root.object("config") {
      for name in config.names {
        guard var target = try config.child(name) else { continue }
        targets[name] = try Self.target(&target)
      }
    }
    for var job in try root.objects("doubles") { doubles.append(try Self.job(&job)) }
    try root.finish()
    if active.isEmpty { active = targets.keys.sorted() }
  }

  /// The same configuration with the names of modules, if it has those of targets: `my-app` is the
  /// target of the module `my_app`.
  ///
  /// - Throws: An error about a module with two sections.
  func namingModules(of list: ModuleList?) throws(ToolError) -> WiringConfiguration {
    let names = Dictionary(list?.modules.map { ($0.target, $0.name) } ?? []) { first, _ in first }
    var named = self
    named.active = active.map { names[$0] ?? $0 }
    named.targets = [:]
    for (name, target) in targets {
      let module = names[name] ?? name
      if named.targets.updateValue(target, forKey: module) != nil {
        throw .twoSections(module: module)
      }
    }
    return named
  }

  private static func job(_ reader: inout JSONReader) throws(ToolError) -> DoublesJob {
    guard let target = try reader.text("target") else {
      throw reader.error("has no '\(reader.spelled("target"))'.")
    }
    guard let output = try reader.text("output") else {
      throw reader.error("has no '\(reader.spelled("output"))'.")
    }
    let protocols = try reader.texts("protocols")
    let access = try reader.word("access", among: DoublesAccess.words)
    try reader.finish()
    return DoublesJob(
      target: target, selection: Selection(patterns: protocols, modules: []), output: output,
      access: access.flatMap(DoublesAccess.init))
  }

  private static func target(_ reader: inout JSONReader) throws(ToolError) -> Target {
    for key in ["project", "scheme"] where reader.names.contains(key) {
      throw reader.error(
        "has '\(reader.spelled(key))', which only Xcode has: a target of SwiftPM has none.")
    }
    var target = Target()
    target.output = try reader.text("output")
    target.name = try reader.text("className")
    target.access = try reader.word("accessControl", among: WiringOptions.accessLevels)
    target.imports = try reader.texts("imports")
    target.include = try reader.texts("include")
    target.exclude = try reader.texts("exclude")
    target.provided = try reader.texts("provided")
    target.properties = try reader.texts("properties")
    target.propertyCommands = try reader.texts("propertiesFrom")
    target.lifecycle = try reader.word(
      "lifecycle", among: ComponentMarker.Lifecycle.allCases.map(\.rawValue)
    ).flatMap(ComponentMarker.Lifecycle.init)
    if var resolve = try reader.object("resolve") {
      let isGenerated = try resolve.flag("generate") ?? true
      let output = try resolve.text("output")
      target.resolvedOutput = isGenerated ? output : nil
      try resolve.finish()
    }
    for var dependency in try reader.objects("dependencies") {
      guard let path = try dependency.text("path") else {
        throw dependency.error("has no '\(dependency.spelled("path"))'.")
      }
      let imports = try dependency.texts("import") + dependency.texts("imports")
      target.dependencies.append(Dependency(path: path, imports: imports))
      try dependency.finish()
    }
    try reader.finish()
    return target
  }
}
