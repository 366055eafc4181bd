// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// The names of overloads depend on the set of them, and not on their order in the source.
@Suite struct SpyNamesTests {
  /// Overloads of one name, from the simplest to the least simple one.
  static let overloads = [
    "func load()", "func load() -> Int", "func load() async -> Int", "func load<T>(_ x: T)",
    "func load(_ x: Int)", "func load(_ x: Int) -> Int", "func load<T: Shop>(_ x: T)",
    "func load(_ x: String)", "func load(_ x: inout Int)", "func load(_ x: [Int])",
    "func load(at x: Int)", "func load(at x: Int) async", "func load(at x: String)",
    "func load(at x: @escaping (Int) -> Void)",
    "func load(at x: @escaping @MainActor (Int) -> Void)",
    "func load(at x: @escaping @Sendable (Int) -> Void)",
    "func load(at x: @escaping (Int) async -> Void)",
    "func load(from x: Int)", "func load(from x: String) -> Int",
    "func load(from x: String) async throws", "func load(_ x: Int, _ y: Int)",
    "func load(from x: Int, to y: Int)",
  ]
  static let others = [
    "static func load()", "static func load(_ x: Int)", "func loadInt(_ x: Int)",
    "func loadFrom() -> Int", "var level: Int { get set }", "func levelSet()",
    "func level(_ x: Int)", "static var level: Int { get set }", "static func levelSet()",
    "subscript(x: Int) -> Int { get set }", "subscript(x: String) -> Int { get set }",
    "func subscriptSet()", "init(x: Int)", "init(x: String)", "init()",
    "static func + (l: Int, r: Int)", "static func + (l: String, r: Int)",
  ]

  private func parsed(_ texts: [String]) throws -> [Declaration] {
    try texts.map { try #require(Declaration(parsing: $0)) }
  }

  /// The spy of each declaration, by its text.
  private func spies(_ texts: [String]) throws -> [String: SpyName] {
    Dictionary(uniqueKeysWithValues: zip(texts, SpyNames.spies(for: try parsed(texts))))
  }

  @Test(arguments: 0..<100) func `the order of requirements changes no name`(seed: Int) throws {
    var random = SplitMix(seed)
    let all = (Self.overloads + Self.others).shuffled(using: &random)
    let chosen = Array(all.prefix(Int.random(in: 1...all.count, using: &random)))
    let spies = try spies(chosen)
    #expect(try self.spies(chosen.sorted()) == spies)
    #expect(try self.spies(chosen.reversed()) == spies)
    let instance = spies.filter { !$0.key.hasPrefix("static") && !$0.key.hasPrefix("init") }
    for group in [instance, spies.filter { instance[$0.key] == nil }] {
      let names = group.flatMap { text, spy in
        text.contains("set }") ? [spy.name, spy.setterName] : [spy.name]
      }
      #expect(Set(names).count == names.count)
    }
    let titles = spies.values.flatMap {
      $0.setterTitle.isEmpty ? [$0.title] : [$0.title, $0.setterTitle]
    }
    #expect(Set(titles).count == titles.count)
  }

  @Test(arguments: 0..<100)
  func `a new overload renames only spies of overloads that are less simple`(seed: Int) throws {
    var random = SplitMix(seed)
    let positions = Self.overloads.indices.shuffled(using: &random)
    let old = Array(positions.prefix(Int.random(in: 1..<positions.count, using: &random)))
    let new = try #require(positions.last)
    let before = try spies(old.map { Self.overloads[$0] })
    let after = try spies((old + [new]).shuffled(using: &random).map { Self.overloads[$0] })
    let renamed = old.filter {
      before[Self.overloads[$0]]?.name != after[Self.overloads[$0]]?.name
    }
    #expect(renamed.allSatisfy { $0 > new }, "\(renamed.map { Self.overloads[$0] })")
    // It takes one name, and that of each renamed spy goes to a more complicated one at most.
    #expect(renamed.count <= 4)
    if let name = after[Self.overloads[new]]?.name, !renamed.isEmpty {
      #expect(before.values.map(\.name).contains(name))
    }
  }

  @Test func `overloads that differ only in an attribute have telling names`() throws {
    let spies = try spies([
      "func run(_ x: Int)", "func run(_ x: @escaping () -> Void)",
      "func run(_ x: @escaping @MainActor () -> Void)",
      "func run(_ x: @escaping @Sendable () -> Void)",
      "func run(_ x: @escaping @Sendable () -> Void) -> Int",
      "func run(_ x: @escaping @MainActor () -> Void) async",
      "func run(_ x: @escaping nonisolated(nonsending) () async -> Void)",
      "func run(_ x: @escaping @concurrent () async -> Void)",
    ])
    #expect(
      spies.values.map(\.name).sorted() == [
        "run", "runMainActorVoidToVoid", "runNonsendingVoidAsyncToVoid", "runSendableVoidToVoid",
        "runVoidAsyncToVoid", "runVoidToVoid", "runVoidToVoidAsync", "runVoidToVoidReturningInt",
      ])
  }

  @Test func `each title tells an overload from the others`() throws {
    let texts = [
      "init(_ x: Int)", "init(_ x: String)", "func load(_ x: Int)", "static func load(_ x: Int)",
      "static func load(_ x: String)", "static func save(_ x: Int)",
      "static func save(_ x: String)",
    ]
    let spies = try spies(texts)
    #expect(
      texts.map { spies[$0]?.title } == [
        "init(_:)", "initializeString(_:)", "load(_:)", "static load(_:)",
        "loadString(_:)", "save(_:)", "saveString(_:)",
      ])
  }

  @Test func `the title of a setter says if it is static and the instance has one, too`() throws {
    let texts = ["var total: Int { get set }", "static var total: Int { get set }"]
    let spies = try spies(texts)
    #expect(texts.map { spies[$0]?.setterTitle } == ["total(_:)", "static total(_:)"])
  }

  @Test func `an overload with labels of its own renames no spy but the plain one`() throws {
    for new in Self.overloads.indices {
      let label = try parsed([Self.overloads[new]])[0].title
      let old = try Self.overloads.filter { try parsed([$0])[0].title != label }
      let before = try spies(old)
      let after = try spies(old + [Self.overloads[new]])
      let renamed = before.filter { after[$0.key]?.name != $0.value.name }
      #expect(renamed.values.allSatisfy { $0.name == "load" }, "\(Self.overloads[new])")
    }
  }
}

/// A random generator with a seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
