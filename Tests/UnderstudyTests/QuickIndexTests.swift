// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// What is found without a lock is what the table of registrations has.
@Suite struct `What a resolver finds at a glance` {
  /// Two texts of one hash.
  static let twins = ("a", "\u{0}b")

  private static func registration<Value: Sendable>(
    _ value: Value, named name: String? = nil
  ) -> Registration<Value> {
    var traits = RegistrationTraits(
      key: AnyKey(type: Value.self, named: name),
      at: CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
    traits.lifecycle = .cached
    return Registration(traits, sharing: Sharing(.strong), .plain { value })
  }

  /// What is found for a type, or a type and a text; nothing is published, so it is a registration.
  private static func found<Value>(
    _ type: Value.Type, named name: String?, in store: RegistrationStore
  ) -> AnyRegistration? {
    let identity = ObjectIdentifier(type)
    let look = name.map { store.look(at: identity, named: $0) } ?? store.look(at: identity)
    #expect(look.address == nil)
    return look.registration?.takeRetainedValue()
  }

  @Test func `is of two names of one hash each by its own`() throws {
    let (one, other) = Self.twins
    #expect(one != other)
    #expect(TextHash.of(one) == TextHash.of(other))
    let resolver = Resolver()
    resolver.register(1, named: one)
    resolver.register(2, named: other)
    for _ in 0..<2 {
      #expect(try resolver.resolve(Int.self, named: one) == 1)
      #expect(try resolver.resolve(Int.self, named: other) == 2)
    }
    resolver.unregister(Key<Int>(named: one))
    #expect(resolutionError { try resolver.resolve(Int.self, named: one) }?.kind == "missing")
    #expect(try resolver.resolve(Int.self, named: other) == 2)
    resolver.register(3, named: one)
    #expect(try resolver.resolve(Int.self, named: one) == 3)
    #expect(try resolver.resolve(Int.self, named: other) == 2)
    resolver.register(4, named: other)
    #expect(try resolver.resolve(Int.self, named: other) == 4)
  }

  @Test func `is by names that are equal though they are spelled otherwise`() throws {
    let resolver = Resolver()
    resolver.register(1, named: "\u{212A}")
    resolver.register(2, named: "caf\u{E9}")
    for _ in 0..<2 {
      #expect(try resolver.resolve(Int.self, named: "K") == 1)
      #expect(try resolver.resolve(Int.self, named: "cafe\u{301}") == 2)
    }
    resolver.register(3, named: "K")
    #expect(try resolver.resolve(Int.self, named: "\u{212A}") == 3)
    #expect(resolver.keys.count == 2)
  }

  @Test func `is the same whether a name is known to be a text or not`() throws {
    let resolver = Resolver()
    resolver.register(1)
    resolver.register(2, named: "two")
    let none: String? = nil
    let two: String? = "two"
    let any: any Hashable & Sendable = "two"
    for lifecycle in [Lifecycle.cached, .notCached, .cached] {
      #expect(try resolver.resolve(Int.self, named: none, lifecycle: lifecycle) == 1)
      #expect(try resolver.resolve(Int.self, named: two, lifecycle: lifecycle) == 2)
      #expect(try resolver.resolve(Int.self, named: any, lifecycle: lifecycle) == 2)
      #expect(try resolver.resolve(Int.self, named: "two", lifecycle: lifecycle) == 2)
    }
  }

  /// A seeded history of one store, and the table by its keys as the model.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `is what the table has`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let store = RegistrationStore()
    let names: [String?] =
      [nil, "", Self.twins.0, Self.twins.1, "K", "\u{212A}"] + (0..<12).map { "name \($0)" }
    var claimed: [AnyRegistration] = []
    for _ in 0..<600 {
      let name = names.randomElement(using: &random) ?? nil
      let key = AnyKey(type: Int.self, named: name)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5: store.add(Self.registration(0, named: name))
      case 5: _ = store.remove(key)
      case 6: if let found = store.registration(for: key) { store.renew(found) }
      case 7, 8:
        if let found = store.registration(for: key), store.claim(found) { claimed.append(found) }
      case 9: if let last = claimed.popLast() { store.restore(last) }
      case 10: if let last = claimed.popLast() { store.settle(last) }
      default: store.add(Self.registration(0, named: name), displacing: true)
      }
      for name in names {
        let expected = store.registration(for: AnyKey(type: Int.self, named: name))
        #expect(Self.found(Int.self, named: name, in: store) === expected)
      }
    }
    store.close()
    for name in names { #expect(Self.found(Int.self, named: name, in: store) == nil) }
  }

  /// A reader copies an instance while others replace its registration: it gets one of those that were there.
  @Test(arguments: [2, 4, 8])
  func `is alive while it is copied`(count: Int) throws {
    let resolver = Resolver()
    let alive = Tally()
    let gone = Tally()
    let register = { @Sendable (name: String?) in
      _ = resolver.register(named: name, lifecycle: .cached) { Mortal(alive.next(), gone) }
    }
    for name in [nil, "named"] { register(name) }
    let outcomes = try Threads.run(count) { number in
      for step in 0..<1_500 {
        if (step &+ number).isMultiple(of: 25) {
          register(step.isMultiple(of: 2) ? nil : "named")
        } else {
          let mortal = try resolver.resolve(Mortal.self)
          let other = try resolver.resolve(Mortal.self, named: "named")
          guard mortal.isWhole, other.isWhole else { throw Mishap() }
        }
      }
    }
    #expect(outcomes.allSatisfy { $0.success != nil })
    // What was replaced went at once (L6): nobody holds more than the two of the resolver.
    #expect(alive.count - gone.count <= 2)
  }

  /// An object that can tell that it is one.
  private final class Mortal: Sendable {
    private let number: Int
    private let same: Int
    private let gone: Tally

    init(_ number: Int, _ gone: Tally) {
      self.number = number
      same = number
      self.gone = gone
    }

    deinit { _ = gone.next() }

    var isWhole: Bool { number == same && number > 0 }
  }
}
