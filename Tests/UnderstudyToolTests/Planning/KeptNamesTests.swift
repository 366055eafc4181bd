// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// The spies of an existing double keep their names and their titles.
@Suite struct KeptNamesTests {
  /// The spies of a double of these requirements by the requirements' texts, in place of an
  /// existing text. A settable requirement has the spy of its getter here.
  private func spies(_ texts: [String], in old: String?) throws -> (
    names: [String: String], text: String
  ) {
    let file = try #require(try Mail.output(["Post": texts], in: old).files.first)
    let names = file.plan.members.map { $0.spies[0].name + " " + $0.spies[0].title }
    return (Dictionary(uniqueKeysWithValues: zip(texts, names)), file.content.text)
  }

  private func kept(_ before: [String], _ after: [String]) throws -> [String] {
    let spies = try spies(after, in: try spies(before, in: nil).text)
    #expect(try self.spies(after.reversed(), in: spies.text).names == spies.names)
    return after.compactMap { spies.names[$0] }
  }

  @Test(
    arguments: [
      // A new overload that is simpler takes a free name.
      (
        ["func send(_ x: Int)"], ["func send(_ x: Int)", "func send()"],
        ["send send(_:)", "sendReturningVoid send()"]
      ),
      (
        ["func load(_ x: String)"], ["func load(_ x: String)", "func load(_ x: Int)"],
        ["load load(_:)", "loadInt loadInt(_:)"]
      ),
      (
        ["func load(from x: String)", "func load()"],
        ["func load(from x: String)", "func load()", "func load(from x: Int)"],
        ["loadFrom load(from:)", "load load()", "loadFromInt loadFromInt(from:)"]
      ),
      // So does one that is not.
      (
        ["func load(_ x: Int)"], ["func load(_ x: Int)", "func load(_ x: String)"],
        ["load load(_:)", "loadString loadString(_:)"]
      ),
      // The simplest one is gone. The others keep their names, and the new one takes its own.
      (
        ["func load(_ x: Int)", "func load(_ x: String)"], ["func load(_ x: String)"],
        ["loadString loadString(_:)"]
      ),
      (
        ["func load()", "func load(_ x: Int)"], ["func load(_ x: Int)", "func load(_ x: String)"],
        ["loadInt load(_:)", "loadString loadString(_:)"]
      ),
      (["func send()"], ["func send(_ x: Int)"], ["send send(_:)"]),
      // A function with the name of a spy.
      (
        ["func load()", "func load(_ x: Int)"],
        ["func load()", "func load(_ x: Int)", "func loadInt(_ x: Int)"],
        ["load load()", "loadInt load(_:)", "loadIntInt loadInt(_:)"]
      ),
      // The effects, the names of parameters and the aliases of generic parameters identify none.
      (
        ["func send(_ x: Int)", "func send<T>(all x: T) throws"],
        ["func send()", "func send(_ y: Int) throws", "func send<Value>(all y: Value)"],
        ["sendReturningVoid send()", "send send(_:)", "sendAll send(all:)"]
      ),
      // The only overload with some labels is the same one, whatever its types are now.
      (
        ["func send(_ x: Int)"], ["func send()", "func send(_ x: String) async -> Bool"],
        ["sendReturningVoid send()", "send send(_:)"]
      ),
      // It keeps no name that tells other types.
      (
        ["func load(_ x: Int)", "func load(_ x: String)"],
        ["func load(_ x: Int)", "func load(_ x: Double)"],
        ["load load(_:)", "loadDouble loadDouble(_:)"]
      ),
      // Properties, and their setters.
      (
        ["var load: Int { get set }"], ["var load: Int { get set }", "func load(_ x: Int)"],
        ["load load", "loadInt loadInt(_:)"]
      ),
      (
        ["func load(_ x: Int)"], ["var load: Int { get set }", "func load(_ x: Int)"],
        ["loadReturningInt load", "load load(_:)"]
      ),
      (
        ["func levelSet()"], ["func levelSet()", "static var level: Int { get set }"],
        ["levelSet levelSet()", "level level"]
      ),
      (
        ["func levelSet()"], ["func levelSet()", "var level: Int { get set }"],
        ["levelSet levelSet()", "levelReturningInt level"]
      ),
      // Subscripts, initialisers, operators and static members.
      (
        ["subscript(x: String) -> Int { get set }"],
        ["subscript(x: String) -> Int { get set }", "subscript(x: Int) -> Int { get set }"],
        ["subscript subscript(_:)", "subscriptInt subscriptInt(_:)"]
      ),
      (
        ["init(x: Int)"], ["init(x: Int)", "init()"],
        ["initialize init(x:)", "initialize2 init()"]
      ),
      (
        ["static func + (l: String, r: Int)"],
        ["static func + (l: String, r: Int)", "static func + (l: Int, r: Int)"],
        ["plus +(_:_:)", "plusIntInt plusIntInt(_:_:)"]
      ),
      (
        ["static func load(_ x: String)"],
        ["static func load(_ x: String)", "func load(_ x: Int)", "static func load(_ x: Int)"],
        ["load static load(_:)", "load load(_:)", "loadInt loadInt(_:)"]
      ),
      // A generic result, an `inout` parameter, and a handler.
      (
        ["func take<T>(_ x: T) -> T"],
        ["func take<T>(_ x: T) -> T", "func take(_ x: Int) -> Int"],
        ["take take(_:)", "takeInt takeInt(_:)"]
      ),
      (
        ["func each(_ body: (Int) -> Void)", "func swap(_ x: inout Int)"],
        [
          "func each(_ body: (Int) -> Void)", "func swap(_ x: inout Int)", "func each()",
          "func swap()",
        ],
        [
          "each each(_:)", "swap swap(_:)", "eachReturningVoid each()", "swapReturningVoid swap()",
        ]
      ),
      // Names that need backticks, or that the spies of the double do not have.
      (
        ["func `do it`(_ x: Int)", "func `class`(_ x: Int)", "var spy: Int { get }"],
        [
          "func `do it`(_ x: Int)", "func `class`(_ x: Int)", "var spy: Int { get }",
          "func `do it`()", "func `class`()",
        ],
        [
          "do it do it(_:)", "class class(_:)", "spy spy", "do itReturningVoid do it()",
          "classReturningVoid class()",
        ]
      ),
      // A sign that is no letter needs no backticks.
      (
        ["func `🎭`(_ x: Int)", "func exit🚪(_ x: Int)"],
        ["func `🎭`(_ x: Int)", "func exit🚪(_ x: Int)", "func `🎭`()", "func exit🚪()"],
        [
          "🎭 🎭(_:)", "exit🚪 exit🚪(_:)", "🎭ReturningVoid 🎭()", "exit🚪ReturningVoid exit🚪()",
        ]
      ),
    ] as [([String], [String], [String])])
  func `the spies of an existing double keep their names`(
    before: [String], after: [String], names: [String]
  ) throws {
    #expect(try kept(before, after) == names)
  }

