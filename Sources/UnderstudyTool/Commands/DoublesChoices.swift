// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The contents of `doubles.json`, which chooses the protocols of a build step.
struct DoublesChoices {
  let path: String
  /// The targets whose protocols get doubles.
  let targets: [String]
  /// Names and patterns of protocols. If empty, the comments of the protocols choose.
  let protocols: [String]
  /// The access level of the doubles, or `nil` for the default.
  let access: DoublesAccess?

  init(contentsOf path: String) throws(ToolError) {
    self.path = path
    var root = try JSONReader(JSONReader.data(at: path), path: path)
    targets = try root.texts("targets")
    protocols = try root.texts("protocols")
    access = try root.word("access", among: DoublesAccess.words).flatMap(DoublesAccess.init)
    try root.finish()
    if targets.isEmpty {
      throw root.error("needs 'targets', a list with the names of targets.")
    }
  }

  /// The chosen protocols of the targets in a list.
  ///
  /// - Throws: An error about a target that the plugin had not read when it planned the build.
  func selection(in list: ModuleList) throws(ToolError) -> Selection {
    var modules: [String] = []
    for name in targets {
      guard let module = list.modules.first(where: { $0.isChosen && $0.target == name }) else {
        throw .configuration(
          path: path,
          "names '\(name)', which the plan of the build does not have: run 'touch Package.swift',"
            + " and build again.")
      }
      modules.append(module.name)
    }
    return Selection(patterns: protocols, modules: modules)
  }
}

extension ToolError {
  /// The same error about a choice in a file, if it is about one on the command line.
  func ofChoice(in path: String) -> ToolError {
    switch self {
    case .noProtocol(let pattern, let nearest):
      let guess = Self.guess(nearest)
      return .configuration(
        path: path, "has '\(pattern)' in 'protocols', which is the name of no protocol.\(guess)")
    case .notProtocol(let pattern, let kind):
      return .configuration(
        path: path, "has '\(pattern)' in 'protocols', which is \(kind): only protocols get doubles."
      )
    case .nothingChosen(let modules):
      return .configuration(
        path: path,
        "has no 'protocols', and no protocol of \(Self.list(modules)) says '- Understudy: double'"
          + " in its documentation comment.")
    case .ambiguousProtocol(let name, let modules):
      let names = Self.list(modules.map { "\($0).\(name)" })
      return .configuration(
        path: path, "chooses a protocol '\(name)' of several modules. Write one of \(names).")
    default: return self
    }
  }
}
