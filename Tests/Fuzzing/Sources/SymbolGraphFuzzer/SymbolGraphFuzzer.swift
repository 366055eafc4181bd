// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzedFile
import UnderstudyTool
import UnderstudyWiringTool

/// Reads arbitrary bytes as a symbol graph, for doubles and for wiring. The result must be an
/// output or an error.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = FuzzedFile.write(start, count, to: "Fuzz.symbols.json")
  let tool = Tool(
    write: { _ in },
    writeError: { error in
      precondition(!error.isEmpty)
      PlantedFault.occur(in: error, saying: "this tool knows the formats 0.x")
    })
  let doubles = FuzzedFile.folder.appending(path: "Doubles").path(percentEncoded: false)
  _ = tool.run(
    ["doubles", "--symbol-graph", file, "--protocol", "*", "--output", doubles, "--check"])
  _ = tool.run(["graph", "--symbol-graph", file, "--format", "json"])
  return 0
}

@main struct SymbolGraphFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
  }
}
