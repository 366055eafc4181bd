// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension Tool {
  /// Runs `wire`, `validate` or `graph` for every chosen module.
  ///
  /// Every module is checked before anything is written. A mistake in one of them means that
  /// nothing is written.
  func wiring(_ options: WiringOptions) throws(ToolError) -> Int32 {
    guard let library else { throw .noLibrary(options.command) }
    let directory = FileManager.default.currentDirectoryPath
    let configuration = try configuration(options.configuration, directory)
      .namingModules(of: options.input.modules())
    guard let graphs = try options.input.files(.everything, launch: launch) else {
      return GraphInput.needsBuilds
    }
    let index = GraphIndex(graphs, source: SymbolGraphFile.source)
    let chosen = try modules(options, configuration, graphs)
    var wirings: [Wiring] = []
    var results: [String: ResolvedModule] = [:]
    let targets = chosen.names.map { module in
      let section = configuration.targets[module]
      if section == nil, !configuration.targets.isEmpty {
        writeError("warning: The configuration has no section for '\(module)'.")
      }
      return (module: module, target: options.target.merging(section ?? .init()))
    }
    for (module, target) in Self.ordered(targets, directory) {
      let wiring = try Wiring(module, target, index, directory: directory, results: results)
      wirings.append(wiring)
      if let path = target.resolvedOutput {
        results[directory.appending(path: path).standardized] = wiring.resolved
      }
    }
    for wiring in wirings where !wiring.isEmpty { report(wiring) }
    // `wire` checks the modules that it wires, and `validate` checks all of them.
    let checked = wirings.filter { wiring in
      options.command == "validate" || options.command == "wire" && !wiring.isEmpty
    }
    let checks = try propertyChecks(of: checked, directory, library)
    let readers = Set(checks.lazy.filter { $0.check.count > 0 }.map(\.module))
    let isChecked = options.command == "validate" && !readers.isEmpty
    if isChecked { wirings.removeAll { $0.isEmpty && readers.contains($0.module) } }
    // Without a named module, the modules with components are used.
    if !chosen.areNamed, isChecked || wirings.contains(where: { !$0.isEmpty }) {
      wirings.removeAll(where: \.isEmpty)
    }
    for wiring in wirings where wiring.isEmpty { report(wiring) }
    let isSound = wirings.allSatisfy(\.isSound)
    guard report(checks, options), isSound else { return 1 }
    switch options.command {
    case "wire":
      return try write(wirings, options)
    case "graph":
      try draw(wirings, options, library)
    default:
      for wiring in wirings { write(wiring.summary) }
      write("Validate success.")
    }
    return 0
  }

  private func report(_ wiring: Wiring) {
    for diagnostic in wiring.plan.diagnostics { writeError(diagnostic.text) }
  }

  /// The modules in their order, but each after those whose results it reads.
  private static func ordered(
    _ targets: [(module: String, target: WiringConfiguration.Target)], _ directory: String
  ) -> [(module: String, target: WiringConfiguration.Target)] {
    func path(_ path: String) -> String { directory.appending(path: path).standardized }
    var rest = targets
    var ordered: [(module: String, target: WiringConfiguration.Target)] = []
    while !rest.isEmpty {
      let open = Set(rest.compactMap(\.target.resolvedOutput).map(path))
      let next = rest.firstIndex { candidate in
        open.isDisjoint(with: candidate.target.dependencies.map { path($0.path) })
      }
      // In a cycle, a module reads the results of an earlier run.
      ordered.append(rest.remove(at: next ?? 0))
    }
    return ordered
  }

  /// The check of the properties of a module, and the files and commands that set them.
  private typealias ModuleCheck = (module: String, origins: Set<String>, check: PropertyCheck)

  /// Checks the places of each module with property files that read properties.
  private func propertyChecks(
    of wirings: [Wiring], _ directory: String, _ library: any WiringLibrary
  ) throws(ToolError) -> [ModuleCheck] {
    var checks: [ModuleCheck] = []
    for wiring in wirings where wiring.target.hasProperties {
      let files = try PropertyFiles(
        wiring.target, directory, launch: launch, writeError: writeError)
      defer { files.remove() }
      var sources: [(path: String, text: String)] = []
      for path in wiring.sources {
        guard let text = SymbolGraphFile.source(at: directory.appending(path: path))
        else { throw .sourceMissing(path: path) }
        // The generated wiring may be stale. The plan has its properties.
        if GeneratedFile.inspect(text) == .foreign { sources.append((path, text)) }
      }
      let check = library.checkProperties(
        in: files.files, readBy: sources,
        choices: wiring.plan.choices, directory: directory)
      checks.append((wiring.module, files.origins, check))
    }
    return checks
  }

  /// Reports the checks of properties. Returns false after a mistake.
  private func report(
    _ checks: [ModuleCheck], _ options: WiringOptions
  ) -> Bool {
    var reported: Set<Diagnostic> = []
    for (module, _, check) in checks {
      // A mistake in a file of properties is found for every module.
      for diagnostic in check.diagnostics where reported.insert(diagnostic).inserted {
        writeError(diagnostic.text)
      }
      guard options.command == "validate", check.count > 0, check.diagnostics.isEmpty else {
        continue
      }
      let places = check.count == 1 ? "1 place reads" : "\(check.count) places read"
      write("\(module): \(places) properties")
    }
    let isSound = reported.isEmpty
    // A file is checked if the sources of any module that names it read a property.
    let checked = Set(checks.lazy.filter { $0.check.count > 0 }.flatMap(\.origins))
    let unchecked = checks.filter { $0.check.count == 0 && !$0.origins.isSubset(of: checked) }
    guard !unchecked.isEmpty else { return isSound }
    let modules = unchecked.map { "'\($0.module)'" }.joined(separator: ", ")
    // The sources of another target may read them. The check is only a part of 'wire'.
    let isError = options.command != "wire"
    writeError(
      "\(isError ? "error" : "warning"): No source of \(modules) reads a property by a literal path,"
        + " so the files of properties were not checked.")
    return isSound && !isError
  }

  /// The configuration at a path, or the default one if it exists.
  func configuration(
    _ path: String?, _ directory: String
  ) throws(ToolError) -> WiringConfiguration {
    if let path {
      return try WiringConfiguration(contentsOf: path)
    }
    let usual = directory.appending(path: "understudy.json")
    guard FileManager.default.fileExists(atPath: usual) else { return WiringConfiguration() }
    return try WiringConfiguration(contentsOf: usual)
  }

  private func modules(
    _ options: WiringOptions, _ configuration: WiringConfiguration, _ graphs: [SymbolGraphFile]
  ) throws(ToolError) -> (names: [String], areNamed: Bool) {
    guard options.modules.isEmpty else { return (options.modules, true) }
    guard configuration.active.isEmpty else { return (configuration.active, true) }
    let read = Set(graphs.map(\.graph.module.name)).sorted()
    guard let list = try options.input.modules() else { return (read, false) }
    // The modules that the user's targets depend on are not the user's own.
    let own = Set(list.modules.filter(\.isChosen).map(\.name))
    return (read.filter(own.contains), false)
  }

  private func write(_ wirings: [Wiring], _ options: WiringOptions) throws(ToolError) -> Int32 {
    if options.isPrinted {
      for wiring in wirings {
        writeError(wiring.summary)
        write(wiring.file.text.withoutLastLineEnd)
      }
      return 0
    }
    var files: [OutputFile] = []
    var owners = FileOwners()
    for wiring in wirings {
      guard let output = wiring.target.output else {
        throw .usage("'wire' needs --output, a file or a directory.", command: "wire")
      }
      var own = [OutputFile(path: wiring.path(output), text: wiring.file.text, kind: .swift)]
      if let path = wiring.target.resolvedOutput {
        own.append(OutputFile(path: path, text: wiring.resolved.text, kind: .resolved))
      }
      for file in own { try owners.add(file.path, of: wiring.module) }
      files += own
    }
    var stale: [OutputFile] = []
    for file in files {
      if let package = options.package { try OutputFile.check(file.path, isInside: package) }
      if try file.isStale(force: options.isForced) { stale.append(file) }
    }
    for wiring in wirings { write(wiring.summary) }
    if options.isCheck {
      for file in stale { reportStale(file.path) }
      return stale.isEmpty ? 0 : 1
    }
    for file in stale {
      try file.write()
      write("Generate file: \(file.path)")
    }
    return 0
  }

  private func draw(
    _ wirings: [Wiring], _ options: WiringOptions, _ library: any WiringLibrary
  ) throws(ToolError) {
    let output = options.target.output ?? "-"
    if wirings.count > 1, options.format == "html" {
      throw .usage("'--format html' draws one module; choose it with --module.", command: "graph")
    }
    let text: String
    if wirings.count > 1, options.format == "json" {
      // All modules are in one document, by their names.
      let members = wirings.map { wiring in
        "\"\(wiring.module)\": \(wiring.graph("json", library).withoutLastLineEnd)"
      }
      text = "{\n\(members.joined(separator: ",\n"))\n}\n"
    } else {
      text = wirings.map { $0.graph(options.format, library) }.joined()
    }
    // The output in the configuration is for `wire`.
    guard output != "-" else { return write(text.withoutLastLineEnd) }
    if let package = options.package { try OutputFile.check(output, isInside: package) }
    let file = OutputFile(path: output, text: text, kind: .graph)
    if try file.isStale(force: options.isForced) { try file.write() }
    write("Generate file: \(output)")
  }
}
