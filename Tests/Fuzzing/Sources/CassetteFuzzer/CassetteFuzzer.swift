// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzedFile
import UnderstudyDoubles

/// Opens arbitrary bytes as a cassette. The result must be a cassette, or an error with a text.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = FuzzedFile.write(start, count, to: "cassette.json")
  do {
    _ = try Cassette(at: file, mode: .none)
  } catch {
    precondition(!"\(error)".isEmpty)
    PlantedFault.occur(in: "\(error)", saying: "was written by a newer version")
  }
  return 0
}

@main struct CassetteFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
  }
}
