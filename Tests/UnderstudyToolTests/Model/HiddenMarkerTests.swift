// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct HiddenMarkerTests {
  @Test func `private declarations with a line for the tool are found with their places`() {
    let source = """
      /// A clock.
      /// - Understudy: component cached
      private struct Clock {}

      /// - Understudy: double
      @available(macOS 15, *)
      fileprivate protocol Store: Sendable {}

      struct Desk {
        /// - Understudy: inject
        private init(store: any Store) {}
      }
      """
    #expect(
      HiddenMarker.all(in: source) == [
        .init(word: "component", access: "private", name: "Clock", line: 3, column: 16),
        .init(word: "double", access: "fileprivate", name: "Store", line: 7, column: 22),
        .init(word: "inject", access: "private", name: "init", line: 11, column: 11),
      ])
  }

  @Test(arguments: [
    "/// - Understudy: component\nstruct Open {}",
    "/// - Understudy: component\npublic private(set) var value = 1",
    "/// Says nothing.\nprivate struct Hidden {}",
    "/// - Understudy: component\nstruct Open {}\nprivate struct Hidden {}",
    "/// - Understudy: component",
  ])
  func `nothing else is found`(_ source: String) {
    #expect(HiddenMarker.all(in: source) == [])
  }
}
