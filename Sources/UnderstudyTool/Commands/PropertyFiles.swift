// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The property files that a target names, by paths, by patterns, and by commands that print
/// properties.
package struct PropertyFiles {
  /// A file, and its name in messages if that is not its path.
  package struct File {
    package var path: String
    package var name: String?
  }

  /// The files in order. The last file with a property wins.
  private(set) var files: [File] = []
  /// The absolute paths of the files, and the commands. Another module may have the same ones.
  private(set) var origins: Set<String> = []
  private var printed: [String] = []

  /// Finds the files, and runs the commands. `writeError` receives what a command that succeeds
  /// writes to its standard error.
  ///
  /// - Throws: An error if a pattern has no match, or if a command fails.
  init(
    _ target: WiringConfiguration.Target, _ directory: String,
    launch: (String, [String]) -> ProgramEnd, writeError: (String) -> Void
  ) throws(ToolError) {
    for pattern in target.properties {
      files += try Self.files(pattern, directory).map { path in
        File(path: directory.appending(path: path))
      }
    }
    origins = Set(files.map(\.path.standardized))
    for command in target.propertyCommands {
      let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("understudy-\(UUID().uuidString).json").path
      printed.append(path)
      let end = launch("/bin/sh", ["-c", "{ \(command)\n} > \(path.quotedForShell)"])
      guard end.status == 0 else {
        remove()
        throw .propertyCommand(command, end.reason)
      }
      for line in end.errors.split(whereSeparator: \.isNewline) { writeError(String(line)) }
      files.append(File(path: path, name: "output of '\(command)'"))
      origins.insert(command)
    }
  }

  /// Removes the output of the commands.
  func remove() {
    for path in printed { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func files(_ pattern: String, _ directory: String) throws(ToolError) -> [String] {
    guard pattern.contains("*") || pattern.contains("?") else { return [pattern] }
    var found = [""]
    // Matches one folder at a time, since `*` does not match a slash.
    for (position, part) in pattern.split(separator: "/").enumerated() {
      let start = position == 0 && !pattern.hasPrefix("/") ? "" : "/"
      found = found.flatMap { folder -> [String] in
        guard part.contains("*") || part.contains("?") else { return [folder + start + part] }
        let root = start.isEmpty ? directory : "/"
        let path = folder.isEmpty ? root : directory.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") && Selection.matches($0, part) }
          .map { folder + start + $0 }
      }
    }
    let files = found.filter {
      FileManager.default.fileExists(atPath: directory.appending(path: $0))
    }
    guard !files.isEmpty else { throw .noProperties(pattern: pattern) }
    return files
  }
}

extension String {
  /// The text as one word of the shell, in quotation marks if it has other signs than those of a
  /// plain path or option.
  var quotedForShell: String {
    wholeMatch(of: #/[A-Za-z0-9_.,:=@%+\/-]+/#) == nil
      ? "'\(replacing("'", with: "'\\''"))'" : self
  }
}
