// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The doubles of a run at the path of their output: a directory, or one file if the path ends in
/// `.swift`.
struct DoublesDestination {
  let path: String
  let output: DoublesOutput
  /// The files as they should be.
  let files: [OutputFile]

  init(path: String, output: DoublesOutput) {
    self.path = path
    self.output = output
    files =
      Self.isOneFile(path)
      ? [OutputFile(path: path, text: output.wholeFile.text, kind: .swift)]
      : output.files.map { file in
        OutputFile(path: "\(path)/\(file.name)", text: file.content.text, kind: .swift)
      }
  }

  static func isOneFile(_ path: String) -> Bool { path.hasSuffix(".swift") }

  var isOneFile: Bool { Self.isOneFile(path) }

  /// Throws if the path, or a file that is a link, is outside a package.
  func check(isInside package: String) throws(ToolError) {
    try OutputFile.check(path, isInside: package)
    for file in files where WholeWrite.target(of: file.path) != file.path {
      try OutputFile.check(file.path, isInside: package)
    }
  }

  /// The files whose text is not the expected one.
  ///
  /// - Throws: An error if writing is impossible or would destroy work.
  func stale(force: Bool) throws(ToolError) -> [OutputFile] {
    if !isOneFile, FileFacts(path)?.isDirectory == false { throw .outputIsFile(path: path) }
    var stale: [OutputFile] = []
    for file in files {
      if try file.isStale(force: force) { stale.append(file) }
    }
    return stale
  }

  /// Writes the stale files, each one completely or not at all.
  func write(_ stale: [OutputFile]) throws(ToolError) {
    if !isOneFile, !stale.isEmpty {
      try OutputFile.makeDirectory(path, for: path)
      guard FileManager.default.isWritableFile(atPath: path) else {
        throw .unwritable(path: path, reason: "the directory is not writable")
      }
    }
    for file in stale { try file.write() }
  }

  /// A sentence for each double of a protocol that has left its module's graph, or is refused now.
  /// Such a double no longer compiles, or is no longer generated. The tool does not delete it,
  /// because the user may have edited it.
  var orphans: [String] {
    if isOneFile { return [] }
    let current = Set(output.files.map(\.name))
    let names = Dictionary(
      output.files.map { ($0.plan.subject.replacing("`", with: ""), $0.name) }
    ) { first, _ in first }
    let refused = Set(output.refused.map { $0.protocolName.replacing("`", with: "") })
    return Self.doubles(in: path).filter { !current.contains($0.name) }.compactMap { double in
      let subject = "\(double.module).\(double.protocolName)"
      let start = "'\(path)/\(double.name)' is the double of '\(subject)', which is "
      if let name = names[subject] { return start + "in '\(name)' now: delete it." }
      if refused.contains(subject) { return start + "refused now: delete it." }
      guard let known = output.protocols[double.module], !known.contains(double.protocolName)
      else { return nil }
      return start + "not in the symbol graph of '\(double.module)': delete it."
    }
  }

  /// Whether a directory has a generated double of a module's protocol.
  static func hasDoubles(of module: String, in directory: String) -> Bool {
    doubles(in: directory).contains { $0.module == module }
  }

  /// The generated doubles in a directory, and their protocols.
  private static func doubles(
    in directory: String
  ) -> [(name: String, module: String, protocolName: String)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.sorted().filter { $0.hasSuffix(".swift") }.compactMap { name in
      guard let text = SymbolGraphFile.source(at: "\(directory)/\(name)"),
        let subject = GeneratedFile.subject(of: GeneratedFile.withPlainLineEnds(text)),
        let dot = subject.firstIndex(of: ".")
      else { return nil }
      return (name, String(subject[..<dot]), String(subject[dot...].dropFirst()))
    }
  }
}
