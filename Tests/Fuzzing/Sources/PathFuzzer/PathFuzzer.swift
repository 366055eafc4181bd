// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzedFile
import UnderstudyDefinitions

/// Reads arbitrary bytes as a path. Its canonical spelling must be read as the same path.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let path: PropertyPath
  do {
    path = try PropertyPath(text)
  } catch {
    PlantedFault.occur(in: error.rawValue, saying: "a bracket is empty")
    return 0
  }
  do {
    let again = try PropertyPath(path.description)
    precondition(again == path, "\(path.steps) became \(again.steps)")
  } catch {
    preconditionFailure("\(path.description) is malformed: \(error.rawValue)")
  }
  return 0
}

@main struct PathFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
  }
}
