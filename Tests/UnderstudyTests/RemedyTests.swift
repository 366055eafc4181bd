// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles
import UnderstudyTesting
import XCTest

@testable import Understudy

private let file = #fileID

private struct Parcel: Sendable {
  struct Label: Sendable {}
}

private final class Sketch {
  var text = ""
}

private enum Express: Scope {}
private protocol Carrier: Sendable {}
private struct Van: Carrier {}

private final class Sender: Sendable {
  let text: String
  init(text: String) { self.text = text }
}

private struct Desk {
  @Inject var text: String
}

private struct MendedDesk {
  @Inject var text: Provider<(Int) -> String>
}

enum Warehouse {
  struct Slot: Sendable {}
  enum Day: Sendable { case monday }
  protocol Door: Sendable {}
}

struct Pallet<First, Second>: Sendable {
  enum Level: Sendable { case low }
}

/// The remedies of the error that `body` throws.
private func asyncRemedies(
  _ body: () async throws -> some Any
) async -> [String] {
  do {
    _ = try await body()
    return []
  } catch {
    return remedies(in: "\(error)")
  }
}

/// The remedies of the error that `body` throws.
private func remedies(_ body: () throws -> some Any) -> [String] {
  remedies(in: resolutionError { _ = try body() }?.description ?? "")
}

/// The remedies at the end of a message.
private func remedies(in text: String) -> [String] {
  text.split(separator: "\n").compactMap { line in
    for bullet in ["  • ", "To fix:  "] where line.hasPrefix(bullet) {
      return String(line.dropFirst(bullet.count))
    }
    return nil
  }
}

/// Each remedy here is followed to the letter.
@Suite struct `A remedy` {
  private let resolver = Resolver()

  // MARK: Options

  /// Runs an unused override and a request of production under options.
  private func found(_ options: OverrideOptions) throws -> [String] {
    let resolver = resolver
    resolver.register { Van() as any Carrier }
    var traits = LayerTraits(of: resolver, named: "van", on: nil, at: CallSite())
    (traits.options, traits.isOfOperation) = (options, true)
    let layer = OverrideLayer(traits)
    layer.register { 1 }
    OverrideLayer.binding(layer) { _ = try? resolver.resolve((any Carrier).self) }
    return layer.end().flatMap {
      $0.description.split(separator: "\n").filter { $0.contains("Allow it:") }
        .map { $0.trimmingPrefix("  • Allow it:  ").prefix { $0 != "{" } }.map(String.init)
    }
  }

