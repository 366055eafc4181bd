// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy
import UnderstudyDoubles

private final class Ticket: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

private final class Usher: Sendable {
  let ticket: Ticket

  init(_ ticket: Ticket) { self.ticket = ticket }
}

private final class House: Sendable {
  let usher: Usher

  init(_ usher: Usher) { self.usher = usher }
}

private struct Torn: Error {}

extension Dependencies {
  fileprivate static let stub = Dependency<Ticket>(lifecycle: .cached) { Ticket(100) }
  fileprivate static let fresh = Dependency<Ticket>(lifecycle: .notCached) { Ticket(101) }

  fileprivate static func printed(_ number: Int) -> Dependency<Ticket> {
    Dependency(lifecycle: .notCached) { Ticket(number) }
  }
}

/// The form of a request. With an unused argument, it always takes the slow path.
private struct Way: Sendable {
  let isLong: Bool
  /// The messages that blocks report during a request.
  let said = Box<[String]>([])

  func ask<Value>(_ resolver: Resolver, _ key: Key<Value>) throws(ResolutionError) -> Value {
    isLong ? try resolver.resolve(key, with: "nothing") : try resolver.resolve(key)
  }

  func say(_ words: String) { said.update { $0.append(words) } }

  /// The result of a request with `.once`.
  func ticketOnce(_ resolver: Resolver) -> String {
    do {
      let ticket: Ticket =
        isLong
        ? try resolver.resolve(with: "nothing", lifecycle: .once, line: 1, column: 1)
        : try resolver.resolve(lifecycle: .once, line: 1, column: 1)
      return "\(ticket.number) once"
    } catch {
      return "\(error)"
    }
  }

  func ticket(_ resolver: Resolver, _ key: Key<Ticket> = Key()) -> String {
    do {
      return try "\(ask(resolver, key).number)"
    } catch {
      return "\(error)"
    }
  }

  func usher(_ resolver: Resolver) -> String {
    do {
      return try "of \(ask(resolver, Key<Usher>()).ticket.number)"
    } catch {
      return "\(error)"
    }
  }
}

/// Registrations, and the requests under the layers.
private struct Scene: Sendable, CustomTestStringConvertible {
  typealias Layer = @Sendable (OverrideLayer, Way) -> Void

  let testDescription: String
  var production: @Sendable (Resolver, Way) -> Void = { _, _ in }
  var layers: [Layer] = [{ _, _ in }]
  /// The index of the layer that is a boundary.
  var boundary = 0
  var ask: @Sendable (Resolver, Way) -> [String] = { [$1.ticket($0)] }

  /// Everything that can be observed.
  func played(_ way: Way) -> [String] {
    let resolver = Resolver()
    production(resolver, way)
    var stack: [OverrideLayer] = []
    for (number, configure) in layers.enumerated() {
      var traits = LayerTraits(of: resolver, named: "\(number)", on: stack.last, at: CallSite())
      traits.test = RunningTest(name: "a scene", adoptsEscapedWork: false)
      traits.isBoundary = number == boundary
      // The slow path is forced with an argument.
      traits.options = [.check(.ignoredArgument, .off), .check(.unsharedDouble, .off)]
      let layer = OverrideLayer(traits)
      configure(layer, way)
      stack.append(layer)
    }
    var seen: [String] = []
    OverrideLayer.binding(stack.last) {
      for _ in 0..<6 { seen += ask(resolver, way) }
    }
    for layer in stack.reversed() {
      seen += layer.log.events.map {
        "\($0.key) \($0.outcome) by \($0.layer ?? "production") for \($0.requester?.step ?? "us")"
      }
      seen.append("\(layer.store.instanceCount) kept")
      seen += layer.end().map { $0.message.headline }
    }
    return seen + way.said.value + ["\(resolver.store.instanceCount) kept by production"]
  }
}

extension Scene {
  /// A house with an usher with a ticket, all of them cached.
  @Sendable private static func keepHouse(_ resolver: Resolver, _ way: Way) {
    resolver.register(Ticket(1))
    resolver.register(lifecycle: .cached) { Usher(try way.ask($0, Key())) }
    resolver.register(lifecycle: .cached) { House(try way.ask($0, Key())) }
  }

