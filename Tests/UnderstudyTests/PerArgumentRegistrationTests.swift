// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility
import UnderstudyTesting

/// A registration with `per:`, as one registration among others.
struct PerArgumentRegistrationTests {
  final class Cell: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  struct Price: Sendable {}

  let resolver = Resolver()

  /// Registers cells on a resolver or a layer.
  @discardableResult
  func register(on registrar: some Registering, sign: Int = 1) -> Key<Cell> {
    registrar.register(in: "box", lifecycle: .cached, per: { $0 }) { (number: Int) in
      Cell(sign * number)
    }
  }

  func cell(_ number: Int) throws -> Cell {
    try resolver.resolve(Cell.self, with: number, in: "box")
  }

  @Test(arguments: [true, false])
  func `The block of a registration is released with it`(isReplaced: Bool) throws {
    weak var captured: Cell?
    do {
      let cell = Cell(0)
      captured = cell
      resolver.register(lifecycle: .cached, per: { $0 }) { (number: Int) in
        Cell(cell.number + number)
      }
    }
    _ = try resolver.resolve(Cell.self, with: 1)
    #expect(captured != nil)
    if isReplaced {
      resolver.register { Cell(2) }
    } else {
      #expect(resolver.unregister(Key<Cell>()))
    }
    #expect(captured == nil)
  }

  /// A layer holds its overrides until its end, for the finding about unused ones.
  @Test func `A layer releases the block and the instances at its end`() throws {
    weak var captured: Cell?
    weak var made: Cell?
    try withOverrides(.check(.unusedOverride, .off), of: resolver) { _ in
    } operation: {
      let layer = OverrideLayer.required
      let key: Key<Cell>
      do {
        let cell = Cell(0)
        captured = cell
        key = layer.register(lifecycle: .cached, per: { $0 }) { (number: Int) in
          Cell(cell.number + number)
        }
      }
      made = try resolver.resolve(key, with: 1)
      #expect(captured != nil)
      #expect(made != nil)
      #expect(layer.unregister(key))
    }
    #expect(captured == nil)
    #expect(made == nil)
  }

  @Test func `A registration is counted once`() {
    let key = AnyKey(register(on: resolver))
    #expect(resolver.keys == [key])
    #expect(resolver.filter(in: "box") == [key])
    #expect(resolver.unregisterAll() == 1)
    register(on: resolver)
    #expect(resolver.unregister(in: "box") == 1)
    register(on: resolver)
    #expect(resolver.reset(.registrations).registrations == 1)
  }

