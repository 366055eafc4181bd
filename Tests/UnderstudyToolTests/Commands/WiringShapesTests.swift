// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct WiringShapesTests {
  private func run() throws -> (Run, String) {
    let folder = try Folder()
    let run = Run([
      "wire", "--symbol-graph", Fixtures.graph("Pail"), "--output", "\(folder.path)/Wiring.swift",
    ])
    return (run, try folder.text("Wiring.swift"))
  }

  @Test func `no name inside an assembly hides a component`() throws {
    let text = try run().1
    #expect(text.contains("func assemble(into registrar_: some Registering) {"))
    #expect(
      text.contains("registrar_.register(autowiring: registrar.init(log:two:))"))
    #expect(
      text.contains(
        """
        then: { value_, r_ in
              try value_.take(two: r_.resolve(payload.self))
            }
        """))
    #expect(text.contains("{ (r_: Resolver, payload_: Int) throws in"))
    #expect(text.contains("try Visit(other: r_.resolve(payload.self), payload: payload_)"))
  }

  @Test func `an operator of comparison in a default value is not a bracket`() throws {
    // A parameter with a default and without a component is left out.
    #expect(try run().1.contains("try payload(log: r_.resolve((any Log).self))"))
  }

  @Test(arguments: [
    ("init(a: Bool = 1<2, b: Int)", ["a", "b"]),
    ("init(a: Bool = 2>1, b: Int)", ["a", "b"]),
    ("init(a: Bool = one<two, b: Int)", ["a", "b"]),
    ("init(a: Bool = 1<2, b: Bool = 2>1, c: Int)", ["a", "b", "c"]),
    ("init(a: Bool = (1<2), b: Set<Int> = Set<Int>(), c: Matrix<3> = [2>>1])", ["a", "b", "c"]),
    (
      "init(a: [String: Set<Int>] = [:], b: @escaping (Set<Int>, Int) -> Void = { _ in })",
      ["a", "b"]
    ),
  ])
  func `a default value with a comparison hides no parameter`(text: String, labels: [String]) {
    #expect(Declaration(parsing: text)?.parameters.map(\.label) == labels)
  }

  @Test func `a deprecated initialiser is not chosen if there are others`() throws {
    let (run, text) = try run()
    #expect(text.contains("registrar_.register(autowiring: Old.init(log:))"))
    #expect(
      run.errors == [
        "/Pail.swift:30:29: warning: `Older` is created by deprecated code.",
        "/Pail.swift:33:27: warning: `Ticket` is registered once, and 2 components need it: the"
          + " second request finds nothing. (First, Second)",
      ])
  }

  @Test func `an assembly that calls deprecated code is deprecated itself, and compiles`() throws {
    #expect(
      try run().1.contains(
        """
          /// Deprecated, because this code is: `Older`.
          @available(*, deprecated)
          func assemble(into registrar_: some Registering) {
        """))
  }

  @Test func `a noncopyable type cannot be a component, and an autoclosure cannot be a payload`()
    throws
  {
    let source = """
      /// - Understudy: component
      struct Seal: ~Copyable { init() {} }
      enum Makers {
        /// - Understudy: component
        static func lid() -> Lid? { Lid() }
      }
      struct Lid: ~Copyable { init() {} }
      /// - Understudy: factory
      struct Jar { init(payload: @autoclosure () -> Int) {} }
      """
    let index = GraphIndex(try Fixtures.read("Urn")) { _ in source }
    let collector = ComponentCollector(index, module: "Urn")
    #expect(collector.components.map(\.type.text) == ["Jar"])
    #expect(
      collector.diagnostics.map(\.text) == [
        "Urn.swift:2:8: error: `Seal` cannot be copied and cannot be registered.",
        "Urn.swift:5:15: error: `Lid?` cannot be copied and cannot be registered. (Makers.lid())",
        "Urn.swift:9:14: error: Unknown `Jar` dependency type. (@autoclosure () -> Int)",
      ])
  }

  /// The errors of the module `Urn` with a changed graph.
  private func said(replacing old: String, with new: String) throws -> [String] {
    let folder = try Folder()
    let text = try Fixtures.text("Graphs/Urn.symbols.json")
    try #require(text.contains(old))
    try folder.write(text.replacing(old, with: new), to: "Urn.symbols.json")
    return Run("validate", "--symbol-graph", folder.path).errors
  }

  @Test func `a variadic parameter is not a payload`() throws {
    let errors = try said(
      replacing: """
        {"kind": "attribute", "spelling": "@autoclosure"}, {"kind": "text", "spelling": " () -> "}, \
        {"kind": "typeIdentifier", "spelling": "Int", "preciseIdentifier": "s:Si"}, \
        {"kind": "text", "spelling": ")"}
        """,
      with: """
        {"kind": "typeIdentifier", "spelling": "Int", "preciseIdentifier": "s:Si"}, \
        {"kind": "text", "spelling": "...)"}
        """)
    #expect(
      errors.contains("/Urn.swift:9:14: error: Unknown `Jar` dependency type. (Int...)"))
  }

  @Test func `a parameter of an opaque type is not a payload`() throws {
    let errors = try said(
      replacing: """
        {"kind": "attribute", "spelling": "@autoclosure"}, {"kind": "text", "spelling": " () -> "}, \
        {"kind": "typeIdentifier"
        """,
      with: """
        {"kind": "keyword", "spelling": "some"}, {"kind": "text", "spelling": " "}, \
        {"kind": "typeIdentifier"
        """)
    #expect(
      errors.contains("/Urn.swift:9:14: error: Unknown `Jar` dependency type. (some Int)"))
  }

  @Test func `a function with an opaque result is not a component`() throws {
    let errors = try said(
      replacing: #"{"kind": "typeIdentifier", "spelling": "Lid", "#,
      with: """
        {"kind": "keyword", "spelling": "some"}, {"kind": "text", "spelling": " "}, \
        {"kind": "typeIdentifier", "spelling": "Lid",\u{20}
        """)
    #expect(
      errors.contains(
        "/Urn.swift:5:15: error: `Makers.lid()` returns `some Lid?`, which no request can name:"
          + " declare the type."))
  }

  @Test(arguments: ["- Understudy: component cached", "- Understudy: provided"])
  func `several lines are an error rather than one ignored`(line: String) throws {
    let errors = try said(
      replacing: #"[{"text": "- Understudy: factory"}]"#,
      with: #"[{"text": "\#(line)"}, {"text": "- Understudy: factory"}]"#)
    #expect(
      errors.contains("/Urn.swift:9:8: error: Ambiguous `Jar`: several lines declare it."))
    // A line that asks for a double does not count.
    let other = try said(
      replacing: #"[{"text": "- Understudy: factory"}]"#,
      with: #"[{"text": "- Understudy: double"}, {"text": "- Understudy: factory"}]"#)
    #expect(!other.joined().contains("several lines"))
  }

  @Test(arguments: [
    ("factory cached", "cached", "factory"), ("factory eager", "eager", "factory"),
    ("inject named a", "named", "inject"), ("provided once", "once", "provided"),
    ("inject choosing a by b", "choosing", "inject"),
  ])
  func `a word that has no effect there is an error`(line: String, word: String, kind: String)
    throws
  {
    let errors = try said(replacing: "- Understudy: factory", with: "- Understudy: \(line)")
    #expect(
      errors.contains {
        $0.contains("error: Unknown word `\(word)` after `Understudy: \(kind)`.")
      }, "\(errors)")
  }

  @Test(arguments: [
    ("- understudy: factory", "factory"), ("* Understudy: factory cached", "factory cached"),
    ("- Understudy:factory named \\\"a b\\\"", "factory named \"a b\""),
    ("- Undrstudy: facory", "facory"), ("- Understudy factory", "factory"),
  ])
  func `a line that almost declares a component is reported`(line: String, words: String) throws {
    let errors = try said(replacing: "- Understudy: factory", with: line)
    let written = line.replacing("\\", with: "")
    #expect(
      errors.last == "/Urn.swift:9:8: error: `\(written)` has no effect. Did you mean "
        + "`- Understudy: \(words)`?")
  }
}
