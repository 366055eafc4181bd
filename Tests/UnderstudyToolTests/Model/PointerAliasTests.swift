// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// Attributes of functions that a graph may have lost, and aliases of pointers to C functions.
@Suite struct PointerAliasTests {
  private static let aliases = [
    "CFunction": "(Int32) -> Void", "Callback": "CFunction", "Again": "Callback",
    "Maybe": "CFunction?", "List": "[CFunction]", "Pair": "(CFunction, Callback)",
    "Count": "Number", "Number": "Int32",
  ]

  private func usr(_ name: some StringProtocol) -> String? {
    Self.aliases[String(name)] == nil ? nil : "s:3App\(name.count)\(name)a"
  }

  private func symbol(
    _ kind: String, _ usr: String, _ path: [String], _ text: String
  ) -> SymbolGraph.Symbol {
    let fragments = text.matches(of: #/@?\w+|[^\w@]+/#).map(\.output).map { word in
      SymbolGraph.Fragment(
        kind: usr != self.usr(word) && self.usr(word) != nil ? "typeIdentifier" : "text",
        spelling: String(word), preciseIdentifier: self.usr(word))
    }
    return SymbolGraph.Symbol(
      kind: .init(identifier: "swift.\(kind)"), identifier: .init(precise: usr),
      pathComponents: path, declarationFragments: fragments, accessLevel: "public")
  }

  /// The first line of the double's member, or the reason why there is no double.
  private func head(_ member: String, signs: String) throws -> String? {
    let usr = "s:3App4MineP\(signs)"
    var symbols = Self.aliases.sorted { $0.key < $1.key }.map { name, type in
      symbol("typealias", self.usr(name) ?? "", [name], "typealias \(name) = \(type)")
    }
    symbols.append(symbol("protocol", "s:3App4MineP", ["Mine"], "protocol Mine"))
    symbols.append(symbol("method", usr, ["Mine", "f"], member))
    let graph = SymbolGraph(
      metadata: .init(formatVersion: .init(major: 0, minor: 6)), module: .init(name: "App"),
      symbols: symbols,
      relationships: [.init(kind: "requirementOf", source: usr, target: "s:3App4MineP")])
    var file = SymbolGraphFile(ofToolchain: graph, path: "App")
    file.isOfToolchain = false
    let output = try DoublesOutput([file], Selection(patterns: ["Mine"]))
    return output.files.first?.plan.members.first?.witness.first ?? output.refusals.first
  }

  @Test(
    arguments: [
      ("CFunction", "XC"), ("Callback", "XC"), ("Again", "XC"), ("Maybe", "XCSg"),
      ("List", "SayXCG"), ("Pair", "XC_XCt"),
    ])
  func `a requirement may name a pointer to a C function by any alias`(
    type: String, signs: String
  ) throws {
    let head = try head("var f: \(type) { get }", signs: signs + "vp")
    #expect(head == "var f: \(type) {")
  }

  @Test(arguments: ["Int32", "Count"])
  func `an alias of another type stands for no pointer`(type: String) throws {
    let head = try head("func f(_ x: \(type)) -> (Int32) -> Void", signs: "XCF")
    #expect(head == "func f(_ x: \(type)) -> @convention(c) (Int32) -> Void {")
    let other = try self.head("var f: [(\(type)) -> Void] { get }", signs: "XCvp")
    #expect(other == "var f: [@convention(c) (\(type)) -> Void] {")
  }

  @Test(
    arguments: [
      (
        "func f(_ a: () -> Void, _ b: (Int32) -> Void)", "yyyyXE_ys5Int32VXCtF",
        "func f(_ a: () -> Void, _ b: @convention(c) (Int32) -> Void) {"
      ),
      (
        "func f(_ a: @escaping () -> Void, _ b: () -> Void)", "yyyyYAc_yyXEtF",
        "func f(_ a: @escaping @isolated(any) () -> Void, _ b: () -> Void) {"
      ),
      (
        "func f(_ a: () -> Void, _ b: (Int32) -> Void)", "yyyyXE_ys5Int32VXBtF",
        "func f(_ a: () -> Void, _ b: @convention(block) (Int32) -> Void) {"
      ),
      // The second type is equal, and has no sign of its own.
      (
        "func f(_ a: () -> Void, _ b: () -> Void)", "yyyyXB_AAtF",
        "func f(_ a: @convention(block) () -> Void, _ b: @convention(block) () -> Void) {"
      ),
      (
        "func f(_ a: @escaping () -> Void)", "yyyyXLF",
        "func f(_ a: @escaping @convention(block) () -> Void) {"
      ),
      ("var f: () -> Void { get }", "yyXLvp", "var f: @convention(block) () -> Void {"),
      ("var f: () -> Void { get }", "yyYAcvp", "var f: @isolated(any) () -> Void {"),
      // The function in the list is not isolated.
      (
        "func f(_ a: [() -> Void], _ b: @escaping () -> Int32)", "yySayyycG_s5Int32VYActF",
        "func f(_ a: [() -> Void], _ b: @escaping @isolated(any) () -> Int32) {"
      ),
    ])
  func `each function has the attribute that its own sign has`(
    member: String, signs: String, witness: String
  ) throws {
    #expect(try head(member, signs: "1f" + signs) == witness)
  }

  @Test(
    arguments: [
      ("func f(_ a: @escaping () -> Void, _ b: @escaping (Int32) -> Void)", "yyyyXL_ys5Int32VctF"),
      ("func f(_ a: @escaping () -> Void, _ b: @escaping (Int32) -> Void)", "yyyyYAc_ys5Int32VctF"),
      ("func f(_ a: @escaping () -> Void, _ b: [(Int32) -> Void])", "yyyyc_Says5Int32VYAcGtF"),
      ("var f: (() -> Void)? { get }", "yyXLSgvp"),
      ("var f: (() -> Void) -> Void { get }", "yyyyYAXEcvp"),
      ("func f(_ a: @escaping () -> (() -> Void))", "yyyyYAcycF"),
    ])
  func `a sign that may belong to several functions is refused`(
    member: String, signs: String
  ) throws {
    #expect(try head(member, signs: "1f" + signs)?.hasPrefix("No double") == true)
  }
}
