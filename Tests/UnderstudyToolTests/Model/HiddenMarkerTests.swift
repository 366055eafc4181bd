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

  private func names(_ source: String) -> [String] {
    HiddenMarker.all(in: source).map { "\($0.access) \($0.name) \($0.line):\($0.column)" }
  }

  @Test func `a comment in a block is read, too`() {
    #expect(names("/** - Understudy: component */ private struct A {}") == ["private A 1:47"])
    #expect(
      names(
        """
        /**
         * An account.
         * - Understudy: component
         */
        fileprivate struct B {}
        /**
         - Understudy: component
         */
        private class C {}
        /* - Understudy: component */
        private class D {}
        """) == ["fileprivate B 5:20", "private C 9:15"])
  }

  @Test func `a declaration in a private one is private`() {
    #expect(
      names(
        """
        private enum Outer {
          enum Middle {
            func text() -> String { "}" + "\\("}")" + #"}"# } // }
            /// - Understudy: component
            public struct Inner {}
          }
        }
        /// - Understudy: component
        struct Open { /* } } */ }
        fileprivate extension Open {
          /// - Understudy: inject
          init(a: Int) {}
          /// - Understudy: component
          internal static func make() -> Int { 1 }
          private class func hide() {}
        }
        extension Open {
          /// - Understudy: inject
          init(b: Int) {}
        }
        private typealias Other = Open
        /// - Understudy: component
        final class After {}
        """) == ["private Inner 5:19", "fileprivate init 12:3"])
  }

  @Test func `a member in an extension of a private type is private`() {
    #expect(
      names(
        """
        extension Early {
          /// - Understudy: component
          static func make() -> Early { Early() }
        }
        private struct Early {}
        struct Open { fileprivate struct Hidden {}; struct Seen {} }
        extension Open.Hidden {
          /// - Understudy: inject
          init(a: Int) {}
        }
        extension Open.Seen {
          /// - Understudy: inject
          init(b: Int) {}
        }
        private enum Outer { enum Middle {} }
        extension Outer.Middle {
          struct Deep {
            /// - Understudy: inject
            init(c: Int) {}
          }
        }
        extension Hidden {
          /// - Understudy: component
          static func other() -> Int { 1 }
        }
        private extension Open { struct Added {} }
        extension Open.Added {
          /// - Understudy: inject
          init(d: Int) {}
        }
        """) == [
          "private make 3:15", "fileprivate init 9:3", "private init 19:5", "private init 29:3",
        ])
  }

  @Test func `a class method is named by its name`() {
    #expect(
      names("/// - Understudy: component\nprivate class func make() {}") == ["private make 2:20"])
  }

  private func misplaced(_ source: String) -> [String] {
    MisplacedMarker.all(in: source).map { "\($0.word) \($0.line):\($0.column)" }
  }

  @Test(arguments: [
    ("@MainActor\n/// - Understudy: double\npublic protocol Store {}", "2:1"),
    (
      "@available(macOS 15, *) @A.B(\n  d: 1)\n  /** - Understudy: double */\nprotocol Store {}",
      "3:7"
    ),
    ("let a: Set<Int>\n@objc public\n/// - Understudy: double\nprotocol Store {}", "3:1"),
    ("enum A { @MainActor\n/// - Understudy: double\nprotocol Store {} }", "2:1"),
    ("final\n/// - Understudy: double\nclass Store {}", "2:1"),
    ("let a = 1...\n@MainActor\n/// - Understudy: double\nprotocol Store {}", "3:1"),
    ("/// - Understudy: double\n@MainActor\n/// - Understudy: double\nprotocol Store {}", "3:1"),
  ])
  func `a line below an attribute or a modifier is found`(source: String, place: String) {
    #expect(misplaced(source) == ["double \(place)"])
  }

  @Test(arguments: [
    "@MainActor\n@A\npublic final class A {}\n/// - Understudy: component\nstruct B {}",
    "let a:\n  @Sendable () -> Void\n/// - Understudy: component\nstruct B {}",
    "typealias A =\n  @Sendable () ->\n  @MainActor () -> Void\n/// - Understudy: component\nstruct B {}",
    "func a(\n  @A _ b: Int)\n/// - Understudy: component\nfunc c()",
    "@A public macro a() = #b(c: 1)\n/// - Understudy: component\nstruct B {}",
    "open(1)\n/// - Understudy: component\nstruct B {}",
    "@A(\"\"\"\n  /// - Understudy: component\n  // - Understudy: component\n  \"\"\")\nstruct B {}",
    "@A\n/* // - Understudy: component\n   /// - Understudy: component */\nstruct B {}",
    "// /// - Understudy: component\n// struct A {}\nstruct B {}",
    "// - Understudy: component\ninternal import A",
    "// - Understudy: component\npublic struct A {}",
    "let a = b ||\n  open\n/// - Understudy: component\nstruct B {}",
    "// - Understudy: component",
    "func a() {\n  // - Understudy: component\n  run()\n  let b = 1\n}",
    "/// - Understudy: component\n@A\nstruct B {}",
    "#if os(Windows)\n/// - Understudy: component\nstruct A {}\n#endif",
  ])
  func `a line that Swift reads, or that is no comment above a declaration, is not misplaced`(
    _ source: String
  ) {
    #expect(misplaced(source) == [])
  }

  @Test(arguments: [
    "/// - Understudy: component\nstruct Open {}",
    "let scope = Scope.private\n/// - Understudy: component\nstruct Open {}",
    "let keys = Keys(public: a, private: b)\n/// - Understudy: component\nstruct Open {}",
    "private let opening = /\\{\\//\n/// - Understudy: component\nstruct Open {}",
    "private let half = a / b {\n}\n/// - Understudy: component\nstruct Open {}",
    "let quote = #/\"{/#\n/// - Understudy: component\nstruct Open {}",
    "/* /** */ /// - Understudy: component */\nprivate struct Hidden {}",
    "let text = \"/// - Understudy: component\"\nprivate struct Hidden {}",
    "private func run() { if let a = b { } }\n/// - Understudy: component\nstruct Open {}",
    "/// - Understudy: component\npublic private(set) var value = 1",
    "/// Says nothing.\nprivate struct Hidden {}",
    "/// - Understudy: component\nstruct Open {}\nprivate struct Hidden {}",
    "/// - Understudy: component",
  ])
  func `nothing else is found`(_ source: String) {
    #expect(HiddenMarker.all(in: source) == [])
  }
}
