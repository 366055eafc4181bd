// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// Names are told as `AnyHashable` tells them (G9-20), on whatever way a resolution takes: the first one, one without a
/// lock, and one that a layer remembers.
@Suite struct `A name of any type` {
  enum First { case one, two }
  enum Second { case one, two }

  /// As many that are not spelled in names write them.
  struct Label: RawRepresentable, Hashable { let rawValue: String }

  /// Equal to others of its kind that have other bits.
  struct Modulo: Hashable {
    let number: Int

    static func == (left: Modulo, right: Modulo) -> Bool { left.number % 10 == right.number % 10 }
    func hash(into hasher: inout Hasher) { hasher.combine(number % 10) }
  }

  /// All have one hash.
  struct Crowded: Hashable {
    let text: String

    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  /// Larger than a word, and nothing but bits.
  struct Wide: Hashable { let (one, two): (Int, Int) }

  /// Bits that mean nothing lie between the two.
  struct Padded: Hashable {
    let small: Int8
    let large: Int32
  }

  typealias Name = any Hashable & Sendable

  /// Names that are different from each other, of which some have one hash.
  static let different: [Name] = [
    "1", "a", "\u{0}b", "", 1, 2, 3.5, -1, true, First.one, First.two, Second.one, Second.two,
    Label(rawValue: "a"), Label(rawValue: "1"), Modulo(number: 1), Modulo(number: 2),
    Crowded(text: "a"), Crowded(text: "b"), Wide(one: 1, two: 2), Wide(one: 2, two: 1),
    Padded(small: 1, large: 2), Padded(small: 1, large: 3), ObjectIdentifier(Int.self),
    [1, 2], ["a"], Character("a"), Unicode.Scalar(97), Optional(First.one) as Name,
  ]

  /// Names that are equal to each other.
  static let equal: [[Name]] = [
    [1 as Int, 1 as Int8, 1 as UInt64, 1.0], [-1 as Int, -1 as Int16], [0.0, -0.0, 0 as UInt8],
    [Modulo(number: 7), Modulo(number: 17), Modulo(number: 107)],
    ["caf\u{E9}", "cafe\u{301}"], [[1, 2] as [Int], [1, 2] as [Int8]],
    [Label(rawValue: "caf\u{E9}"), Label(rawValue: "cafe\u{301}")],
  ]

  /// Runs a body on production, and under a layer that overrides what a closure registers.
  private static func everywhere(
    _ resolver: Resolver, _ register: (any Registering) -> Void, _ body: () throws -> Void
  ) throws {
    register(resolver)
    try body()
    try withLayer(of: resolver) { _ in
    } operation: {
      try body()
    }
    try withLayer(of: resolver) {
      register($0)
    } operation: {
      try body()
    }
  }

  @Test func `finds what was registered under it, and nothing else`() throws {
    let resolver = Resolver()
    try Self.everywhere(resolver) { registrar in
      for (number, name) in Self.different.enumerated() {
        registrar.register(number as Int, named: name)
      }
    } _: {
      // Found out, shown or remembered, and found there.
      for _ in 0..<3 {
        for (number, name) in Self.different.enumerated() {
          let found = try resolver.resolve(Int.self, named: name)
          #expect(found == number, "\(name)")
          let foundByKey = try resolver.resolve(Key<Int>(named: name))
          #expect(foundByKey == number, "\(name)")
        }
        #expect(resolutionError { try resolver.resolve(Int.self) }?.kind == "missing")
        #expect(resolutionError { try resolver.resolve(Int.self, named: "other") } != nil)
        #expect(resolutionError { try resolver.resolve(Int.self, named: 8) } != nil)
      }
    }
  }

  @Test func `finds what was registered under one that is equal`() throws {
    for names in Self.equal {
      for registered in names {
        let resolver = Resolver()
        try Self.everywhere(resolver) {
          $0.register(names.count as Int, named: registered)
        } _: {
          for asked in names + names {
            let found = try resolver.resolve(Int.self, named: asked)
            #expect(found == names.count, "\(asked)")
          }
        }
      }
    }
  }

