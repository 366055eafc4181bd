// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzedFile
import UnderstudyDefinitions

/// Reads arbitrary bytes as a property list, XML or binary. The result must be a value or an error.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let limits = ReadingLimits(byteCount: 1 << 20, depth: 64, valueCount: 10_000)
  do {
    let properties = try Properties([.document(bytes, named: "fuzz")], limits: limits)
    for path in properties.paths {
      precondition(properties[path] != nil, "listed and not found: \(path)")
    }
  } catch {
    PlantedFault.occur(in: "\(error)", saying: "is there twice")
  }
  return 0
}

@main struct PropertyListFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
  }
}
