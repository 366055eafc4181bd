// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Doubles of protocols that an SPI group hides, as a whole or in part.
@Suite struct SPIDoublesTests {
  /// The source of the graph, whose lines and columns the graph names.
  private let source = """
    @_spi(A) public protocol Parent { var tag: String { get } }
    protocol Child: Parent { var number: Int { get } }
    @_spi(A) public protocol OfTwo { @_spi(B) func other() }
    @_spi(A) open class Screen {
      public init() {}
      @_spi(B) open func hidden() {}
    }
    protocol OfScreen: Screen { func show() }
    @_spi(A) public enum Space {}
    extension Space {
      public protocol Inner { func look() }
    }
    """

  private func output(_ source: String?) throws -> DoublesOutput {
    try DoublesOutput(
      Fixtures.read("Spar"), Selection(patterns: ["*"], modules: ["Spar"]), source: { _ in source })
  }

  @Test(
    arguments: [
      ("Parent", "@_spi(A) import Spar"), ("Child", "@_spi(A) @testable import Spar"),
      ("OfTwo", "@_spi(A) @_spi(B) import Spar"), ("OfScreen", "@_spi(A) @testable import Spar"),
      ("SpaceInner", "@_spi(A) import Spar"),
    ])
  func `a double imports the groups of parents, classes, owners and members`(
    name: String, line: String
  ) throws {
    let file = try output(source).files.first { $0.name == "\(name)Double.swift" }
    #expect(file?.content.text.split(separator: "\n").first { $0.contains("Spar") } == line[...])
  }

  @Test func `a public double names no declaration of a group`() throws {
    let output = try DoublesOutput(
      GraphIndex(Fixtures.read("Spar"), source: { _ in source }),
      Selection(patterns: ["Parent"], modules: ["Spar"]), access: .public)
    #expect(
      output.refusals == [
        "No double for 'Spar.Parent': a public double cannot name the declarations of an SPI group;"
          + " make its access package."
      ])
  }

  @Test func `without the source, no group is known`() throws {
    let reason = "it needs an SPI group that no available source names."
    let refusals = try output(nil).refusals
    #expect(refusals.count == 5)
    #expect(refusals.count { $0.hasSuffix(reason) } == 4)
    #expect(refusals.contains { $0.contains("none of whose initialisers is visible") })
  }
}