  @Test func `that allows a finding keeps the layer strict`() throws {
    let allowing = "withOverrides(.strict, allowing: (any Carrier).self) "
    #expect(
      try found(.strict) == [
        allowing, "withOverrides([.strict, .check(.unusedOverride, .off)]) ",
      ])
    #expect(try found([.strict, .check(.unusedOverride, .off)]) == [allowing])
    #expect(try found([]) == ["withOverrides(.check(.unusedOverride, .off)) "])
  }

  @Test(
    arguments: [
      (.strict, [".strict"]), (.reportsSurvivors, [".check(.survivor, .error)"]),
      ([.reportsSurvivors, .strict], [".strict", ".check(.survivor, .error)"]),
      ([.strict, .check(.survivor, .warning)], [".strict", ".check(.survivor, .warning)"]),
      (
        [.strict, .check(.unusedOverride, .off)],
        [
          ".check(.fallThrough, .error)", ".check(.unusedOverride, .off)",
          ".check(.ignoredArgument, .error)",
        ]
      ),
      ([.live(.mustBeOverridden)], [".live(.mustBeOverridden)"]), ([], []),
    ] as [(OverrideOptions, [String])])
  func `that adds an option writes down the other ones`(options: OverrideOptions, code: [String]) {
    #expect(options.code(beyond: []) == code)
    #expect(options.code(beyond: options) == [])
  }

  // MARK: The main resolver

  private struct Misplaced: Sendable {}

  private static func leak(_ key: String, line: Int, remedy: String) -> Caught {
    .warning(
      """
      \(key) was registered on 'Resolver.main' while a test runs: other tests see it, too.
        Registered  \(file):\(line)
        Layer       'leaking'
      To fix, do one of these:
        • Override it for this test:  \(remedy)
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """, line: line)
  }

  @Test func `for a registration of a configuring block is in that block`() async throws {
    let leak = Self.leak(
      #"'Misplaced' named "block""#, line: 61,
      remedy: #"$0.register(named: "block") { … as Misplaced }"#)
    try await expect(issues: [leak]) {
      withOverrides(named: "leaking") { _ in
        _ = Resolver.main.register(named: "block", line: 61) { Misplaced() }
      } operation: {
        _ = Resolver.main.unregister(Key<Misplaced>(named: "block"))
      }
    }
    try await expect(issues: []) {
      try withOverrides {
        $0.register(named: "block") { Misplaced() as Misplaced }
      } operation: {
        _ = try Resolver.main.resolve(Misplaced.self, named: "block")
      }
    }
  }

  @Test func `for a registration with an argument takes the argument`() async throws {
    let leak = Self.leak(
      #"'Misplaced' named "argument""#, line: 62,
      remedy:
        #"OverrideLayer.required.register(named: "argument") { (_: Int) in … as Misplaced }"#)
    try await expect(issues: [leak]) {
      withOverrides(named: "leaking") { _ in
      } operation: {
        Resolver.main.register(named: "argument", line: 62) { (_: Int) in Misplaced() }
        Resolver.main.unregister(Key<Misplaced>(named: "argument"))
      }
    }
    try await expect(issues: []) {
      try withOverrides { _ in
      } operation: {
        OverrideLayer.required.register(named: "argument") { (_: Int) in Misplaced() as Misplaced }
        _ = try Resolver.main.resolve(Misplaced.self, with: 1, named: "argument")
      }
    }
  }

  // MARK: Requests

  @Test func `for a value in a scope drops the scope alone`() throws {
    resolver.register(named: "tea", scopedTo: Express.self, in: "kitchen") { 1 }
    let told = remedies {
      try resolver.resolve(Int.self, named: "tea", scopedTo: Express.self, in: "kitchen")
    }
    #expect(
      told == [
        "Share an object: make 'Int' a class.",
        "Keep the value without a scope:  "
          + #"resolver.register(named: "tea", in: "kitchen", lifecycle: .cached) { … as Int }, "#
          + #"and resolver.resolve(Int.self, named: "tea", in: "kitchen")"#,
      ])
    resolver.register(named: "tea", in: "kitchen", lifecycle: .cached) { 2 as Int }
    #expect(try resolver.resolve(Int.self, named: "tea", in: "kitchen") == 2)
  }

  @Test func `for an argument names the request that can pass it`() throws {
    resolver.register { (number: Int) in "\(number)" }
    let autowiring = "Have its parameters resolved:  resolver.register(autowiring: …)"
    #expect(
      remedies { try resolver.resolve([String].self) } == [
        "Pass one:  try resolver.resolve([String].self, with: … as Int)",
        "Take a Provider of a function:  Provider<(Int) -> [String]>", autowiring,
      ])
    #expect(
      remedies { try resolver.resolve(String?.self) } == [
        "Pass one:  try resolver.resolve(String?.self, with: … as Int)",
        "Take a Provider of a function:  Provider<(Int) -> String?>", autowiring,
      ])
    #expect(try resolver.resolve([String].self, with: 1) == ["1"])
    #expect(try resolver.resolve(String?.self, with: 2) == "2")
    #expect(try resolver.resolve(Provider<(Int) -> [String]>.self)(3) == ["3"])
    #expect(try resolver.resolve(Provider<(Int) -> String?>.self)(4) == "4")
  }

  @Test func `for an argument of a dependency is a block or a provider of a function`() throws {
    resolver.register { (number: Int) in "\(number)" }
    resolver.register(autowiring: { (text: String) in Sender(text: text) })
    let provider = "Take a Provider of a function:  Provider<(Int) -> String>"
    #expect(
      remedies { try resolver.resolve(Sender.self) }.prefix(2) == [
        "Pass one, in a block for 'Sender':  try resolver.resolve(String.self, with: … as Int)",
        provider,
      ])
    resolver.register { r in Sender(text: try r.resolve(String.self, with: 6 as Int)) }
    #expect(try resolver.resolve(Sender.self).text == "6")
    resolver.register(autowiring: { (provider: Provider<(Int) -> String>) in
      Sender(text: try provider(7))
    })
    #expect(try resolver.resolve(Sender.self).text == "7")
    let injected = remedies { try withResolver(resolver) { try Desk().$text.get() } }
    #expect(injected.dropFirst().first == provider)
    #expect(try withResolver(resolver) { try MendedDesk().text(8) } == "8")
  }

  @Test func `for several arguments is a provider that takes them as a tuple`() throws {
    resolver.register { (one: Int, two: String) in "\(one)\(two)" }
    #expect(
      remedies { try resolver.resolve(String.self) }[1]
        == "Take a Provider of a function:  Provider<((Int, String)) -> String>")
    let provider = try resolver.resolve(Provider<((Int, String)) -> String>.self)
    #expect(try provider((1, "b")) == "1b")
  }

  @Test func `for a value that cannot be cached registers it without a lifecycle`() throws {
    let key = resolver.container("k", lifecycle: .cached).register(named: 1) { Sketch() }
    #expect(
      remedies { try resolver.resolve(key) }.last
        == #"Create a new value for each request:  "#
        + #"resolver.register(named: 1, in: "k") { … as Sketch }"#)
    resolver.register(named: 1, in: "k") { Sketch() as Sketch }
    #expect(try resolver.resolve(key).text == "")
  }

  @Test func `for an argument of an asynchronous block awaits the request`() async throws {
    resolver.register { (number: Int) async in "\(number)" }
    resolver.register { @MainActor (text: String) in Sender(text: text) }
    let autowiring = "Have its parameters resolved:  resolver.register(autowiring: …)"
    let text = await asyncRemedies { try await resolver.resolveAsync(String.self) }
    #expect(
      text == [
        "Pass one:  try await resolver.resolveAsync(String.self, with: … as Int)", autowiring,
      ])
    #expect(try await resolver.resolveAsync(String.self, with: 7 as Int) == "7")
    let sender = await asyncRemedies { try await resolver.resolveAsync(Sender.self) }
    #expect(
      sender == [
        "Pass one:  try await resolver.resolveAsync(Sender.self, with: … as String)", autowiring,
      ])
    let made = try await resolver.resolveAsync(Sender.self, with: "Ann" as String)
    #expect(made.text == "Ann")
  }

  @Test func `for an argument that an autowired value lacks is a provider, unless it is awaited`() {
    resolver.register(autowiring: { (text: String) in Sender(text: text) })
    resolver.register { (number: Int) in "\(number)" }
    let inBlock = "Resolve it with its argument in a block."
    func told() -> [String] { resolver.graph.findings.flatMap { remedies(in: $0.description) } }
    #expect(told() == ["Take a Provider of a function:  Provider<(Int) -> String>", inBlock])
    resolver.unregister(Key<String>())
    resolver.register { (number: Int) async in "\(number)" }
    #expect(told() == [inBlock])
  }

  // MARK: Nested types

  @Test func `has the enclosing types in its code, and not in its first line`() {
    let text = resolutionError {
      _ = try resolver.resolve(
        Warehouse.Slot.self, with: Warehouse.Day.monday, named: Warehouse.Day.monday)
    }
    #expect(
      text?.description.contains(
        "resolver.register(named: Warehouse.Day.monday) { (_: Warehouse.Day) in … as Warehouse.Slot }"
      )
        == true, "\(String(describing: text))")
    #expect(text?.description.hasPrefix("No registration for 'Slot' named monday.") == true)
    #expect(TypeDescription.code((any Warehouse.Door)?.self) == "(any Warehouse.Door)?")
    #expect(TypeDescription.metatype(of: (any Warehouse.Door).self) == "(any Warehouse.Door).self")
    #expect(
      TypeDescription.code([Warehouse.Day: Warehouse.Slot].self)
        == "[Warehouse.Day: Warehouse.Slot]")
    #expect(
      TypeDescription.code(Pallet<Warehouse.Slot, Int>.Level.self)
        == "Pallet<Warehouse.Slot, Int>.Level")
    #expect(TypeDescription.code(Pallet<Int, Int>.self) == "Pallet<Int, Int>")
    #expect(TypeDescription.code(Any.self) == "Any")
    #expect(TypeDescription.code(AnyObject.self) == "AnyObject")
  }

  @Test func `has the short name of a type that only its own scope can name`() {
    struct Local { struct Inner {} }
    #expect(TypeDescription.code(Local.Inner.self) == "Inner")
    #expect(TypeDescription.code(Parcel.Label.self) == "Label")
    #expect(TypeDescription.code(Misplaced.self) == "Misplaced")
    #expect(TypeDescription.code(Int.self) == "Int")
    #expect(TypeDescription.code((Int, [String]).self) == "(Int, Array<String>)")
  }

  // MARK: The graph

  @Test func `for a missing dependency asks for the only registration first`() throws {
    resolver.register(autowiring: { (text: String) in Sender(text: text) })
    resolver.register(named: "a") { "a" }
    func told() -> [String] {
      resolver.graph.findings.map { finding in
        finding.description.split(separator: "\n").first { $0.hasPrefix("  • ") }.map(String.init)
          ?? ""
      }
    }
    let request = "  • Ask for it in a block:  try resolver.resolve(String.self, "
    #expect(told() == [request + #"named: "a")"#])
    resolver.unregister(Key<String>(named: "a"))
    resolver.register(in: "k") { "a" }
    #expect(told() == [request + #"in: "k")"#])
    resolver.register { resolver in Sender(text: try resolver.resolve(String.self, in: "k")) }
    #expect(try resolver.resolve(Sender.self).text == "a")
  }

  #if os(Linux) || os(macOS)
    @Test func `for an asynchronous block proposes no double in a program`() async {
      await #expect(processExitsWith: .success) {
        TestHosts.install(nil)
        let resolver = Resolver()
        resolver.register { () async in 1 }
        let told = remedies { try resolver.resolve(Int.self) }
        #expect(
          told == [
            "Wait for it:  try await resolver.resolveAsync(Int.self)",
            "Register a synchronous block for it.",
          ])
      }
    }
  #endif
}

