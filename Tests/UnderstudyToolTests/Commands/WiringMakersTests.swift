// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Which initialisers and functions create components, with which arguments.
///
/// The graphs are from the extractor:
///
/// ```swift
/// // Cove.swift
/// protocol Mark {}
/// protocol Other {}
/// struct Reel: Mark, Codable { let line: Line }
/// struct Line: Codable, Sendable { var length = 3, name = "x" }
/// final class Hook: Codable { init(line: Line) {} }
/// enum Bait: String { case worm; init() { self = .worm } }
/// struct Knots: OptionSet { let rawValue: Int16 }
/// let depth: Int16 = 3
/// struct Cast {
///   init(tries: Int64? = 30, others: [any Other] = [], line: Line, mark: (any Mark)? = nil) {}
/// }
/// @MainActor final class Camp { init() async {} }
/// @MainActor struct Tent { let camp: Camp }
/// @MainActor final class Fire { init(camp: Camp) {} } // cached
/// @MainActor final class Match { init(hook: Hook, fire: Fire) async throws {} } // once
/// @MainActor func smoke(fire: Fire, payload: Int) -> UInt8 { 3 }
/// // Gorge.swift
/// final class Rope {}
/// protocol Climbing {}
/// @MainActor func rope() -> Rope { Rope() }
/// @MainActor func climb() -> any Climbing { fatalError() }
/// func fall() -> any Climbing & AnyObject { fatalError() } // cached
/// @MainActor func grip(payload: Rope) -> Int { 1 }
/// func slow(payload: Rope) async -> Int8 { 1 }
/// extension Climbing {
///   static func chalk() -> Int16 { 3 }
///   func dust() -> Int32 { 3 }
/// }
/// struct Pegs { init(pegs: Int64...) {} }
/// @MainActor var ropes: [Rope]? { [] }
/// // Bay.swift, without the places of `Dial`
/// struct Buoy {}
/// struct Bell {
///   var tone = 1
///   init() { tone = 2 }
///   init(tone: Int = 1) { self.tone = tone } // inject
/// }
/// struct Dial {
///   init(rawValue: Buoy) {}
///   init(buoy: Buoy) {}
/// }
/// // Forge.swift
/// protocol Store: Sendable {}
/// struct Shed: Store {}
/// class Repo<Entity> { init() {} }
/// final class UserRepo: Repo<Shed> { override init() {} }
/// struct Kiln {
///   init(_ store: any Store) {} // inject
///   init(_ path: String) {}
/// }
/// struct Hammer {}
/// enum Tools {
///   static func hammer(_ store: any Store) -> Hammer { Hammer() }
///   static func hammer(_ path: String) -> Hammer { Hammer() }
/// }
/// struct Tongs {}
/// func tongs(_ store: any Store) -> Tongs { Tongs() }
/// func tongs(_ path: String) -> Tongs { Tongs() }
/// class Oven: @unchecked Sendable {
///   init() {}
///   func heat(store: any Store) {} // inject
/// }
/// final class Range: Oven, @unchecked Sendable { override init() {} } // cached
/// final class Missile: Sendable { init(payload: any Store) {} } // cached
/// func dependencies() -> Int { 3 }
/// let assemble = "x"
/// @available(macOS 15, *) protocol Newer {}
/// struct Chart {}
/// @available(macOS 15, *) extension Chart: Newer {}
/// // Slag.swift
/// protocol Log: Sendable {}
/// struct Logger: Log {}
/// struct Jar {
///   init(log: any Log, size: Int = 3) {} // inject
///   init(log: any Log, name: String = "") {}
/// }
/// struct Pan {
///   init(log: any Log, size: Int = 3, lid: Bool = true) {} // inject
///   init(log: any Log, name: String = "") {}
/// }
/// struct Jug {
///   init(log: any Log, size: Int = 3) {} // inject
///   init(log: any Log, name: String = "", more: Bool = true) {}
/// }
/// struct Net: Sendable {}
/// func net() async -> Net { Net() }
/// final class Cave: Sendable { // cached
///   init() {}
///   func attach(net: Net) {} // inject
/// }
/// actor Hive {
///   init() {}
///   func attach(log: any Log) {} // inject
/// }
/// actor Cell {
///   init() {}
///   nonisolated func attach(log: any Log) {} // inject
/// }
/// @MainActor final class Nest {
///   nonisolated init() {}
///   func attach(log: any Log) {} // inject
/// }
/// struct Mesh: Sendable {
///   func attach<Value>(log: any Log) -> Value? { nil } // inject
/// }
/// struct Husk: Sendable {
///   mutating func attach(log: any Log) {} // inject
/// }
/// // Tarn.swift
/// protocol Log: Sendable {}
/// struct Logger: Log {}
/// @available(macOS 15, *) @MainActor protocol Screen: AnyObject {}
/// @MainActor final class Home: Screen { init() {} }
/// @MainActor final class Router {
///   @available(macOS 15, *) init(screen: any Screen) {}
/// }
/// @available(macOS 15, *) protocol Gated {}
/// struct Gate: Gated, Sendable { init() async {} }
/// struct Vase: Sendable {
///   init(log: any Log, size: Int = 3) {} // inject
///   init?(log: any Log, name: String = "") {}
///   init<Name>(log: any Log, name: Name = "") {}
///   init(log: any Log, limit: Int? = nil) {}
///   init(log: any Log, gate: Gate? = nil) async {}
/// }
/// struct Urn: Sendable {
///   init(_ log: any Log, size: Int = 3) {} // inject
///   init(_ count: Int = 0, _ log: any Log) {}
/// }
/// struct Pond: Sendable {
///   init(gate: Gate, size: Int = 3) async {} // inject
///   init(gate: Gate) {}
/// }
/// class Presenter: @unchecked Sendable {
///   init() {}
///   func attach(log: any Log) {} // inject
/// }
/// final class HomePresenter: Presenter, @unchecked Sendable { // cached
///   override init() { super.init() }
///   func show(vase: Vase) throws {} // inject
/// }
/// final class QuietPresenter: Presenter, @unchecked Sendable { // cached
///   override init() { super.init() }
///   override func attach(log: any Log) {} // inject
/// }
/// enum Shelf {
///   static func item(_ log: any Log) -> Int8 { 3 }
///   static func item(_ log: any Log) -> Int16 { 5 }
/// }
/// // Mere.swift
/// protocol Log: Sendable {}
/// struct Logger: Log {}
/// struct Net: Sendable { init() async {} }
/// struct Vase: Sendable {
///   init(log: any Log, net: Net, size: Int = 3) {} // inject
///   init(log: any Log, net: Net, name: String = "", more: Int = 3, last: Int = 3) async {}
/// }
/// struct Urn: Sendable {
///   init(log: any Log, size: Int? = 3) {} // inject
///   init(log: any Log, name: Int = 3) {}
/// }
/// struct Jug: Sendable {
///   init(log: any Log, size: Int = 3) {} // inject
///   init(log: any Log, count: Int = 3) {}
/// }
/// class Presenter<View>: @unchecked Sendable {
///   init() {}
///   func attach(views: [View], log: any Log) {} // inject
/// }
/// final class HomePresenter: Presenter<Logger>, @unchecked Sendable { // cached
///   override init() { super.init() }
/// }
/// ```
@Suite struct WiringMakersTests {
  /// The errors of the module `Cove`, and the assembly.
  private func cove() throws -> (errors: [String], text: String) {
    let folder = try Folder()
    let run = Run([
      "wire", "--symbol-graph", Fixtures.graph("Cove"), "--output", "\(folder.path)/Wiring.swift",
    ])
    return (run.errors, (try? folder.text("Wiring.swift")) ?? "")
  }

