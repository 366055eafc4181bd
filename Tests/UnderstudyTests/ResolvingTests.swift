// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy
import UnderstudyCompatibility

/// Rows G9-08, G9-30 to G9-37, G4-15, G4-17 and G4-18.
@Suite struct `Resolving` {
  protocol Part: Sendable {}
  struct Piece: Part {}
  struct OtherPiece: Part {}

  /// G9-30.
  @Test func `infers the type from any context`() throws {
    let resolver = Resolver()
    let key = resolver.register(lifecycle: .cached) { Coin(1) }
    let byType = try resolver.resolve(Coin.self)
    let byContext: Coin = try resolver.resolve()
    let byCast = try resolver.resolve() as Coin
    let byKey = try resolver.resolve(key)
    #expect(byType === byContext && byType === byCast && byType === byKey)
  }

  /// G9-35, G9-36.
  @Test func `creates dependencies when they are needed, in any order of registration`()
    throws
  {
    let resolver = Resolver()
    resolver.register(instance: Middle(try resolver.resolve()))
    resolver.register(autowiring: Root.init(middle:))
    resolver.register(instance: Leaf("late"))
    try #expect(resolver.resolve(Root.self).leaf.origin == "late")
  }

  /// G9-08.
  @Test func `passes the requested resolver to a block`() throws {
    let (resolver, other) = (Resolver(), Resolver())
    resolver.register { (r: Resolver) in ObjectIdentifier(r) }
    resolver.register(named: "untyped") { r in ObjectIdentifier(r as Resolver) }
    try #expect(resolver.resolve(ObjectIdentifier.self) == ObjectIdentifier(resolver))
    try #expect(resolver.resolve(ObjectIdentifier.self, with: other) == ObjectIdentifier(other))
    try withResolver(other) {
      try #expect(resolver.resolve(ObjectIdentifier.self) == ObjectIdentifier(resolver))
    }
  }

  @Test func `uses the current resolver by default`() throws {
    struct Owner { @Inject var leaf: Leaf }
    let resolver = Resolver()
    resolver.register(Leaf("mine"))
    #expect(withResolver(resolver) { Owner().leaf.origin } == "mine")
    withResolver(resolver) {
      withLayer {
        $0.register(Leaf("double"))
      } operation: {
        #expect(Owner().leaf.origin == "double")
        #expect(OverrideLayer.current?.resolver === resolver)
      }
    }
  }

  // MARK: Optionals

  @Test func `an optional is nil only if nothing is registered`() throws {
    let resolver = Resolver()
    try #expect(resolver.resolve(Coin?.self) == nil)
    try #expect(resolver.resolve(Coin??.self).map { $0 == nil } == true)
    resolver.register { Coin(1) }
    try #expect(resolver.resolve(Coin?.self)?.id == 1)
    try #expect(resolver.resolve(Coin??.self)??.id == 1)
    try #expect(resolver.resolve((any Part)?.self) == nil)
    resolver.register { Piece() as any Part }
    try #expect(resolver.resolve((any Part)?.self) is Piece)
  }

  @Test func `an optional does not hide another failure`() {
    let resolver = Resolver()
    resolver.register { () throws -> Coin in throw Mishap() }
    resolver.register { r in "\(try r.resolve(Int.self))" }
    resolver.register { (x: Int) in Double(x) }
    resolver.register { r in [UInt8(try r.resolve(UInt8.self))][0] }
    #expect(resolutionError { try resolver.resolve(Coin?.self) }?.kind == "failed")
    #expect(resolutionError { try resolver.resolve(String?.self) }?.kind == "missing")
    #expect(resolutionError { try resolver.resolve(Double?.self) }?.kind == "argument")
    #expect(resolutionError { try resolver.resolve(UInt8?.self) }?.kind == "cycle")
  }

  @Test func `an optional is not nil because a dependency's weak object is gone`() {
    let resolver = Resolver()
    resolver.register(weak: Leaf("gone"))
    resolver.register { r in Middle(try r.resolve()) }
    #expect(resolutionError { try resolver.resolve(Middle?.self) }?.kind == "released")
  }

