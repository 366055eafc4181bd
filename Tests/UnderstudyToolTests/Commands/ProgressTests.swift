// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyWiringTool

@testable import UnderstudyTool

@Suite struct ProgressTests {
  /// A graph of many empty protocols.
  private func graph(_ count: Int) -> String {
    let symbols = (0..<count).map { number in
      """
      {"kind": {"identifier": "swift.protocol"}, "identifier": {"precise": "s:4Many2P\(number)P"},
      "pathComponents": ["P\(number)"], "accessLevel": "public", "declarationFragments": []}
      """
    }
    return """
      {"metadata": {"formatVersion": {"major": 0, "minor": 6}}, "module": {"name": "Many"},
      "symbols": [\(symbols.joined(separator: ","))], "relationships": []}
      """
  }

  @Test(
    arguments: [
      (49, [""]),
      (60, ["0", "10", "20", "30", "40", "50"].map { "\($0) of 60 protocols" } + [""]),
    ])
  func `long work shows its progress, and removes it at the end`(count: Int, shown: [String]) throws
  {
    let folder = try Folder()
    try folder.write(graph(count), to: "Many.symbols.json")
    var lines: [String] = []
    var progress: [String] = []
    withoutActuallyEscaping({ lines.append($0) }) { write in
      withoutActuallyEscaping({ progress.append($0) }) { show in
        let tool = Tool(write: write, writeError: write, showProgress: show)
        let status = tool.run([
          "doubles", "--symbol-graph", folder.path, "--protocol", "*", "--output",
          "\(folder.path)/Doubles",
        ])
        #expect(status == 0)
      }
    }
    #expect(progress == shown)
    #expect(lines.last == "\(count) written, 0 unchanged, in \(folder.path)/Doubles")
  }
}