  @Test func `a synthesised conversion is no initialiser of a component`() throws {
    let (errors, text) = try cove()
    #expect(errors == [])
    #expect(text.contains("registrar.register(autowiring: Reel.init(line:))"))
    #expect(text.contains("registrar.register(autowiring: Hook.init(line:))"))
    #expect(text.contains("registrar.register { Bait() }"))
  }

  @Test func `the only initialiser creates a component, also if it is a conversion`() throws {
    #expect(try cove().text.contains("registrar.register(autowiring: Knots.init(rawValue:))"))
  }

  @Test func `a structure whose properties all have defaults uses its memberwise initialiser`()
    throws
  {
    #expect(try cove().text.contains("registrar.register { Line() }"))
  }

  @Test func `a default of an optional or an array stands for a missing component`() throws {
    let text = try cove().text
    #expect(
      text.contains("try Cast(line: r.resolve(Line.self), mark: r.resolve((any Mark)?.self))"))
  }

  @Test func `a written initialiser is taken for no synthesised one`() {
    #expect(
      Run("validate", "--symbol-graph", Fixtures.graph("Bay")).errors == [
        "error: Ambiguous `Dial` constructor.",
        "/Bay.swift:8:3: error: `Bell` omits parameters with defaults, and Swift prefers the overload"
          + " without them.",
      ])
  }

  @Test func `a component of the main actor is awaited if its creation is asynchronous`() throws {
    let (errors, text) = try cove()
    #expect(errors == [])
    #expect(text.contains("register { () async in\n      await Camp()"))
    #expect(text.contains("try await Tent(camp: r.resolveAsync(Camp.self))"))
    #expect(
      text.contains(
        """
        register(lifecycle: .cached) { (r: Resolver) async throws in
              try await Fire(camp: r.resolveAsync(Camp.self))
        """))
    #expect(
      text.contains(
        "try await Match(hook: r.resolve(Hook.self), fire: r.resolveAsync(Fire.self))"))
    #expect(
      text.contains(
        """
        { (r: Resolver, payload: Int) async throws in
              try await smoke(fire: r.resolveAsync(Fire.self), payload: payload)
        """))
  }

  @Test func `the wiring refuses everything that it could not compile`() {
    let run = Run("validate", "--symbol-graph", Fixtures.graph("Gorge"))
    let remedy = ": make it `Sendable`, or isolate it to `@MainActor`."
    #expect(
      run.errors == [
        "/Gorge.swift:4:17: error: `Rope` is made on the main actor and is not `Sendable`\(remedy)",
        "/Gorge.swift:6:17: error: `Climbing` is made on the main actor and is not `Sendable`"
          + remedy,
        "/Gorge.swift:8:6: error: `Climbing & AnyObject` is cached and is not `Sendable`.",
        "/Gorge.swift:10:17: error: `Int` is made on the main actor, and its payload `Rope` is not"
          + " `Sendable`\(remedy)",
        "/Gorge.swift:12:6: error: `Int8` is made asynchronously, and its payload `Rope` is not"
          + " `Sendable`\(remedy)",
        "/Gorge.swift:15:15: error: Not allowed `Climbing.chalk()` declaration: a protocol has no"
          + " static members of its own.",
        "/Gorge.swift:22:16: error: `[Rope]?` is made on the main actor and is not `Sendable`"
          + remedy,
      ])
  }

  /// The assembly of the module `Forge`.
  private func forge() throws -> String {
    let folder = try Folder()
    let output = "\(folder.path)/Wiring.swift"
    try #require(
      Run("wire", "--symbol-graph", Fixtures.graph("Forge"), "--output", output).errors == [])
    return try folder.text("Wiring.swift")
  }

  @Test func `a component is no alias of a generic superclass, whose arguments no graph has`()
    throws
  {
    #expect(try forge().contains("    registrar.register { UserRepo() }\n"))
  }

  @Test(arguments: ["Kiln", "Tools.hammer", "tongs"])
  func `a call chooses among overloads with the same labels`(name: String) throws {
    #expect(
      try forge().contains(
        """
            registrar.needing([AnyKey(type: (any Store).self)]).register { (r: Resolver) throws in
              try \(name)(r.resolve((any Store).self))
            }
        """))
  }

  @Test(arguments: ["Int8", "Int16"])
  func `a call chooses among overloads that differ in their results`(type: String) throws {
    #expect(
      try tarn().contains(
        """
        .register(\(type).self) { (r: Resolver) throws in
              try Shelf.item(r.resolve((any Log).self))
            }
        """))
  }

  @Test func `the injector of a superclass completes a subclass`() throws {
    #expect(
      try forge().contains(
        """
          Range()
              } then: { value, r in
                try value.heat(store: r.resolve((any Store).self))
        """))
  }

  @Test(arguments: [
    (
      "HomePresenter",
      """
            try value.attach(log: r.resolve((any Log).self))
            try value.show(vase: r.resolve(Vase.self))

      """
    ), ("QuietPresenter", "      try value.attach(log: r.resolve((any Log).self))\n"),
  ])
  func `the injectors of a class and its superclass are called, and an overridden one once`(
    name: String, calls: String
  ) throws {
    #expect(
      try tarn().contains("      \(name)()\n    } then: { value, r in\n\(calls)    }\n"))
  }

  @Test func `an injector of a generic superclass must not use the generic parameters`() {
    #expect(
      Run("validate", "--symbol-graph", Fixtures.graph("Mere")).errors.contains(
        "/Mere.swift:28:8: error: `HomePresenter.attach(views:log:)` must not use the generic"
          + " parameters of `Presenter`."))
  }

  @Test func `classes that inherit from each other end the search for a name`() throws {
    let folder = try Folder()
    let start = #""relationships":["#
    let parent = """
      {"kind": "inheritsFrom", "source": "s:5Forge4OvenC", "target": "s:5Forge5RangeC"}
      """
    try folder.write(
      Fixtures.text("Graphs/Forge.symbols.json").replacing(start, with: "\(start)\(parent),"),
      to: "Forge.symbols.json")
    #expect(Run("validate", "--symbol-graph", folder.path).status == 0)
  }

  @Test func `a component that is no factory may have a dependency named payload`() throws {
    #expect(
      try forge().contains(
        "registrar.register(autowiring: Missile.init(payload:), lifecycle: .cached)"))
  }

  @Test func `a global component with the name of an assembly's member has its module`() throws {
    let text = try forge()
    #expect(text.contains("registrar.register { Forge.dependencies() }"))
    #expect(text.contains("registrar.register { Forge.assemble }"))
  }

  @Test func `an alias has the condition of its newer protocol`() throws {
    #expect(
      try forge().contains(
        """
            do {
              let key = registrar.register { Chart() }
              if #available(macOS 15.0, *) {
                registrar.alias(key, as: (any Newer).self)
              }
            }
        """))
  }

  /// The assembly of the module `Tarn`.
  private func tarn() throws -> String {
    let folder = try Folder()
    let output = "\(folder.path)/Wiring.swift"
    try #require(
      Run("wire", "--symbol-graph", Fixtures.graph("Tarn"), "--output", output).errors == [])
    return try folder.text("Wiring.swift")
  }

  /// A block could only be asynchronous here, which the router does not await, and which needs a
  /// protocol that is `Sendable`.
  @Test(arguments: [
    ("@MainActor () in\n        Home()", "Screen"), ("() async in\n        await Gate()", "Gated"),
  ])
  func `an alias of a newer protocol is resolved as its component is`(
    block: String, newer: String
  ) throws {
    let text = try tarn()
    #expect(
      text.contains(
        """
            do {
              let key = registrar.register { \(block)
              }
              if #available(macOS 15.0, *) {
                registrar.alias(key, as: (any \(newer)).self)
              }
            }
        """))
    #expect(text.contains("@MainActor (r: Resolver) throws in\n        try Router("))
  }

  @Test(arguments: [
    "try Vase(log: r.resolve((any Log).self))", "try Urn(r.resolve((any Log).self))",
    "try await Pond(gate: r.resolveAsync(Gate.self))",
  ])
  func `an overload that Swift does not prefer is no error`(call: String) throws {
    #expect(try tarn().contains("      \(call)\n"))
  }

  @Test func `an overload that Swift prefers, or does not distinguish, is an error`() {
    let ambiguous = "omits parameters with defaults, and an overload takes the same arguments."
    let asynchronous =
      "is called in an asynchronous block, and Swift prefers the asynchronous overload there."
    #expect(
      Run("validate", "--symbol-graph", Fixtures.graph("Mere")).errors
        .filter { !$0.contains("HomePresenter") } == [
          "/Mere.swift:10:3: error: `Vase` \(asynchronous)",
          "/Mere.swift:16:3: error: `Urn` \(ambiguous)",
          "/Mere.swift:22:3: error: `Jug` \(ambiguous)",
          "/Mere.swift:36:3: error: `Pond` \(asynchronous)",
          "/Mere.swift:43:8: error: `Coin` omits parameters with defaults, and Swift prefers the"
            + " overload without them.",
        ])
  }

  @Test func `an ambiguous call and an injector that cannot be called are errors`() {
    let run = Run("validate", "--symbol-graph", Fixtures.graph("Slag"))
    let ambiguous = "omits parameters with defaults, and an overload takes the same arguments."
    #expect(
      run.errors == [
        "/Slag.swift:7:3: error: `Jar` \(ambiguous)",
        "/Slag.swift:13:3: error: `Pan` \(ambiguous)",
        "/Slag.swift:27:3: error: `Net` is created asynchronously for each request, and the injector"
          + " does not wait. (Cave -> Net)",
        "/Slag.swift:35:8: error: `Hive.attach(log:)` must not be isolated to an actor.",
        "/Slag.swift:47:8: error: `Nest.attach(log:)` must not be isolated to an actor.",
        "/Slag.swift:52:8: error: `Mesh.attach(log:)` must not be generic.",
        "/Slag.swift:57:17: error: `Husk.attach(log:)` must not be mutating.",
      ])
  }
}