  @Test func `each part of a key tells a cached instance from the plain one`() throws {
    enum Part: Scope, Qualifier {}
    let resolver = Resolver()
    let plain = Coin(0)
    resolver.register(plain)
    resolver.register(named: 1, lifecycle: .cached) { Coin(1) }
    resolver.register(scopedTo: Part.self, lifecycle: .cached) { Coin(2) }
    resolver.register(qualifiedBy: Part.self, lifecycle: .cached) { Coin(3) }
    resolver.register(in: "bank", lifecycle: .cached) { Coin(4) }
    for _ in 0..<3 {
      try #expect(resolver.resolve(Coin.self) === plain)
      try #expect(resolver.resolve(Coin.self, named: 1).id == 1)
      let scoped = try resolver.resolve(Coin.self, scopedTo: Part.self)
      #expect(scoped.id == 2)
      try #expect(resolver.resolve(Coin.self, qualifiedBy: Part.self).id == 3)
      try #expect(resolver.resolve(Coin.self, in: "bank").id == 4)
    }
    try #expect(resolver.resolve(Coin.self, lifecycle: .once) === plain)
    try #expect(resolver.resolve(Coin?.self) == nil)
  }

  @Test func `an optional passes on name, container, lifecycle and argument`() throws {
    let resolver = Resolver()
    resolver.register(named: "n", in: "c") { (id: Int) in Coin(id) }
    let cell = try resolver.resolve(Coin?.self, with: 5, named: "n", in: "c", lifecycle: .once)
    #expect(cell?.id == 5)
    try #expect(resolver.resolve(Coin?.self, with: 5, named: "n", in: "c") == nil)
  }

  // MARK: Arrays

  @Test func `an array is every registration in order, whatever its name and container`() throws {
    let resolver = Resolver()
    try #expect(resolver.resolve([Coin].self).isEmpty)
    resolver.register(named: "b") { Coin(1) }
    resolver.register { Coin(2) }
    resolver.register(named: "a", in: "c") { Coin(3) }
    resolver.register(in: "c") { Coin(4) }
    resolver.register { "none of them" }
    try #expect(resolver.resolve([Coin].self).map(\.id) == [1, 2, 3, 4])
    try #expect(resolver.resolve([Coin].self, in: "c").map(\.id) == [3, 4])
    try #expect(resolver.resolve([Coin].self, named: "a").map(\.id) == [3])
    try #expect(resolver.resolve([Coin].self, named: "a", in: "d").isEmpty)
    try #expect(resolver.resolve([Coin]?.self)?.count == 4)
    resolver.register(named: "b") { Coin(5) }
    try #expect(resolver.resolve([Coin].self).map(\.id) == [2, 3, 4, 5])
  }

  @Test(arguments: [false, true])
  func `an array that fails leaves its one-time elements unclaimed`(
    isAwaited: Bool
  ) async throws {
    let (resolver, fails) = (Resolver(), Box(true))
    resolver.register(Coin(1), named: 1, lifecycle: .once)
    resolver.register(named: 2) {
      if fails.value { throw Mishap() }
      return Coin(2)
    }
    func ids() async throws -> [Int] {
      let coins =
        if isAwaited {
          try await resolver.resolveAsync([Coin]?.self)
        } else {
          try resolver.resolve([Coin]?.self)
        }
      return coins?.map(\.id) ?? []
    }
    await #expect(throws: ResolutionError.self) { try await ids() }
    fails.value = false
    try await #expect(ids() == [1, 2])
    try await #expect(ids() == [2])
  }

  @Test func `a request of several keys claims one-time registrations only if all of it succeeds`()
    throws
  {
    let (resolver, fails) = (Resolver(), Box(true))
    resolver.register(Coin(1), named: 1, lifecycle: .once)
    resolver.register(named: 2) {
      if fails.value { throw Mishap() }
      return Coin(2)
    }
    let keys = resolver.filter(Coin.self)
    #expect(throws: ResolutionError.self) { try resolver.resolve(all: keys) }
    fails.value = false
    try #expect(resolver.resolve(all: keys).map(\.id) == [1, 2])
    try #expect(resolver.resolve(all: keys).map(\.id) == [2])
  }

  @Test func `an override has the position of the overridden element in an array`() throws {
    let resolver = Resolver()
    for id in 1...3 { resolver.register(named: id) { Coin(id) } }
    try withLayer(of: resolver) {
      $0.register(named: 4) { Coin(40) }
      $0.register(named: 2) { Coin(20) }
    } operation: {
      try #expect(resolver.resolve([Coin].self).map(\.id) == [1, 20, 3, 40])
    }
  }

