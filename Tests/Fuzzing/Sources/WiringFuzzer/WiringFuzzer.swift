// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzedFile
import UnderstudyTool
import UnderstudyWiringTool

/// Reads arbitrary bytes as the configuration for wiring the module Mill. The result must be an
/// output or an error.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = FuzzedFile.write(start, count, to: "understudy.json")
  let tool = Tool(
    write: { _ in },
    writeError: { error in
      precondition(!error.isEmpty)
      PlantedFault.occur(in: error, saying: "has the key")
    })
  _ = tool.run(
    [
      "validate", "--config", file, "--symbol-graph",
      "../UnderstudyToolTests/Graphs/Mill.symbols.json",
    ])
  return 0
}

@main struct WiringFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
  }
}
