// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct WiringNamesTests {
  private func text() throws -> String {
    let folder = try Folder()
    let run = Run([
      "wire", "--symbol-graph", Fixtures.graph("Inn"), "--output", "\(folder.path)/Wiring.swift",
    ])
    #expect(run.errors == [])
    return try folder.text("Wiring.swift")
  }

  @Test func `types of the library are distinguished from types of the module`() throws {
    let text = try text()
    #expect(text.contains("struct Wiring: Understudy.Assembly {"))
    #expect(text.contains("{ (r: Understudy.Resolver) throws in"))
    #expect(text.contains("assemble(into registrar: some Registering)"))
  }

  @Test
  func `labels are written as in a reference, and an optional type as an optional`()
    throws
  {
    let text = try text()
    #expect(text.contains("register(autowiring: Words.init(in:let:`inout`:`my own`:))"))
    // A missing optional is passed as `nil`.
    let parameter = try #require(Declaration(parsing: "init(log: Log!)")?.parameters.first)
    let need = NeedReader(index: GraphIndex([])).need(parameter)
    #expect(need?.kind == .optional && need?.metatype == "Log?.self" && need?.type.text == "Log")
  }

  @Test func `an injection method leaves out defaults, and its result is discarded`() throws {
    #expect(try text().contains("_ = try value.set(guest: r.resolve(Visitor.self))"))
  }

  @Test func `a type is named with its module if another type has its name`() throws {
    let index = GraphIndex(try Fixtures.read("Fair"))
    let types = [
      ("Notification", "s:20FoundationEssentials12NotificationV"), ("Gate", "s:s4GateV"),
      ("Date", "s:20FoundationEssentials4DateV"),
    ]
    let texts = types.map { WiredType([Token($0.0, usr: $0.1)], index).text }
    #expect(texts == ["Foundation.Notification", "Swift.Gate", "Date"])
  }

  @Test func `a function is passed on as a payload`() throws {
    #expect(
      try text().contains(
        "(r: Understudy.Resolver, payload: @escaping @Sendable (Int) -> Void) throws in"))
  }

  @Test func `a class without initialisers has the initialisers of its superclass`() throws {
    #expect(try text().contains("registrar.register(autowiring: Sub.init(log:), named: \"sub\"),"))
  }

  @Test func `a parameter for an isolation is left to its default`() throws {
    #expect(try text().contains("try Isolated(log: r.resolve(Log.self))"))
  }

  @Test func `a component of an array, tuple or composition is registered as a whole`() throws {
    let text = try text()
    // A component that needs an asynchronous one is asynchronous, too.
    #expect(
      text.contains(
        "try await Case(pens: r.resolveAsync([Pen].self), reader: r.resolveAsync((any Reader).self))"
      ))
    // A tuple of pens is not a reader, and it can be shared as a whole.
    #expect(text.contains("registrar.register(lifecycle: .cached) { pair() }"))
    #expect(
      text.contains(
        """
            registrar.alias(
              registrar.register { both() },
              as: (any Reader).self, (any Writer).self)
        """))
  }

  @Test func `an array may be given later`() throws {
    #expect(try text().contains("registrar.register(autowiring: Shelf.init(later:))"))
  }

  @Test func `a member is called on its owner, which is resolved under its own key`() throws {
    let text = try text()
    #expect(text.contains("try r.resolve(Boss.self, named: \"boss\").rank()"))
    #expect(text.contains("try await r.resolveAsync(Desk.self).number()"))
    #expect(text.contains("try r.resolve(Desk.self).title"))
  }

  /// The compiler that emits a graph in a build reports private declarations.
  @Test func `a private declaration of a graph is an error like one in a source`() throws {
    let hidden = try Fixtures.read("Rig").map { file in
      var file = file
      for index in file.graph.symbols.indices where file.graph.symbols[index].docComment != nil {
        file.graph.symbols[index].accessLevel = "private"
      }
      return file
    }
    let collector = ComponentCollector(GraphIndex(hidden), module: "Rig")
    #expect(collector.components.isEmpty)
    let names = [
      "Log", "Taker", "Own", "Box.Inner", "Box.number()", "Nobody.data()", "Egg", "Egg.hen()",
      "Early", "Slow", "Waiter",
    ]
    #expect(
      collector.diagnostics.map(\.message)
        == names.map { "`\($0)` is private and cannot be registered." })
  }

  @Test func `a type that cannot be registered is reported at its place`() {
    #expect(
      Run(["validate", "--symbol-graph", Fixtures.graph("Rig")]).errors == [
        "/Rig.swift:10:10: error: Unknown `Taker` dependency type. (inout Log)",
        "/Rig.swift:15:10: error: `Provider<Log>` is unregistered dependency. (Own -> Provider<Log>)",
        "/Rig.swift:20:17: error: `Box.Inner` is generic and cannot be registered.",
        "/Rig.swift:24:22: error: Not allowed `Box.number()` declaration.",
        "/Rig.swift:29:15: error: `Nobody` is unregistered dependency. (UInt8 -> Nobody)",
        "/Rig.swift:34:10: error: The circular dependency exists. (Egg -> UInt16 -> Egg)",
        "/Rig.swift:41:10: error: `Early` is eager and created asynchronously, and nothing waits for it.",
        "/Rig.swift:51:10: error: `Slow` is created asynchronously for each request, and its provider does not wait."
          + " (Waiter -> Slow)",
      ])
  }

  @Test(arguments: [
    ("Seat", "s:4Hall4SeatV", "Hall.Seat"), ("any Seat", "s:4Hall4SeatP", "any Hall.Seat"),
    ("Usher", "s:4Hall5UsherP", "Usher"), ("Notification", "s:10Foundation4NoteV", "Notification"),
  ])
  func `a component of another module is distinguished from a type of the same name`(
    text: String, usr: String, spelled: String
  ) throws {
    let module = ResolvedModule(
      module: "Hall", assembly: nil,
      components: [
        Component(
          type: WiredType(text: text, usr: usr), maker: .initializer, module: "Hall", place: nil)
      ])
    let index = GraphIndex(try Fixtures.read("Fair", "Hall"))
    #expect(module.foreignComponents(index).map(\.type.text) == [spelled])
  }

  /// The import lines of the assembly of `Ferry`, after replacements in its graphs. They are from
  /// the extractor:
  ///
  /// ```swift
  /// import Foundation
  /// import FoundationNetworking
  /// import Glibc
  ///
  /// func session() -> URLSession { URLSession.shared }
  /// struct Client { init(session: URLSession, retries: Int = 3) {} }
  /// struct Hour: Hashable {}
  /// extension Calendar {
  ///   static func openings() -> Set<Hour> { [] }
  ///   struct Opening {}
  /// }
  /// func noon() -> tm { tm() }
  /// struct Dial { init(time: tm, zone: Int = 3) {} }
  /// ```
  private func imports(
    replacing changes: [(old: String, new: String)] = [],
    source: String = "import Foundation\nimport Glibc\n"
  ) throws -> [Substring] {
    let folder = try Folder()
    for name in try Fixtures.files(of: "Ferry") {
      let text = try Fixtures.text("Graphs/\(name)")
        .replacing("file:///", with: "file://\(folder.path)/")
      let changed = changes.reduce(text) { $0.replacing($1.old, with: $1.new) }
      try folder.write(changed, to: name)
    }
    try folder.write(source, to: "Ferry.swift")
    let output = "\(folder.path)/Wiring.swift"
    let run = Run("wire", "--symbol-graph", folder.path, "--output", output)
    try #require(run.errors == [])
    return try folder.text("Wiring.swift").split(separator: "\n").filter {
      $0.hasPrefix("import") || $0.hasPrefix("  import") || $0.hasPrefix("#")
    }
  }

  @Test func `a part of Foundation and the module of a C type are imported where they exist`()
    throws
  {
    #expect(
      try imports() == [
        "import Foundation", "import Understudy",
        "#if canImport(FoundationNetworking)", "  import FoundationNetworking", "#endif",
        "#if canImport(Glibc)", "  import Glibc", "#endif",
      ])
  }

  @Test func `a module whose name begins with Foundation is imported by its own name`() throws {
    let imports = try imports(replacing: [("20FoundationNetworking", "14FoundationPlus")])
    #expect(imports.contains("import FoundationPlus"))
  }

  @Test func `the module of an extended type is imported`() throws {
    // Without the types that need Foundation anyway, the extension of `Calendar` is left.
    let imports = try imports(replacing: [("20FoundationNetworking", "8Swimming")])
    #expect(imports.contains("import Foundation"))
  }

  @Test(arguments: [("openings()", "Opening"), ("Opening", "openings()")])
  func `the module of a type is imported for a type within it, as for a static member`(
    hidden: String, left: String
  ) throws {
    let imports = try imports(replacing: [
      ("20FoundationNetworking", "8Swimming"),
      (#""\(hidden)"], "docComment""#, #""\(hidden)"], "comment""#),
    ])
    #expect(imports.contains("import Foundation"), "\(left)")
  }

  @Test func `the module of a C type is imported for its extension`() throws {
    let imports = try imports(replacing: [
      ("c:@S@tm", "s:4Time2tmV"),
      (#"s:20FoundationEssentials8CalendarV", "target"#, #"c:@S@tm", "target"#),
    ])
    #expect(imports.contains("  import Glibc"))
  }

  @Test func `the module of a C type is imported without what the assembly has anyway`() throws {
    let imports = try imports(source: "import Ferry\nimport Glibc\nimport Understudy\n")
    #expect(imports.filter { $0.contains("import Understudy") } == ["import Understudy"])
    #expect(!imports.contains("  import Ferry"))
    #expect(imports.contains("  import Glibc"))
  }

  @Test func `a global component with the name of an assembly's member needs the module's name`()
    throws
  {
    let folder = try Folder()
    let graph = try Fixtures.text("Graphs/Forge.symbols.json")
    try folder.write(
      graph.replacing(#""pathComponents": ["Shed"]"#, with: #""pathComponents": ["Forge"]"#),
      to: "Forge.symbols.json")
    let hidden = "declaration: an assembly has a member of that name."
    #expect(
      Run("validate", "--symbol-graph", folder.path).errors == [
        "/Forge.swift:33:6: error: Not allowed `dependencies()` \(hidden)",
        "/Forge.swift:35:5: error: Not allowed `assemble` \(hidden)",
      ])
  }
}