  @Test func `an array has each element as its registration makes it`() throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(named: "cached", lifecycle: .cached) { Coin(made.next()) }
    resolver.register(named: "fresh") { Coin(made.next()) }
    resolver.register(named: "once", lifecycle: .once) { Coin(made.next()) }
    let first = try resolver.resolve([Coin].self)
    let second = try resolver.resolve([Coin].self)
    #expect(first.map(\.id) == [1, 2, 3])
    #expect(second.map(\.id) == [1, 4])
    #expect(first[0] === second[0])
  }

  @Test func `a registration of the array itself answers for it`() throws {
    let resolver = Resolver()
    resolver.register { Coin(1) }
    resolver.register { [Coin(7), Coin(8)] }
    try #expect(resolver.resolve([Coin].self).map(\.id) == [7, 8])
  }

  @Test func `an element that fails fails the array`() {
    let resolver = Resolver()
    resolver.register { Coin(1) }
    resolver.register(named: "bad") { () throws -> Coin in throw Mishap() }
    #expect(resolutionError { try resolver.resolve([Coin].self) }?.kind == "failed")
  }

  // MARK: Arguments

  struct Credentials: Equatable { let name: String, code: Int }

  /// G4-17, G9-06.
  @Test func `an argument is any single value`() throws {
    typealias Pair = (a: Int, b: String)
    let resolver = Resolver()
    resolver.register(named: "tuple") { (pair: Pair) in "\(pair.a)\(pair.b)" }
    resolver.register(named: "struct") { (x: Credentials) in x.name }
    resolver.register(named: "optional") { (x: Int?) in "\(x ?? -1)" }
    resolver.register(named: "existential") { (x: any Part) in "\(type(of: x))" }
    resolver.register(named: "array") { (x: [Int]) in "\(x)" }
    resolver.register(named: "void") { (_: Void) in "void" }
    resolver.register(named: "function") { (f: @escaping () -> Int) in "\(f())" }
    let pair: Pair = (1, "b")
    try #expect(resolver.resolve(String.self, with: pair, named: "tuple") == "1b")
    try #expect(
      resolver.resolve(String.self, with: Credentials(name: "n", code: 1), named: "struct") == "n")
    try #expect(resolver.resolve(String.self, with: 3 as Int?, named: "optional") == "3")
    try #expect(resolver.resolve(String.self, with: nil as Int?, named: "optional") == "-1")
    try #expect(resolver.resolve(String.self, with: 3, named: "optional") == "3")
    try #expect(resolver.resolve(String.self, with: Piece(), named: "existential") == "Piece")
    try #expect(
      resolver.resolve(String.self, with: Piece() as any Part, named: "existential") == "Piece")
    try #expect(resolver.resolve(String.self, with: [1, 2], named: "array") == "[1, 2]")
    try #expect(resolver.resolve(String.self, with: (), named: "void") == "void")
    try #expect(resolver.resolve(String.self, with: { 5 }, named: "function") == "5")
  }

  /// The resolver is the first parameter, and no argument.
  @Test func `a block takes the resolver and several arguments`() throws {
    let resolver = Resolver()
    resolver.register { 2 }
    resolver.register { (r: Resolver, a: Int, b: String) in
      "\(try r.resolve(Int.self)) \(a) \(b)"
    }
    resolver.register(named: "cached", lifecycle: .cached) { (r: Resolver, a: Int, b: String) in
      "\(try r.resolve(Int.self)) \(a) \(b)"
    }
    for name in [nil, "cached"] {
      let line = try resolver.resolve(String.self, with: (1, "b"), named: name)
      #expect(line == "2 1 b")
    }
  }

  /// G9-07.
  @Test func `a wrong or missing argument is an error that names the types`() throws {
    let resolver = Resolver()
    resolver.register { (id: Int) in Coin(id) }
    let missing = try #require(resolutionError { try resolver.resolve(Coin.self) })
    guard case .argument(let expected, let given) = missing.reason else { throw missing }
    #expect(ObjectIdentifier(expected) == ObjectIdentifier(Int.self))
    #expect(given == nil)
    let wrong = try #require(resolutionError { try resolver.resolve(Coin.self, with: "7") })
    guard case .argument(let expected, let given) = wrong.reason else { throw wrong }
    #expect(ObjectIdentifier(expected) == ObjectIdentifier(Int.self))
    #expect(given.map { ObjectIdentifier($0) } == ObjectIdentifier(String.self))
    #expect(resolutionError { try resolver.resolve(Coin.self, with: 7.0) }?.kind == "argument")
    #expect(resolutionError { try resolver.resolve(Coin.self, with: Int8(7)) }?.kind == "argument")
    #expect(
      resolutionError { try resolver.resolve(Coin.self, with: nil as Int?) }?.kind == "argument")
    try #expect(resolver.resolve(Coin.self, with: 7 as Int?).id == 7)
  }

  @Test func `a wrong argument caches nothing and claims nothing`() throws {
    let resolver = Resolver()
    resolver.register(named: "cached", lifecycle: .cached) { (id: Int) in Coin(id) }
    resolver.register(named: "once", lifecycle: .once) { (id: Int) in Coin(id) }
    for name in ["cached", "once"] {
      #expect(resolutionError { try resolver.resolve(Coin.self, with: "7", named: name) } != nil)
      try #expect(resolver.resolve(Coin.self, with: 7, named: name).id == 7)
    }
  }

  /// An argument is for the requested block, and not for blocks below.
  @Test func `an argument is not passed on to dependencies`() {
    let resolver = Resolver()
    resolver.register { (id: Int) in Coin(id) }
    resolver.register { (r, id: Int) in "\(id) \(try r.resolve(Coin.self).id)" }
    let error = resolutionError { try resolver.resolve(String.self, with: 7) }
    #expect(error?.kind == "argument")
    #expect(error?.steps == ["String", "Coin"])
  }

  /// G4-18.
  @Test func `one name under two types is two registrations`() throws {
    let resolver = Resolver()
    resolver.register(7, named: "arg")
    resolver.register("seven", named: "arg")
    resolver.register(8, named: "arg")
    try #expect(resolver.resolve(Int.self, named: "arg") == 8)
    try #expect(resolver.resolve(String.self, named: "arg") == "seven")
  }

  // MARK: Autowiring

  struct Many: Sendable {
    let text: String
    init() { text = "" }
    init(_ values: any Sendable...) { text = values.map { "\($0)" }.joined(separator: " ") }
  }

  @Test func `autowires up to twelve parameters, optionals and arrays among them`() throws {
    let resolver = Resolver()
    resolver.register(1)
    resolver.register("s")
    resolver.register(2.5)
    resolver.register(true)
    resolver.register(UInt8(8))
    resolver.register(Character("c"))
    resolver.register(Coin(9))
    var results: [String] = []
    func resolved(_ key: Key<Many>) throws { results.append(try resolver.resolve(key).text) }
    try resolved(resolver.register(autowiring: { () in Many() }))
    try resolved(resolver.register(autowiring: { (a: Int) in Many(a) }))
    try resolved(resolver.register(autowiring: { (a: Int, b: String) in Many(a, b) }))
    try resolved(
      resolver.register(autowiring: { (a: Int, b: Int?, c: [String]) in Many(a, b ?? 0, c) }))
    try resolved(
      resolver.register(
        autowiring: {
          (a: Int, b: String, c: Double, d: Bool, e: UInt8, f: Character, g: Coin) in
          Many(a, b, c, d, e, f, g)
        }))
    try resolved(
      resolver.register(
        autowiring: {
          (
            a: Int, b: String, c: Double, d: Bool, e: UInt8, f: Character, g: Coin?, h: Leaf?,
            i: [Int], j: [Leaf], k: Int, l: Coin
          ) in
          Many(a, b, c, d, e, f, g?.id ?? 0, h == nil, i, j.count, k, l)
        }))
    #expect(
      results == [
        "", "1", "1 s", "1 1 [\"s\"]", "1 s 2.5 true 8 c Coin(9)",
        "1 s 2.5 true 8 c 9 true [1] 0 1 Coin(9)",
      ])
  }

  @Test func `autowires a throwing initialiser, and reports a missing dependency`() {
    let resolver = Resolver()
    resolver.register(autowiring: { (_: Int) throws -> Coin in throw Mishap() })
    let missing = resolutionError { try resolver.resolve(Coin.self) }
    #expect(missing?.kind == "missing")
    #expect(missing?.steps == ["Coin", "Int"])
    resolver.register(1)
    #expect(resolutionError { try resolver.resolve(Coin.self) }?.kind == "failed")
  }

  @Test func `autowires a generic initialiser, an existential and a lifecycle`() throws {
    struct Pair<First: Sendable, Second: Sendable>: Sendable { let first: First, second: Second }
    let resolver = Resolver()
    resolver.register { Piece() as any Part }
    resolver.register { Coin(1) }
    resolver.register(autowiring: Pair<any Part, Coin>.init, lifecycle: .cached)
    let first = try resolver.resolve(Pair<any Part, Coin>.self)
    try #expect(resolver.resolve(Pair<any Part, Coin>.self).second === first.second)
    #expect(first.first is Piece)
  }

  @Test func `needs no Sendable value if nothing is cached`() throws {
    final class Local { var x = 1 }
    let resolver = Resolver()
    resolver.register { Local() }
    try #expect(resolver.resolve(Local.self) !== resolver.resolve(Local.self))
    try #expect(resolver.resolve(Local?.self) != nil)
    try #expect(resolver.resolve([Local].self).count == 1)
    try withLayer(of: resolver) {
      $0.register { Local() }
    } operation: {
      try #expect(resolver.resolve(Local.self, lifecycle: .notCached).x == 1)
    }
    try #expect(resolver.resolve(Local.self, lifecycle: .once).x == 1)
    try #expect(resolver.resolve(Local?.self) == nil)
  }
}