  fileprivate static let all: [Scene] = [
    Scene(testDescription: "a value", layers: [{ layer, _ in layer.register(Ticket(1)) }]),
    Scene(
      testDescription: "a value below another layer",
      layers: [{ layer, _ in layer.register(Ticket(1)) }, { _, _ in }]),
    Scene(
      testDescription: "a value under a name",
      layers: [{ layer, _ in layer.register(Ticket(1), named: "a") }],
      ask: { [$1.ticket($0, Key(named: "a")), $1.ticket($0, Key(named: "b"))] }),
    Scene(
      testDescription: "production's value",
      production: { resolver, _ in resolver.register(Ticket(1)) }),
    Scene(
      testDescription: "production's value, no boundary",
      production: { resolver, _ in resolver.register(Ticket(1)) }, boundary: -1),
    Scene(
      testDescription: "what production has kept",
      production: { resolver, way in
        resolver.register(lifecycle: .cached) { Ticket(1) }
        _ = way.ticket(resolver)
      }),
    Scene(
      testDescription: "what production has kept, no boundary",
      production: { resolver, way in
        resolver.register(lifecycle: .cached) { Ticket(1) }
        _ = way.ticket(resolver)
      }, boundary: -1),
    Scene(
      testDescription: "what production makes of what is overridden",
      production: { resolver, way in
        resolver.register(Ticket(1))
        resolver.register(lifecycle: .cached) { Usher(try way.ask($0, Key())) }
        _ = way.usher(resolver)
      }, layers: [{ layer, _ in layer.register(Ticket(2)) }],
      boundary: -1, ask: { [$1.usher($0), $1.ticket($0)] }),
    Scene(
      testDescription: "what production makes of what is overridden above",
      production: { resolver, way in
        resolver.register(Ticket(1))
        resolver.register(lifecycle: .cached) { Usher(try way.ask($0, Key())) }
      },
      layers: [{ _, _ in }, { layer, _ in layer.register(Ticket(2)) }, { _, _ in }],
      ask: { [$1.usher($0), $1.usher($0)] }),
    Scene(
      testDescription: "what production makes of what it made of what is overridden",
      production: keepHouse, layers: [{ _, _ in }, { layer, _ in layer.register(Ticket(2)) }],
      ask: { resolver, way in
        let house = try? way.ask(resolver, Key<House>())
        return [way.usher(resolver), "\(house?.usher.ticket.number ?? 0)"]
      }),
    Scene(
      testDescription: "what production makes of what a layer keeps of it",
      production: keepHouse, layers: [{ _, _ in }, { layer, _ in layer.register(Ticket(2)) }],
      ask: { resolver, way in
        let usher = way.usher(resolver)
        let house = try? way.ask(resolver, Key<House>())
        return [usher, "\(house?.usher.ticket.number ?? 0)"]
      }),
    Scene(
      testDescription: "what production makes of what a layer keeps",
      production: { resolver, way in
        resolver.register(lifecycle: .cached) { Usher(try way.ask($0, Key())) }
      },
      layers: [{ layer, _ in layer.register(lifecycle: .cached) { Ticket(2) } }],
      ask: { [$1.ticket($0), $1.usher($0)] }),
    Scene(
      testDescription: "a block", layers: [{ layer, _ in layer.register { Ticket(1) } }]),
    Scene(
      testDescription: "a block that asks",
      production: { resolver, _ in resolver.register(Ticket(1)) },
      layers: [{ layer, way in layer.register { Usher(try way.ask($0, Key())) } }],
      ask: { [$1.usher($0)] }),
    Scene(
      testDescription: "a block that asks for what is made",
      production: { resolver, _ in resolver.register { Ticket(1) } },
      layers: [{ layer, way in layer.register { Usher(try way.ask($0, Key())) } }],
      ask: { [$1.usher($0)] }),
    Scene(
      testDescription: "a block that fails",
      layers: [{ layer, _ in layer.register { () throws -> Ticket in throw Torn() } }]),
    Scene(
      testDescription: "what is asked for once",
      layers: [{ layer, _ in layer.register(lifecycle: .once) { Ticket(1) } }]),
    Scene(
      testDescription: "what a layer below the boundary keeps, and is used up above it",
      layers: [{ layer, _ in layer.register(lifecycle: .cached) { Ticket(1) } }, { _, _ in }],
      boundary: 1, ask: { [$1.ticket($0), $1.ticketOnce($0), $1.ticket($0)] }),
    Scene(
      testDescription: "a value below the boundary that is used up above it",
      layers: [{ layer, _ in layer.register(Ticket(1)) }, { _, _ in }],
      boundary: 1, ask: { [$1.ticket($0), $1.ticketOnce($0), $1.ticket($0)] }),
    Scene(
      testDescription: "production's value that is used up under the boundary",
      production: { resolver, _ in resolver.register(Ticket(1)) },
      ask: { [$1.ticket($0), $1.ticketOnce($0), $1.ticket($0)] }),
    Scene(
      testDescription: "a declared dependency",
      ask: {
        [
          $1.ticket($0, Dependencies.stub.key), $1.ticket($0, Dependencies.fresh.key),
        ]
      }),
    Scene(
      testDescription: "a dependency that is declared anew each time",
      ask: {
        [$1.ticket($0, Dependencies.printed(1).key), $1.ticket($0, Dependencies.printed(2).key)]
      }),
    Scene(
      testDescription: "a declared dependency that is overridden",
      layers: [
        { layer, _ in
          layer.override(\.stub) { Ticket(1) }
          layer.override(\.fresh) { Ticket(2) }
        }
      ],
      ask: { [$1.ticket($0, Dependencies.stub.key), $1.ticket($0, Dependencies.fresh.key)] }),
    Scene(
      testDescription: "a declared dependency whose type is overridden",
      layers: [{ layer, _ in layer.register(Ticket(1)) }],
      ask: {
        [
          $1.ticket($0, Dependencies.stub.key), $1.ticket($0),
          $1.ticket($0, Dependencies.fresh.key),
        ]
      }),
    Scene(
      testDescription: "a type whose declared dependency is overridden",
      layers: [{ layer, _ in layer.override(\.stub) { Ticket(1) } }],
      ask: { [$1.ticket($0), $1.ticket($0, Dependencies.stub.key)] }),
    Scene(
      testDescription: "what is decorated",
      production: { resolver, _ in resolver.register(lifecycle: .cached) { Ticket(1) } },
      layers: [{ layer, _ in layer.decorate(Ticket.self) { Ticket($0.number + 1) } }]),
    Scene(
      testDescription: "what fails on purpose",
      production: { resolver, _ in resolver.register(Ticket(1)) },
      layers: [{ layer, _ in layer.fault(Ticket.self, .throwing(Torn()), on: .nth(2)) }]),
    Scene(
      testDescription: "what is disposed of",
      layers: [
        { (layer: OverrideLayer, way: Way) in
          layer.register(lifecycle: .cached) { Ticket(1) }
          layer.register { Usher(Ticket(2)) }
          layer.onDispose(of: Key<Ticket>()) {
            way.say("ticket \($0.number)")
          }
          layer.onDispose(of: Key<Usher>()) {
            way.say("usher of \($0.ticket.number)")
          }
        }
      ], ask: { [$1.ticket($0), $1.usher($0)] }),
    Scene(
      testDescription: "an alias",
      layers: [
        { layer, _ in layer.alias(layer.register(Ticket(1)), as: (any Sendable).self) }
      ],
      ask: { resolver, way in
        [(try? way.ask(resolver, Key<any Sendable>())).map { "\(type(of: $0))" } ?? "none"]
      }),
    Scene(testDescription: "nothing"),
  ]
}