  @Test func `A registration is one node of the graph, with the needs of its block`() throws {
    resolver.register { Price() }
    resolver.register(lifecycle: .cached, per: { $0 }) { (r, number: Int) throws -> Cell in
      _ = try r.resolve(Price.self)
      return Cell(number)
    }
    #expect(resolver.graph.text == "Price  notCached\nCell  notCached, takes Int")
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve(Cell.self, with: 1)
      let graph = resolver.graph
      #expect(graph.nodes.count == 2)
      #expect(graph.edges.map { [$0.from, $0.to] } == [[1, 0]])
    }
  }

  @Test func `A registration that is made twice is one duplicate`() {
    register(on: resolver)
    resolver.register(in: "box", lifecycle: .cached, per: { $0 }) { (number: Int) in Cell(number) }
    #expect(resolver.graph.findings.map(\.kind) == [.duplicate])
  }

  @Test func `A reset of a parent keeps the instances that a child has registered`() throws {
    let child = Resolver(parent: resolver)
    let key = child.register(lifecycle: .cached, per: { $0 }) { (number: Int) in Cell(number) }
    let own = try child.resolve(key, with: 1)
    resolver.reset(.instances)
    try #expect(child.resolve(key, with: 1) === own)
    child.reset(.instances)
    try #expect(child.resolve(key, with: 1) !== own)
  }

  @Test func `A reset of a container reaches the instances that a layer or a child stores`() throws
  {
    let child = Resolver(parent: resolver)
    child.register(2, named: "sign")
    resolver.register(1, named: "sign")
    let plain = resolver.register(named: "plain", in: "box", lifecycle: .cached) { Cell(0) }
    let key = resolver.register(in: "box", lifecycle: .cached, per: { $0 }) { (r, number: Int) in
      Cell(number * (try r.resolve(named: "sign")))
    }
    try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      let all = { [resolver] in
        try [
          resolver.resolve(plain), resolver.resolve(key, with: 1), child.resolve(key, with: 1),
        ]
      }
      let first = try all()
      try #expect(all().map(ObjectIdentifier.init) == first.map(ObjectIdentifier.init))
      resolver.reset(.instances, in: "box")
      let second = try all()
      #expect(zip(first, second).map { $0 === $1 } == [false, false, false])
      #expect(second.map(\.number) == [0, 1, 2])
      try #expect(all().map(ObjectIdentifier.init) == second.map(ObjectIdentifier.init))
    }
    let own = try child.resolve(key, with: 1)
    #expect(resolver.reset(.instances, in: "box") == Resolver.Removed())
    try #expect(child.resolve(key, with: 1) !== own)
  }

  @Test func `A reset of the instances hands out no used-up argument again`() throws {
    let key = resolver.register(in: "box", lifecycle: .once, per: { $0 }) { (number: Int) in
      Cell(number)
    }
    _ = try resolver.resolve(key, with: 1)
    resolver.reset(.instances, in: "box")
    #expect(throws: ResolutionError.self) { try resolver.resolve(key, with: 1) }
    _ = try resolver.resolve(key, with: 2)
  }

  @Test func `The log shows no request of production for a layer's own instance`() throws {
    register(on: resolver)
    try withOverrides(of: resolver) {
      register(on: $0, sign: -1)
    } operation: {
      let layer = OverrideLayer.required
      try #expect(cell(3).number == -3)
      #expect(!layer.log.events.isEmpty)
      #expect(layer.log.events.allSatisfy { $0.key.type == Cell.self })
      #expect(layer.log.events.allSatisfy { $0.layer == layer.name })
      #expect(!layer.log.tree.contains("production"))
    }
  }

  @Test func `An enforced override of a registration with instances per argument is known`() throws
  {
    register(on: resolver)
    try withOverrides(of: resolver, enforce: true) {
      register(on: $0, sign: -1)
    } operation: {
      try #expect(cell(3).number == -3)
    }
  }

  @Test(arguments: [true, false])
  func `A strict layer gets its own instances`(isInProduction: Bool) throws {
    if isInProduction { register(on: resolver) }
    try withOverrides(.strict, of: resolver) {
      register(on: $0, sign: -1)
    } operation: {
      let own = try cell(3)
      #expect(own.number == -3)
      try #expect(cell(3) === own)
      try withOverrides(.strict, of: resolver) { _ in
      } operation: {
        try #expect(cell(3) === own)
      }
    }
  }

  @Test func `A decorator wraps production's instance of an argument`() throws {
    register(on: resolver)
    let first = try cell(1)
    let seen = Events()
    try withOverrides(of: resolver) {
      $0.decorate(Cell.self, in: "box") { cell in
        seen.add("\(ObjectIdentifier(cell))")
        return cell
      }
    } operation: {
      try #expect(cell(1) === first)
    }
    #expect(seen.all == ["\(ObjectIdentifier(first))"])
  }

  @Test func `A decorator wraps the instance of an argument anew for each request`() throws {
    register(on: resolver)
    let made = Events()
    try withOverrides(of: resolver) {
      $0.decorate(Cell.self, in: "box") { cell in
        made.add("\(ObjectIdentifier(cell))")
        return Cell(10 * cell.number)
      }
    } operation: {
      let wrappers = try (cell(1), cell(1))
      #expect(wrappers.0 !== wrappers.1)
      #expect([wrappers.0, wrappers.1].map(\.number) == [10, 10])
    }
    // Both wrap the same instance.
    let instance = try cell(1)
    #expect(made.all == Array(repeating: "\(ObjectIdentifier(instance))", count: 2))
  }

  @Test func `The remedies of a refused request name the key of the registration`() throws {
    register(on: resolver)
    try withOverrides(.strict, of: resolver) {
      $0.register("one")
    } operation: {
      _ = try resolver.resolve(String.self)
      var refused: ResolutionError?
      withKnownIssue { refused = #expect(throws: ResolutionError.self) { try cell(1) } }
      let text = try #require(refused).description
      #expect(
        text.contains(
          "  • Override it:  $0.register(in: \"box\") { … as PerArgumentRegistrationTests.Cell }\n")
      )
    }
  }
}

private final class Events: Sendable {
  private let events = Lock<[String]>([])

  var all: [String] { events.withLock { $0 } }

  func add(_ event: String) { events.withLock { $0.append(event) } }
}
