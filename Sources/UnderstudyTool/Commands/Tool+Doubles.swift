// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension Tool {
  /// Writes the doubles of one selection to `--output`. Without it, writes those that the
  /// configuration names. Without that, writes those whose protocols ask for one, below the tests
  /// of their targets.
  func doubles(_ options: DoublesOptions) throws(ToolError) -> Int32 {
    if let path = options.choices, let list = try options.input.modules() {
      var options = options
      options.choices = nil
      let choices = try DoublesChoices(contentsOf: path)
      options.selection = try choices.selection(in: list)
      options.access = options.access ?? choices.access
      do { return try doubles(options) } catch { throw error.ofChoice(in: path) }
    }
    if options.output == nil, let list = try options.input.modules() {
      let directory = FileManager.default.currentDirectoryPath
      let configured = try configuration(options.configuration, directory).doubles
      // An explanation alone needs no test target.
      if !options.isExplaining || options.isWriting || options.isCheck || !configured.isEmpty {
        return try doubles(options, configured, in: list)
      }
    }
    guard let graphs = try graphs(options.input, [options.selection])
    else { return GraphInput.needsBuilds }
    let index = GraphIndex(graphs, source: SymbolGraphFile.source)
    guard areSound([options.selection], index) else { return 1 }
    let output = try output(
      index, options.selection, options.access, in: names(at: options.output, options))
    report(output, options.selection, options)
    if options.output == "-" { writeError(output.summary) } else { write(output.summary) }
    let isRefused = output.refused.contains { isNamed($0, options.selection) }
    guard let path = options.output else { return isRefused ? 1 : 0 }
    if path == "-" {
      for file in output.files { write(file.content.text.withoutLastLineEnd) }
      return isRefused ? 1 : 0
    }
    let isWritten = try write(DoublesDestination(path: path, output: output), options)
    return isWritten && !isRefused ? 0 : 1
  }

  /// Reads the graphs for doubles, and warns of each module of the toolchain that has none.
  func graphs(
    _ input: GraphInput, _ selections: [Selection]
  ) throws(ToolError) -> [SymbolGraphFile]? {
    let files = try input.files(.protocols(selections), launch: launch)
    for file in files ?? [] {
      guard let failure = file.failure else { continue }
      writeError("warning: \(failure.text(file.graph.module.name))")
    }
    return files
  }

  /// Prints the explanation, and each refusal: an error if the user named its protocol.
  private func report(
    _ output: DoublesOutput, _ selection: Selection, _ options: DoublesOptions
  ) {
    if options.isExplaining {
      for line in output.explanation { write(line.withInvisibleScalarsEscaped) }
    }
    for warning in output.warnings { writeError(warning.text) }
    for refused in output.refused {
      let severity: Diagnostic.Severity = isNamed(refused, selection) ? .error : .warning
      writeError(
        Diagnostic(severity: severity, place: refused.place, message: refused.message).text)
    }
  }

  /// Reports the mistakes in comments. If there are any, no double is made.
  private func areSound(_ selections: [Selection], _ index: GraphIndex) -> Bool {
    let problems = selections.flatMap { $0.problems(in: index, source: SymbolGraphFile.source) }
    var reported: Set<Diagnostic> = []
    // Several selections may have the same module.
    for problem in problems where reported.insert(problem).inserted { writeError(problem.text) }
    return problems.isEmpty
  }

  private func output(
    _ index: GraphIndex, _ selection: Selection, _ access: DoublesAccess?,
    in names: (String) -> KeptNames?, mayBeEmpty: Bool = false
  ) throws(ToolError) -> DoublesOutput {
    let output = try DoublesOutput(
      index, selection, mayBeEmpty: mayBeEmpty, access: access ?? .internal,
      source: SymbolGraphFile.source, names: names
    ) { done, count in
      if count >= 50, done.isMultiple(of: 10) { showProgress?("\(done) of \(count) protocols") }
    }
    showProgress?("")
    return output
  }

  /// The names of the spies in the existing doubles at a path, by the names of their files.
  ///
  /// The files of a build step are those of the last build. Another machine does not have them, so
  /// their names are not kept.
  private func names(
    at path: String?, _ options: DoublesOptions
  ) throws(ToolError) -> (String) -> KeptNames? {
    guard let path, path != "-", try options.input.modules()?.isBuildStep != true else {
      return { _ in nil }
    }
    func names(_ path: String) -> KeptNames? {
      SymbolGraphFile.source(at: path).map(KeptNames.init(in:))
    }
    guard DoublesDestination.isOneFile(path) else { return { names("\(path)/\($0)") } }
    let whole = names(path)
    return { _ in whole }
  }

  /// Whether the user named a refused protocol. A comment counts as naming its protocol.
  private func isNamed(_ refused: DoublesOutput.Refused, _ selection: Selection) -> Bool {
    selection.patterns.isEmpty
      || selection.patterns.contains {
        $0 == refused.protocolName || refused.protocolName.hasSuffix(".\($0)")
      }
  }

  /// Writes the doubles, or checks them. Returns false if a check finds a difference.
  private func write(
    _ destination: DoublesDestination, _ options: DoublesOptions
  ) throws(ToolError) -> Bool {
    if let package = options.package { try destination.check(isInside: package) }
    let stale = try destination.stale(force: options.isForced)
    let orphans = showOrphans(destination, options)
    if options.isCheck {
      for file in stale { reportStale(file.path) }
      return stale.isEmpty && orphans.isEmpty
    }
    try destination.write(stale)
    write(
      "\(stale.count) written, \(destination.files.count - stale.count) unchanged,"
        + " \(destination.isOneFile ? "" : "in ")\(destination.path)")
    return true
  }

  private func showOrphans(
    _ destination: DoublesDestination, _ options: DoublesOptions
  ) -> [String] {
    let orphans = destination.orphans
    for orphan in orphans { writeError("\(options.isCheck ? "error" : "warning"): \(orphan)") }
    return orphans
  }

  // MARK: Without --output

  private func doubles(
    _ options: DoublesOptions, _ configured: [DoublesJob], in list: ModuleList
  ) throws(ToolError) -> Int32 {
    if !configured.isEmpty, !options.selection.patterns.isEmpty {
      throw .usage(
        "The configuration chooses the protocols, so '--protocol' needs --output.",
        command: "doubles")
    }
    if configured.contains(where: { $0.output == "-" }) {
      throw .usage(
        "'-' prints the doubles, and is for --output alone: the configuration names files.",
        command: "doubles")
    }
    let all = list.modules.filter(\.isChosen)
    func module(_ name: String) throws(ToolError) -> ModuleList.Module {
      guard let module = all.first(where: { $0.isNamed(name) }) else {
        throw .noModule(name, all.map(\.target))
      }
      return module
    }
    let named = try options.selection.modules.map { (name) throws(ToolError) in
      try module(name).name
    }
    let chosen = named.isEmpty ? all : all.filter { named.contains($0.name) }
    let wanted = configured.filter { job in
      named.isEmpty || chosen.contains { $0.isNamed(job.target) }
    }
    let configured = try wanted.map { (job) throws(ToolError) in
      var job = job
      job.selection.modules = [try module(job.target).name]
      return job
    }
    let selections =
      configured.isEmpty ? chosen.map { selection($0, options) } : configured.map(\.selection)
    guard let graphs = try graphs(options.input, selections) else { return GraphInput.needsBuilds }
    let index = GraphIndex(graphs, source: SymbolGraphFile.source)
    guard areSound(selections, index) else { return 1 }
    let jobs = configured.isEmpty ? try jobs(chosen, list, options, index) : configured
    // Without a configuration the user has not confirmed the folders yet.
    let isTrial =
      (configured.isEmpty || options.isExplaining) && !options.isWriting && !options.isCheck
    let status = try carryOut(
      jobs, isTrial: isTrial, mayBeEmpty: configured.isEmpty, index, options)
    if isTrial {
      let command = (list.arguments + ["--write"]).map(\.quotedForShell).joined(separator: " ")
      write(
        "Nothing is written yet. To write:"
          + " swift package --allow-writing-to-package-directory understudy \(command)")
    }
    return status
  }

  /// Makes the doubles of all jobs, and then writes them, checks them or shows what it would write.
  private func carryOut(
    _ jobs: [DoublesJob], isTrial: Bool, mayBeEmpty: Bool, _ index: GraphIndex,
    _ options: DoublesOptions
  ) throws(ToolError) -> Int32 {
    let destinations = try jobs.map { (job) throws(ToolError) in
      let output = try output(
        index, job.selection, options.access ?? job.access, in: names(at: job.output, options),
        mayBeEmpty: mayBeEmpty)
      return DoublesDestination(path: job.output, output: output)
    }
    var owners = FileOwners()
    for (job, destination) in zip(jobs, destinations) {
      for file in destination.files { try owners.add(file.path, of: job.target) }
    }
    var status: Int32 = 0
    for (job, destination) in zip(jobs, destinations) {
      let output = destination.output
      report(output, job.selection, options)
      write("\(job.target): \(output.summary)")
      if isTrial {
        try showTrial(destination, options)
      } else if try !write(destination, options) {
        status = 1
      }
      if output.refused.contains(where: { isNamed($0, job.selection) }) { status = 1 }
    }
    return status
  }

  private func selection(_ module: ModuleList.Module, _ options: DoublesOptions) -> Selection {
    Selection(patterns: options.selection.patterns, modules: [module.name])
  }

  /// A job for each module with a chosen protocol, or with doubles of earlier ones. Its doubles go
  /// below the tests of its target.
  private func jobs(
    _ chosen: [ModuleList.Module], _ list: ModuleList, _ options: DoublesOptions,
    _ index: GraphIndex
  ) throws(ToolError) -> [DoublesJob] {
    var jobs: [DoublesJob] = []
    for module in chosen where index.moduleNames.contains(module.name) {
      let selection = selection(module, options)
      let isEmpty = try selection.models(in: index, mayBeEmpty: true).isEmpty
      if isEmpty, !selection.patterns.isEmpty { continue }
      let tests = list.tests.filter { $0.dependencies.contains(module.id) }
      guard let test = tests.first(where: { $0.name == "\(module.target)Tests" }) ?? tests.first
      else {
        if isEmpty { continue }
        throw .noTests(module.target)
      }
      let output = "\(test.directory)/Doubles"
      if isEmpty, !DoublesDestination.hasDoubles(of: module.name, in: output) { continue }
      jobs.append(DoublesJob(target: module.target, selection: selection, output: output))
    }
    if jobs.isEmpty { throw .nothingChosen(modules: chosen.map(\.name)) }
    return jobs
  }

  private func showTrial(
    _ destination: DoublesDestination, _ options: DoublesOptions
  ) throws(ToolError) {
    let stale = Set(try destination.stale(force: options.isForced).map(\.path))
    _ = showOrphans(destination, options)
    for file in destination.files {
      write("  \(stale.contains(file.path) ? "to write " : "unchanged")  \(file.path)")
    }
  }
}

extension ModuleList.Module {
  /// Whether a name is that of the target or of the module.
  fileprivate func isNamed(_ other: String) -> Bool { target == other || name == other }
}