/// The fast path answers the first request under a layer like the slow path. In a process of these
/// tests alone the two are compared. Among other tests both requests take the slow path.
@Suite struct `The first request under a layer` {
  @Test(arguments: Scene.all)
  fileprivate func `has the same result on the fast path as on the slow path`(scene: Scene) {
    let (short, long) = (scene.played(Way(isLong: false)), scene.played(Way(isLong: true)))
    // A remedy has the argument.
    #expect(short == long.map { $0.replacing("(_: String) in ", with: "") })
    #expect(short.count > 4)
  }

  @Test func `is checked for instances that another test has`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Ticket(1) }
    _ = try resolver.resolve(Ticket.self)
    func inTest(_ name: String, _ further: () throws -> Void) rethrows -> [String] {
      var traits = LayerTraits(of: resolver, named: name, on: nil, at: CallSite())
      traits.test = RunningTest(name: name, adoptsEscapedWork: false)
      let layer = OverrideLayer(traits)
      try OverrideLayer.binding(layer) {
        #expect((try? resolver.resolve(Ticket.self))?.number == 1)
        try further()
      }
      return layer.end().map { $0.message.headline }
    }
    var inner: [String] = []
    let outer = inTest("one") { inner = inTest("another") {} }
    #expect(
      inner == ["One instance of 'Ticket' is used by two tests that run at the same time."])
    #expect(outer == [])
  }
}
