// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// How the package is built today: read from its sources and its manifest.
struct Blueprint {
  /// A target of the manifest that is not a test's.
  struct Target {
    let name: String
    let kind: String
    let dependencies: [String]
    let isLibraryProduct: Bool
    let importsFoundation: Bool
  }

  /// The folders of the core, each after those that it uses: the order of `Docs/Architecture.md`.
  let folders: [String]
  /// Which folder names types of which other: their places in `folders`.
  let uses: [(user: Int, used: Int)]
  let targets: [Target]

  init() throws {
    let page = try Page(path: "Docs/Architecture.md").text
    let order = page.components(separatedBy: "```")[1].split(separator: "\n")[0]
    folders = order.components(separatedBy: " → ").map { String($0.split(separator: " ")[0]) }
    uses = try Self.uses(of: folders)
    targets = try Self.targets(of: String(contentsOf: Self.file("Package.swift"), encoding: .utf8))
  }

  private static func file(_ path: String) -> URL { Page.root.appending(path: path) }

  // MARK: The folders

  private static func uses(of folders: [String]) throws -> [(user: Int, used: Int)] {
    let codes = try folders.map { try sources(below: "Sources/Understudy/\($0)").map(Code.init) }
    let declared = codes.map { $0.reduce(into: Set<String>()) { $0.formUnion($1.types) } }
    let named = codes.map { $0.reduce(into: Set<String>()) { $0.formUnion($1.names) } }
    return folders.indices.flatMap { user in
      folders.indices.filter { $0 != user }.compactMap { used in
        // A name that two folders declare says nothing of who is meant.
        let others = folders.indices.filter { $0 != used }
        let own = others.reduce(into: declared[used]) { $0.subtract(declared[$1]) }
        return own.isDisjoint(with: named[user]) ? nil : (user, used)
      }
    }
  }

  private static func sources(below folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: file(folder).path)?
      .compactMap { $0 as? String }
    return try (names ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { try String(contentsOf: file("\(folder)/\($0)"), encoding: .utf8) }
  }

  // MARK: The targets

  private static func targets(of manifest: String) throws -> [Target] {
    let libraries = Set(manifest.matches(of: #/\.library\(name: "([^"]+)"/#).map { String($0.1) })
    let section = manifest.components(separatedBy: "  targets: [").last ?? ""
    return try section.components(separatedBy: "\n    .").dropFirst().compactMap { text in
      guard let head = text.firstMatch(of: #/^(\w+)\(\s*name: "([^"]+)"/#), head.1 != "testTarget"
      else { return nil }
      let name = String(head.2)
      let list = text.firstMatch(of: #/(?s)dependencies: \[(.*?)\]/#)?.1 ?? ""
      let lines = try sources(below: "Sources/\(name)").flatMap { $0.split(separator: "\n") }
      return Target(
        name: name, kind: String(head.1),
        dependencies: list.matches(of: #/"([^"]+)"/#).map { String($0.1) },
        isLibraryProduct: libraries.contains(name),
        importsFoundation: lines.contains { $0.hasSuffix("import Foundation") })
    }
  }

  /// The dependencies of a target that no other of its dependencies brings with it.
  func ownDependencies(of target: Target) -> [String] {
    target.dependencies.filter { name in
      !target.dependencies.contains { $0 != name && reach(of: $0).contains(name) }
    }
  }

  private func reach(of name: String) -> Set<String> {
    let direct = targets.first { $0.name == name }?.dependencies ?? []
    return direct.reduce(into: Set(direct)) { $0.formUnion(reach(of: $1)) }
  }

  /// How many steps a target stands to the right of the core; one that needs nothing stands left of
  /// the first that needs it.
  func column(of name: String) -> Int {
    let direct = targets.first { $0.name == name }?.dependencies ?? []
    if let furthest = direct.map({ column(of: $0) }).max() { return furthest + 1 }
    guard name != targets.first?.name else { return 0 }
    let users = targets.filter { $0.dependencies.contains(name) }
    return users.map { user in
      let others = user.dependencies.filter { $0 != name }
      return others.map { column(of: $0) }.max() ?? 0
    }.min() ?? 0
  }
}

/// The words of a source file that begin with a capital, without those of comments and strings.
private struct Code {
  private(set) var names: Set<String> = []
  /// The types that the file declares for others to see.
  private(set) var types: Set<String> = []

  private static let kinds: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "typealias",
  ]

  init(_ text: String) {
    var isInText = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = Array(line)
      var words: [String] = []
      read(line, isInText: &isInText, words: &words)
      let isHidden = words.contains("private") || words.contains("fileprivate")
      for (kind, name) in zip(words, words.dropFirst()) where Self.kinds.contains(kind) {
        if !isHidden { types.insert(name) }
      }
      names.formUnion(words.filter { $0.first?.isUppercase == true })
    }
  }

  /// Reads the words of a line; a text of several lines goes on in the next.
  private func read(_ line: [UInt8], isInText: inout Bool, words: inout [String]) {
    let quote = UInt8(ascii: "\"")
    var word: [UInt8] = []
    var isInString = false
    var index = 0
    func isWordByte(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte)
        || (97...122).contains(byte)
    }
    while index < line.count {
      let byte = line[index]
      let isTriple = byte == quote && line[index...].starts(with: [quote, quote, quote])
      if isTriple {
        isInText.toggle()
        index += 3
        continue
      }
      if isInString, byte == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if !isInText, byte == quote { isInString.toggle() }
      let isCode = !isInText && !isInString
      if isCode, line[index...].starts(with: Array("//".utf8)) { break }
      if isCode, isWordByte(byte) {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      index += 1
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
  }
}