  @Test func `is the same one where its type is known`() throws {
    let resolver = Resolver()
    let none: First? = nil
    try Self.everywhere(resolver) {
      $0.register("plain")
      $0.register("one", named: First.one)
      $0.register("seven", named: 7)
      $0.register("label", named: Label(rawValue: "x"))
    } _: {
      let optional: First? = .one
      for lifecycle in [Lifecycle.cached, .notCached, .cached] {
        let found: [String] = [
          try resolver.resolve(named: none, lifecycle: lifecycle),
          try resolver.resolve(named: nil, lifecycle: lifecycle),
          try resolver.resolve(named: First.one, lifecycle: lifecycle),
          try resolver.resolve(named: optional, lifecycle: lifecycle),
          try resolver.resolve(named: 7, lifecycle: lifecycle),
          try resolver.resolve(named: 7 as UInt8, lifecycle: lifecycle),
          try resolver.resolve(named: Label(rawValue: "x"), lifecycle: lifecycle),
        ]
        #expect(found == ["plain", "plain", "one", "one", "seven", "seven", "label"])
        #expect(resolutionError { try resolver.resolve(Int.self, named: Second.one) } != nil)
      }
    }
  }

  /// What changes is seen by the next resolution, however the last one was answered.
  @Test(arguments: [First.one, "a", 7, Label(rawValue: "a"), Modulo(number: 3)] as [Name])
  func `finds what it was registered anew for`(name: Name) {
    let resolver = Resolver()
    func answers() -> [Int?] {
      (0..<3).map { _ in try? resolver.resolve(Int.self, named: name) }
    }
    for isOnLayer in [false, true] {
      withLayer(of: resolver) { _ in
      } operation: {
        let registrar: any Registering = isOnLayer ? OverrideLayer.current! : resolver
        #expect(answers() == [nil, nil, nil])
        registrar.register(1, named: name)
        #expect(answers() == [1, 1, 1])
        registrar.register(2, named: name)
        #expect(answers() == [2, 2, 2])
        withLayer(of: resolver) {
          $0.register(3, named: name)
        } operation: {
          #expect(answers() == [3, 3, 3])
        }
        #expect(answers() == [2, 2, 2])
      }
      #expect(answers() == (isOnLayer ? [nil, nil, nil] : [2, 2, 2]))
      resolver.unregister(Key<Int>(named: name))
      #expect(answers() == [nil, nil, nil])
    }
  }

  /// What a name does in `hash(into:)` and `==` may wait for all who look.
  struct Busy: Hashable, Sendable {
    let resolver: Resolver
    let label: String

    static func == (left: Busy, right: Busy) -> Bool {
      left.resolver.register(left.label)
      return left.label == right.label
    }

    func hash(into hasher: inout Hasher) {
      _ = try? resolver.resolve(String.self)
      resolver.register(label)
      hasher.combine(label)
    }
  }

  @Test func `may change the resolver while it is looked for`() throws {
    let resolver = Resolver()
    let (one, two) = (Busy(resolver: resolver, label: "1"), Busy(resolver: resolver, label: "2"))
    try Self.everywhere(resolver) {
      $0.register(1, named: one)
      $0.register(2, named: two)
    } _: {
      for _ in 0..<3 {
        let found = [
          try resolver.resolve(Int.self, named: one), try resolver.resolve(Int.self, named: two),
        ]
        #expect(found == [1, 2])
      }
    }
  }

  @Test func `of few bits is told from others by them alone`() {
    #expect(NameBits(First.one) == NameBits(First.one))
    #expect(NameBits(First.one) != NameBits(First.two))
    #expect(NameBits(First.one) != NameBits(Second.one))
    #expect(NameBits(First.one)?.hash != NameBits(Second.one)?.hash)
    #expect(NameBits(1) != NameBits(1 as Int8))
    #expect(NameBits(Wide(one: 1, two: 1)) == nil)
    #expect(NameBits(Label(rawValue: "")) == nil)
    #expect(NameBits([1]) == nil)
    #expect(NameBits(Resolver()) == nil)
  }
}