/// A class of XCTest inherits the options and the overrides of another one.
class RemedyBase: OverridesTestCase {
  static let resolver: Resolver = {
    let resolver = Resolver(named: "remedies")
    resolver.register { "production" }
    return resolver
  }()

  override var overriddenResolver: Resolver { RemedyBase.resolver }
  override var overrideOptions: OverrideOptions { .strict }
  override func overrides(_ layer: OverrideLayer) { layer.register { 1 } }
}

final class RemedyCase: RemedyBase {
  override var overrideOptions: OverrideOptions { [.strict, .check(.unusedOverride, .off)] }

  func testKeepsTheLayerStrict() throws {
    let layer = try XCTUnwrap(OverrideLayer.current)
    XCTAssertEqual(
      layer.option(".check(.unusedStub, .off)", at: .current),
      "override var overrideOptions: OverrideOptions { [.check(.fallThrough, .error), "
        + ".check(.unusedOverride, .off), .check(.ignoredArgument, .error), "
        + ".check(.unusedStub, .off)] }")
  }

  /// The method `overrides(_:)` does not see its layer.
  func testOverridesALeakOnTheLayerThatItConfigures() {
    let layer = OverrideLayer(LayerTraits(of: .main, named: "leaking", on: nil, at: CallSite()))
    let key = AnyKey(type: Int8.self)
    for isOutside in [false, true] {
      layer.recordLeaks([
        LeakedRegistration(key: key, argument: nil, callSite: CallSite(), isOutside: isOutside)
      ])
    }
    let texts = layer.end().map(\.description)
    XCTAssertEqual(
      texts.map { $0.contains("this test:  layer.register { … as Int8 }") }, [false, true])
    XCTAssertEqual(
      texts.map { $0.contains("this test:  OverrideLayer.required.register { … as Int8 }") },
      [true, false])
  }

  func testKeepsTheOverridesOfTheSuperclass() throws {
    overrides.register { 2 as Int8 }
    XCTAssertEqual(try RemedyBase.resolver.resolve(Int.self), 1)
    XCTAssertEqual(try RemedyBase.resolver.resolve(Int8.self), 2)
  }
}
