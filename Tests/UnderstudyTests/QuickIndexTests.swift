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

  /// Whoever looked has left: a registration would wait for it.
  @Test(arguments: Lifecycle.allCases, Lifecycle.allCases)
  func `is left by whoever looked, however it asked`(registered: Lifecycle, asked: Lifecycle) throws
  {
    let outcomes = try Threads.run(1) { _ in
      for form in 0..<6 {
        let made = Tally()
        let gone = Tally()
        let resolver = Resolver()
        let register = { @Sendable in
          let make = { @Sendable in Mortal(made.next(), gone) }
          _ = resolver.register(lifecycle: registered, make)
          _ = resolver.register(named: "named", lifecycle: registered, make)
          _ = resolver.register(named: 7, lifecycle: registered, make)
        }
        register()
        for lifecycle in [.cached, asked, .cached, asked] {
          _ =
            switch form {
            case 0: try? resolver.resolve(Mortal.self, lifecycle: lifecycle)
            case 1: try? resolver.resolve(Mortal.self, named: nil as String?, lifecycle: lifecycle)
            case 2: try? resolver.resolve(Mortal.self, named: "named", lifecycle: lifecycle)
            case 3: try? resolver.resolve(Mortal.self, named: 7, lifecycle: lifecycle)
            case 4: try? resolver.resolve(Key<Mortal>(), lifecycle: lifecycle)
            default: try? resolver.resolve(Key<Mortal>(named: "named"), lifecycle: lifecycle)
            }
        }
        #expect(made.count > 0)
        register()
        // Nor does anyone keep what it was registered with.
        #expect(gone.count == made.count)
      }
    }
    _ = try outcomes[0].get()
  }

  /// Equal to a text, and none.
  private struct Disguise: Hashable, Sendable, _HasCustomAnyHashableRepresentation {
    let text: String

    func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(text) }
  }

  @Test func `is of a name that equals a text the same registration`() throws {
    let resolver = Resolver()
    let gone = Tally()
    let disguise = Disguise(text: "x")
    func register(_ name: any Hashable & Sendable) {
      _ = resolver.register(named: name, lifecycle: .cached) { Mortal(1, gone) }
    }
    register("x")
    for name in [disguise, "x", disguise] as [any Hashable & Sendable] {
      _ = try resolver.resolve(Mortal.self, named: "x")
      let before = gone.count
      register(name)
      #expect(gone.count == before + 1)
      #expect(try resolver.resolve(Mortal.self, named: "x").isWhole)
      #expect(try resolver.resolve(Mortal.self, named: disguise).isWhole)
    }
    #expect(resolver.unregister(Key<Mortal>(named: disguise)))
    #expect(resolutionError { try resolver.resolve(Mortal.self, named: "x") }?.kind == "missing")
  }

  /// What is found for a type, or a type and a text; nothing is published, so it is a registration.
  private static func found(_ look: QuickLook?) -> AnyRegistration? {
    #expect(look?.address == nil)
    return look?.registration?.takeRetainedValue()
  }

  private static let names: [String?] =
    [nil, "", twins.0, twins.1, "K", "\u{212A}"] + (0..<12).map { "name \($0)" }

  /// A seeded history of one store, and its table as the model.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `is what the table has`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let store = RegistrationStore()
    var claimed: [AnyRegistration] = []
    for _ in 0..<600 {
      let name = Self.names.randomElement(using: &random) ?? nil
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
      for name in Self.names {
        let type = ObjectIdentifier(Int.self)
        let look = name.map { store.look(at: type, named: $0) } ?? store.look(at: type)
        #expect(Self.found(look) === store.registration(for: AnyKey(type: Int.self, named: name)))
      }
    }
  }

  /// The index by itself: a dictionary is the model, where no two names have one hash.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `shows what it was told last`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let index = QuickIndex()
    let names = Self.names.filter { $0 != Self.twins.1 && $0 != "\u{212A}" }
    var model: [String?: AnyRegistration] = [:]
    for _ in 0..<400 {
      let name = names.randomElement(using: &random) ?? nil
      let newer = Bool.random(using: &random) ? Self.registration(0, named: name) : nil
      if let older = model[name] { index.hide(older) }
      if let newer { index.show(newer) }
      model[name] = newer
      for name in names {
        let type = ObjectIdentifier(Int.self)
        let look = name.map { index.look(at: type, named: .text($0)) } ?? index.look(at: type)
        #expect(Self.found(look) === model[name])
      }
    }
  }

  /// A reader copies an instance while others replace its registration: it gets one of those that were there.
  @Test(arguments: [2, 4, 8])
  func `is alive while it is copied`(count: Int) throws {
    let store = RegistrationStore()
    let gone = Tally()
    let made = Tally()
    let register = { @Sendable (name: String?) in
      let fresh = Self.registration(Mortal(made.next(), gone), named: name)
      fresh.publish(Mortal(made.next(), gone))
      store.add(fresh)
    }
    let copied = Tally()
    let ask = { @Sendable (look: QuickLook) -> Bool in
      defer { look.end() }
      // One that is replaced just now has nothing to copy any more.
      guard let address = look.address else { return true }
      _ = copied.next()
      return address.assumingMemoryBound(to: Mortal.self).pointee.isWhole
    }
    for name in [nil, "named"] { register(name) }
    let outcomes = try Threads.run(count) { number in
      for step in 0..<1_500 {
        if (step &+ number).isMultiple(of: 25) {
          register(step.isMultiple(of: 2) ? nil : "named")
        } else {
          let type = ObjectIdentifier(Mortal.self)
          guard ask(store.look(at: type)), ask(store.look(at: type, named: "named"))
          else {
            throw Mishap()
          }
        }
      }
    }
    #expect(outcomes.allSatisfy { $0.success != nil })
    #expect(copied.count > count * 1_000)
    // What was replaced went at once (L6): two registrations have what their blocks hold and what is published.
    #expect(made.count - gone.count == 4)
  }
}