  @Test(arguments: 0..<60)
  func `no sequence of changes renames a requirement`(seed: Int) throws {
    var random = SplitMix(seed)
    let all = SpyNamesTests.overloads + SpyNamesTests.others
    var chosen: Set<String> = []
    var before: (names: [String: String], text: String)?
    for _ in 1...6 {
      for text in all.shuffled(using: &random).prefix(4) {
        // The setter of `level` needs a name that `levelSet()` may have.
        if chosen.remove(text) == nil { chosen.insert(text) }
      }
      guard !chosen.isEmpty else { continue }
      let texts = chosen.shuffled(using: &random)
      let after = try spies(texts, in: before?.text)
      #expect(Set(after.names.values).count == texts.count)
      for (text, name) in before?.names ?? [:] where chosen.contains(text) {
        // The title of a member of the type depends on the members of the instance.
        let isOfType = text.hasPrefix("static") || text.hasPrefix("init")
        #expect(
          after.names[text]?.prefix { !isOfType || $0 != " " }
            == name.prefix {
              !isOfType || $0 != " "
            }, "\(text)")
      }
      let again = try spies(texts, in: after.text)
      #expect(again.text == after.text)
      before = after
    }
  }

  @Test func `an unknown text keeps no name`() throws {
    let texts = ["func load(_ x: String)", "func load(_ x: Int)"]
    let fresh = try spies(texts, in: nil)
    for old in ["", "// Mine.\n", "final class OtherDouble {\n  func load(_ x: String) {\n"] {
      #expect(try spies(texts, in: old).text == fresh.text)
    }
  }

  @Test func `each double of one text has its own names`() throws {
    let old = try Mail.output([
      "Post": ["func send(_ x: Int)"], "Mailbox": ["func send(_ x: String)"],
    ]).wholeFile.text
    let output = try Mail.output(
      [
        "Post": ["func send(_ x: Int)", "func send()"],
        "Mailbox": ["func send(_ x: String)", "func send(_ x: Int)"],
      ], in: old)
    #expect(
      output.files.map { $0.plan.members.map { $0.spies[0].name } } == [
        ["send", "sendInt"], ["send", "sendReturningVoid"],
      ])
  }

  @Test func `a double with a name of other signs than letters keeps its names`() throws {
    let (load, text) = ("func load(_ x: String)", "func load(_ x: Int)")
    let old = try Mail.output(["🎭": [load]]).wholeFile.text
    #expect(old.contains("final class 🎭Double: Mail.🎭 {"))
    #expect(
      try Mail.output(["🎭": [load, text]], in: old).files.map {
        $0.plan.members.map { $0.spies[0].name }
      } == [["load", "loadInt"]])
  }

  @Test func `the sides of a merge keep their names`() throws {
    let send = "func send(_ x: Int)"
    let (ours, theirs) = (
      try spies([send, "func send()"], in: try spies([send], in: nil).text),
      try spies([send, "func send(_ x: String)"], in: try spies([send], in: nil).text)
    )
    let merged =
      "<<<<<<< ours\n\(ours.text)=======\n\(theirs.text.replacing("\n", with: "\r\n"))>>>>>>> theirs"
    let spies = try spies([send, "func send()", "func send(_ x: String)"], in: merged)
    #expect(
      spies.names == [
        send: "send send(_:)", "func send()": "sendReturningVoid send()",
        "func send(_ x: String)": "sendString sendString(_:)",
      ])
    #expect(ours.names.merging(theirs.names) { $1 } == spies.names)
  }

  @Test func `a name that two requirements have in a text stays with one of them`() throws {
    let texts = ["func send(_ x: Int)", "func send(_ x: String)"]
    let old = try spies(texts, in: nil).text.replacing("sendString", with: "send")
    #expect(
      try spies(texts, in: old).names == [
        texts[0]: "send send(_:)", texts[1]: "sendString sendString(_:)",
      ])
  }

  @Test func `a name that an edit gave stays, and a title does not`() throws {
    let texts = ["func send(_ x: Int)", "func send(_ x: String)"]
    let old = try spies(texts, in: nil).text.replacing("sendString", with: "sendText")
      .replacing("\"send(_:)", with: "\"mine(_:)")
    #expect(
      try spies(texts, in: old).names == [
        texts[0]: "send send(_:)", texts[1]: "sendText sendText(_:)",
      ])
  }

  @Test(arguments: 0..<40)
  func `no damaged text is an obstacle`(seed: Int) throws {
    var random = SplitMix(seed)
    let texts = Array(SpyNamesTests.overloads.shuffled(using: &random).prefix(8))
    var old = try spies(texts, in: nil).text
    for _ in 1...20 {
      let index = old.indices.randomElement(using: &random) ?? old.startIndex
      if Bool.random(using: &random) {
        old.remove(at: index)
      } else {
        old.insert("(){}[]<>\"`\n :,.@".randomElement(using: &random) ?? " ", at: index)
      }
    }
    let spies = try spies(texts, in: old)
    #expect(Set(spies.names.values).count == texts.count)
    #expect(try self.spies(texts, in: spies.text).text == spies.text)
  }
}

