// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzedFile
import UnderstudyDefinitions

/// Reads arbitrary bytes as a property list or JSON. The result must be a value or an error.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  // Bytes that look like a property list are left to the other fuzzer.
  if bytes.starts(with: Array("bplist".utf8)) || bytes.first == UInt8(ascii: "<") {
    bytes[0] = 0x20
  }
  let limits = ReadingLimits(byteCount: 1 << 20, depth: 64, valueCount: 10_000)
  do {
    let properties = try Properties([.document(bytes, named: "fuzz")], limits: limits)
    // Every listed path can be read and printed.
    for path in properties.paths {
      precondition(properties[path] != nil, "listed and not found: \(path)")
    }
    precondition(properties.description.utf8.count >= 0)
  } catch {
    PlantedFault.occur(in: "\(error)", saying: "is there twice")
  }
  return 0
}

@main struct JSONFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
  }
}
