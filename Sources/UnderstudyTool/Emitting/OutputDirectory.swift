// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The directory of generated files.
struct OutputDirectory {
  let path: String

  struct Changes: Hashable {
    /// The names of the files whose text is not the expected one.
    var stale: [String] = []
    var unchanged = 0
  }

  /// Throws if a path is not inside a package once symbolic links are resolved.
  static func check(_ path: String, isInside package: String) throws(ToolError) {
    let root = URL(fileURLWithPath: package).standardizedFileURL.resolvingSymlinksInPath().path
    var url = URL(fileURLWithPath: WholeWrite.target(of: path) ?? path).standardizedFileURL
    var missing: [String] = []
    // Only existing parts of the path can be links.
    while !FileManager.default.fileExists(atPath: url.path), url.path != "/" {
      missing.insert(url.lastPathComponent, at: 0)
      url = url.deletingLastPathComponent()
    }
    let whole = ([url.resolvingSymlinksInPath().path] + missing).joined(separator: "/")
    guard whole == root || whole.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
      throw .outside(path: path, package: package)
    }
  }

  /// Throws if a file is a link out of a package.
  func check(_ files: [DoublesOutput.File], areInside package: String) throws(ToolError) {
    for file in files {
      let target = "\(path)/\(file.name)"
      guard WholeWrite.target(of: target) != target else { continue }
      try Self.check(target, isInside: package)
    }
  }

  /// Compares the files with the expected text, without writing.
  ///
  /// - Throws: An error if writing is impossible or would destroy work.
  func changes(for files: [DoublesOutput.File], force: Bool) throws(ToolError) -> Changes {
    if FileFacts(path)?.isDirectory == false { throw .outputIsFile(path: path) }
    var changes = Changes()
    for file in files {
      let target = OutputFile(
        path: "\(path)/\(file.name)", text: file.content.text, kind: .swift)
      if try target.isStale(force: force) {
        changes.stale.append(file.name)
      } else {
        changes.unchanged += 1
      }
    }
    return changes
  }

  /// A sentence for each double of a protocol that has left its module's graph, or is refused now.
  /// Such a double no longer compiles, or is no longer generated. The tool does not delete it,
  /// because the user may have edited it.
  func orphans(of output: DoublesOutput) -> [String] {
    let current = Set(output.files.map(\.name))
    let refused = Set(output.refused.map { $0.protocolName.replacing("`", with: "") })
    return doubles().filter { !current.contains($0.name) }.compactMap { double in
      let subject = "\(double.module).\(double.protocolName)"
      let start = "'\(path)/\(double.name)' is the double of '\(subject)', which is "
      if refused.contains(subject) { return start + "refused now: delete it." }
      guard let known = output.protocols[double.module], !known.contains(double.protocolName)
      else { return nil }
      return start + "not in the symbol graph of '\(double.module)': delete it."
    }
  }

  /// Whether there is a generated double of a module's protocol.
  func hasDoubles(of module: String) -> Bool { doubles().contains { $0.module == module } }

  /// The generated doubles, and their protocols.
  private func doubles() -> [(name: String, module: String, protocolName: String)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".swift") }.compactMap { name in
      guard let data = FileManager.default.contents(atPath: "\(path)/\(name)"),
        let subject = GeneratedFile.subject(
          of: GeneratedFile.withPlainLineEnds(String(decoding: data, as: UTF8.self))),
        let dot = subject.firstIndex(of: ".")
      else { return nil }
      return (name, String(subject[..<dot]), String(subject[dot...].dropFirst()))
    }
  }

  /// Writes the stale files, each one completely or not at all.
  func write(_ files: [DoublesOutput.File], _ changes: Changes) throws(ToolError) {
    let stale = Set(changes.stale)
    guard !stale.isEmpty else { return }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path: path, reason: "the directory cannot be made")
    }
    guard FileManager.default.isWritableFile(atPath: path) else {
      throw .unwritable(path: path, reason: "the directory is not writable")
    }
    for file in files where stale.contains(file.name) {
      let target = "\(path)/\(file.name)"
      // Written beside the target and then moved, so that the target is never incomplete.
      guard WholeWrite.write(file.content.text, to: target) else {
        throw .unwritable(path: target, reason: "the file system refuses it")
      }
    }
  }
}
