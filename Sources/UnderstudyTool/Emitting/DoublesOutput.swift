// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The doubles of a run: a file for each, and the remarks.
struct DoublesOutput {
  struct File: Hashable {
    var name: String
    var content: GeneratedFile
    var plan: DoublePlan
  }

  struct Refused: Hashable {
    var protocolName: String
    var refusal: DoublePlanner.Refusal
    /// The declaration of the protocol.
    var place: SourcePlace?

    var message: String { "No double for '\(protocolName)': \(refusal.message)." }
  }

  private(set) var files: [File] = []
  private(set) var refused: [Refused] = []
  /// The warnings about doubles with the name of a type.
  private(set) var warnings: [Diagnostic] = []
  /// The names of all protocols in the modules that were read, chosen or not.
  private(set) var protocols: [String: Set<String>] = [:]
  private var refusedProtocols: [String] = []
  /// The protocols whose doubles need newer systems than others.
  private var newerProtocols: [String] = []
  private let format: String
  private let access: DoublesAccess

  /// Makes the doubles of the chosen protocols. Writes no files, and reads files only with
  /// `source`.
  ///
  /// `source` returns the text of a source that a graph names. `progress` is called before each
  /// double with the number of finished ones and of all. With `mayBeEmpty`, it is no error if no
  /// protocol is chosen. `names` returns the names in the existing file of a double, by the name of
  /// that file. `access` is the access level of the doubles.
  init(
    _ index: GraphIndex, _ selection: Selection, mayBeEmpty: Bool = false,
    access: DoublesAccess = .internal,
    source: (String) -> String? = { _ in nil },
    names: (String) -> KeptNames? = { _ in nil },
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(ToolError) {
    format = index.format
    self.access = access
    for module in index.moduleNames { protocols[module] = [] }
    for usr in index.protocols {
      protocols[index.modules[usr] ?? "", default: []].insert(
        index.name(of: usr).replacing("`", with: ""))
    }
    var models = try selection.models(in: index, mayBeEmpty: mayBeEmpty)
    for position in models.indices { models[position].readIsolation(index, source: source) }
    var references = DoubleReferences(models, index)
    var without: Set<String> = []
    while true {
      files = []
      refused = []
      warnings = []
      refusedProtocols = []
      newerProtocols = []
      let fixed = Partners.fixed(models, without: without, index)
      plan(fixed, index, references, names, progress)
      without.formUnion(refusedProtocols)
      let isReferenced = references.remove(refusedProtocols + newerProtocols)
      if !isReferenced, Partners.fixed(models, without: without, index) == fixed { break }
    }
  }

  private mutating func plan(
    _ models: [ProtocolModel], _ index: GraphIndex, _ references: DoubleReferences,
    _ names: (String) -> KeptNames?, _ progress: (Int, Int) -> Void
  ) {
    let doubles = Set(models.map { DoublePlanner.name(of: $0, index) })
    var owners: [String: String] = [:]
    var cases: [String: String] = [:]
    for (position, model) in models.enumerated() {
      progress(position, models.count)
      let place = SourcePlace(index.symbols[model.usr]?.location)
      // A file name cannot contain a slash.
      var name = DoublePlanner.name(of: model, index).replacing("/", with: "_")
      // Some file systems have one file for two names that differ only in case.
      while let other = cases[name.lowercased()], other != name { name += "_" }
      let result = DoublePlanner.plan(
        model, index, doubles: references.names(for: model.usr), names: doubles,
        kept: names("\(name).swift"), access: access)
      switch result {
      case .failure(let refusal):
        refusedProtocols.append(model.usr)
        refused.append(
          Refused(protocolName: "\(model.module).\(model.name)", refusal: refusal, place: place))
      case .success(let plan):
        if let owner = owners.updateValue(model.name, forKey: name) {
          owners[name] = owner
          refused.append(
            Refused(
              protocolName: "\(model.module).\(model.name)",
              refusal: .taken(name: plan.name, by: owner), place: place))
          continue
        }
        cases[name.lowercased()] = name
        if let kind = index.outermost[plan.name]?.sorted(by: { $0.key < $1.key }).first {
          warnings.append(
            Diagnostic(
              severity: .warning, place: place,
              message: "The double of '\(model.module).\(model.name)' has the name of the"
                + " \(kind.value) '\(kind.key).\(plan.name)', and hides it."))
        }
        if plan.attributes.contains(where: { $0.hasPrefix("@available(") }) {
          newerProtocols.append(model.usr)
        }
        let body = DoubleWriter.text(of: plan)
        files.append(
          File(
            name: "\(name).swift",
            content: GeneratedFile(body: body, format: index.format), plan: plan))
      }
    }
  }

  /// All doubles in one file, for a build that has to know its output files before it runs.
  var wholeFile: GeneratedFile {
    // One import of a module without this attribute would make the attribute of others void.
    let attribute = "@preconcurrency "
    let old = Set(files.flatMap(\.plan.imports).filter { $0.hasPrefix(attribute) }.map(\.lastWord))
    let texts = files.map { file in
      var plan = file.plan
      plan.imports = plan.imports.map { line in
        old.contains(line.lastWord) && !line.hasPrefix(attribute) ? attribute + line : line
      }
      return DoubleWriter.text(of: plan)
    }
    return GeneratedFile(body: texts.joined(separator: "\n"), format: format)
  }

  /// The line that counts everything, so that no omission goes unnoticed.
  var summary: String {
    func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
      "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
    func sum(_ shape: MemberPlan.Shape) -> Int { files.reduce(0) { $0 + $1.plan.count(shape) } }
    return count(files.count, "double") + ": "
      + [
        count(sum(.spy), "spy", "spies"), count(sum(.handler), "handler"),
        count(sum(.refusal), "refusal"),
      ].joined(separator: ", ") + "; " + count(refused.count, "protocol") + " refused."
  }

  /// The result for every requirement.
  var explanation: [String] {
    files.flatMap { file in
      ["\(file.plan.name): \(file.plan.protocolName)"]
        + file.plan.members.map { member in
          let kind: String
          switch member.shape {
          case .spy: kind = "spy    "
          case .handler: kind = "handler"
          case .refusal: kind = "refusal"
          }
          return "  \(kind)  \(member.title)"
            + (member.notes.isEmpty ? "" : "  — " + member.notes.joined(separator: " "))
        }
    }
  }
}

extension String {
  /// The module of an import.
  fileprivate var lastWord: Substring { split(separator: " ").last ?? "" }
}
