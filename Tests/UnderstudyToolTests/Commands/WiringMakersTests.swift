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
        "/Gorge.swift:20:15: error: Unknown `Pegs` dependency type. (Int64...)",
        "/Gorge.swift:22:16: error: `[Rope]?` is made on the main actor and is not `Sendable`"
          + remedy,
      ])
  }
}