/// Protocols of a module `Mail` with the given requirements.
enum Mail {
  static func graph(_ protocols: [String: [String]]) -> SymbolGraph {
    var symbols: [SymbolGraph.Symbol] = []
    var relationships: [SymbolGraph.Relationship] = []
    func add(_ kind: String, _ usr: String, _ path: [String], _ text: String) {
      symbols.append(
        SymbolGraph.Symbol(
          kind: .init(identifier: "swift.\(kind)"), identifier: .init(precise: usr),
          pathComponents: path, declarationFragments: [.init(kind: "text", spelling: text)],
          accessLevel: "public",
          location: .init(
            uri: "file:///Mail.swift", position: .init(line: symbols.count, character: 0))))
    }
    for (name, texts) in protocols.sorted(by: { $0.key < $1.key }) {
      let owner = "s:4Mail\(name.utf8.count)\(name)P"
      add("protocol", owner, [name], "protocol \(name)")
      for (position, text) in texts.enumerated() {
        let words = text.split { " (:<".contains($0) }.map(String.init)
        let kind =
          words.contains("subscript")
          ? "subscript"
          : words[0] == "init" ? "init" : text.contains("var ") ? "property" : "method"
        let prefix = words[0] == "static" && kind != "subscript" ? "type." : ""
        let usr = "\(owner)\(position)"
        add(prefix + kind, usr, [name, text.title], text)
        relationships.append(.init(kind: "requirementOf", source: usr, target: owner))
      }
    }
    return SymbolGraph(
      metadata: .init(formatVersion: .init(major: 0, minor: 6)), module: .init(name: "Mail"),
      symbols: symbols, relationships: relationships)
  }

  /// The doubles in place of existing ones.
  static func output(
    _ protocols: [String: [String]], in old: String? = nil
  ) throws -> DoublesOutput {
    var file = SymbolGraphFile(ofToolchain: graph(protocols), path: "Mail")
    file.isOfToolchain = false
    let names = old.map { KeptNames(in: $0) }
    return try DoublesOutput(
      GraphIndex([file]), Selection(patterns: ["Mail.*"]), names: { _ in names })
  }
}

extension String {
  /// The name of the declaration in a symbol graph.
  fileprivate var title: String {
    Declaration(parsing: self)?.title ?? ""
  }
}
