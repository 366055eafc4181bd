// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Lists the public symbols without a documentation comment, and fails if there are any.
//
//   swift .ci/documented.swift <directory of symbol graphs>

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Comment: Decodable {}
    struct Location: Decodable {}
    let identifier: Identifier
    let pathComponents: [String]
    let accessLevel: String
    let kind: Kind
    let docComment: Comment?
    let location: Location?
  }
  let symbols: [Symbol]
}

let directory = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
let files = try FileManager.default.contentsOfDirectory(
  at: directory, includingPropertiesForKeys: nil
).filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
var count = 0
var missing: Set<String> = []
for file in files {
  for symbol in try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols
  where ["public", "open"].contains(symbol.accessLevel) {
    // A synthesised symbol has no place, and an extension needs no comment.
    let isWritten =
      symbol.location != nil && !symbol.identifier.precise.contains("::SYNTHESIZED::")
      && symbol.kind.identifier != "swift.extension"
    guard isWritten else { continue }
    count += 1
    if symbol.docComment == nil {
      missing.insert(symbol.pathComponents.joined(separator: "."))
    }
  }
}
guard count > 0 else { fatalError("There are no symbols in \(directory.path).") }
for name in missing.sorted() { print("not documented: \(name)") }
print("\(count - missing.count) of \(count) public symbols are documented")
exit(missing.isEmpty ? 0 : 1)
