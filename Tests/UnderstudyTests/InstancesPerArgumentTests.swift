// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility
import UnderstudyTesting

/// `register(lifecycle: .cached, per:)`.
struct InstancesPerArgumentTests {
  struct Order: Sendable {
    var number: Int
    var note = ""
  }

  final class Hall: Sendable {
    let number: Int
    let price: Int

    init(_ number: Int, price: Int = 0) {
      self.number = number
      self.price = price
    }
  }

  let resolver = Resolver()

  init() {
    resolver.register(10, named: "price")
    resolver.register(lifecycle: .cached, per: { $0.number }) { (r, order: Order) in
      Hall(order.number, price: try r.resolve(named: "price"))
    }
  }

  func hall(_ number: Int, note: String = "") throws -> Hall {
    try resolver.resolve(Hall.self, with: Order(number: number, note: note))
  }

  /// An identity may be the text of a user's request.
  @Test(arguments: [Lifecycle.notCached, .cached, .once])
  func `of requests that have none leave nothing`(lifecycle: Lifecycle) async throws {
    final class Identity: Hashable, Sendable {
      let number: Int
      private let living: Lock<Int>

      init(_ number: Int, _ living: Lock<Int>) {
        (self.number, self.living) = (number, living)
        living.withLock { $0 += 1 }
      }

      deinit { living.withLock { $0 -= 1 } }

      static func == (left: Identity, right: Identity) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let living = Lock(0)
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle, per: { Identity($0, living) }) { (number: Int) in
      if lifecycle != .notCached, number != 1 { throw CancellationError() }
      return Hall(number)
    }
    for number in 1...1_000 {
      _ = try? resolver.resolve(Hall.self, with: number)
      _ = try? await resolver.resolveAsync(Hall.self, with: -number)
    }
    #expect(living.withLock { $0 } < 50)
    if lifecycle != .notCached {
      for number in 2...1_000 { _ = try? resolver.resolve(Hall.self, with: number) }
      let first = try? resolver.resolve(Hall.self, with: 1)
      #expect((first != nil) == (lifecycle == .cached))
    }
  }

  /// Each of the two is created by a block of its own.
  @Test func `of a child may be made of its parent's of the same argument`() throws {
    let parent = Resolver()
    let child = Resolver(parent: parent)
    let key = parent.register(lifecycle: .cached, per: { $0 }) { (number: Int) in "\(number)" }
    child.register(lifecycle: .cached, per: { $0 }) { (number: Int) in
      try parent.resolve(key, with: number) + "!"
    }
    try #expect(child.resolve(String.self, with: 1) == "1!")
  }

  @Test func `of a registration that is added again are new`() throws {
    let key = Key<Hall>().erased
    let first = try hall(1)
    resolver.add(try #require(resolver.registration(for: key)))
    let second = try hall(1)
    #expect(second !== first)
    try #expect(hall(1) === second)

    let child = Resolver(parent: resolver)
    child.add(try #require(resolver.registration(for: key)))
    try #expect(child.resolve(Hall.self, with: Order(number: 1)) !== second)
    try #expect(hall(1) === second)
  }

  @Test(arguments: [true, false])
  func `that were used up can be handed out again if their registration is added again`(
    isInLayer: Bool
  ) throws {
    let key = resolver.register(named: "once", lifecycle: .once, per: { $0 }) { (number: Int) in
      Hall(number)
    }
    func hall() throws -> Hall? { try resolver.resolve(Hall?.self, with: 1, named: "once") }
    func check() throws {
      try #expect(hall() != nil)
      try #expect(hall() == nil)
      resolver.add(try #require(resolver.registration(for: key.erased)))
      try #expect(hall() != nil)
      try #expect(hall() == nil)
    }
    if isInLayer {
      try withOverrides(of: resolver) { _ in
      } operation: {
        try check()
      }
    } else {
      try check()
    }
  }

  @Test func `Equal identities share an instance, and others do not`() throws {
    let first = try hall(1)
    #expect(first.number == 1)
    #expect(first.price == 10)
    try #expect(hall(1, note: "again") === first)
    try #expect(hall(2) !== first)
  }

  @Test func `A block without a resolver is inferred by its argument`() throws {
    resolver.register(named: "plain", lifecycle: .cached, per: { $0.number }) { (order: Order) in
      Hall(order.number)
    }
    let first = try resolver.resolve(Hall.self, with: Order(number: 1), named: "plain")
    try #expect(resolver.resolve(Hall.self, with: Order(number: 1), named: "plain") === first)
    try #expect(hall(1) !== first)
  }

  @Test func `An asynchronous request has the same instance`() async throws {
    let first = try await resolver.resolveAsync(Hall.self, with: Order(number: 1))
    try #expect(hall(1) === first)
  }

  @Test func `Each instance is created once under contention`() async throws {
    let halls = try await withThrowingTaskGroup(of: (Int, ObjectIdentifier).self) { group in
      for index in 0..<200 {
        group.addTask { try (index % 4, ObjectIdentifier(hall(index % 4))) }
      }
      return try await group.reduce(into: [Int: Set<ObjectIdentifier>]()) {
        $0[$1.0, default: []].insert($1.1)
      }
    }
    #expect(halls.mapValues(\.count) == [0: 1, 1: 1, 2: 1, 3: 1])
  }

  @Test func `A layer remakes the instances that its override changes`() throws {
    let first = try hall(1)
    try withOverrides(of: resolver) {
      $0.register(20, named: "price")
    } operation: {
      let other = try hall(1)
      #expect(other.price == 20)
      try #expect(hall(1) === other)
      try #expect(hall(2).price == 20)
    }
    try #expect(hall(1) === first)
    try #expect(hall(2).price == 10)
  }

  @Test func `A layer that changes nothing shares them`() throws {
    let first = try hall(1)
    try withOverrides(of: resolver) {
      $0.register("none of them")
    } operation: {
      _ = try resolver.resolve(String.self)
      try #expect(hall(1) === first)
    }
  }

  @Test func `An argument of a known identity is not taken for ignored`() throws {
    let first = try hall(1)
    try withOverrides(.check(.ignoredArgument, .error), of: resolver) {
      $0.register("one")
    } operation: {
      _ = try resolver.resolve(String.self)
      try #expect(hall(1, note: "another") === first)
    }
  }

  @Test func `A layer's own instances end with it`() throws {
    let first = try hall(1)
    weak var double: Hall?
    try withOverrides(of: resolver) {
      $0.register(lifecycle: .cached, per: { $0.number }) { (order: Order) in
        Hall(order.number, price: -1)
      }
    } operation: {
      double = try hall(1)
      #expect(double?.price == -1)
      try #expect(hall(1) === double)
      try #expect(hall(2).price == -1)
    }
    #expect(double == nil)
    try #expect(hall(1) === first)
  }

  @Test func `A layer that unregisters its own gives the key back to production`() throws {
    let number = { @Sendable (number: Int) in number }
    let key = resolver.register(lifecycle: .cached, per: number) { "live \($0)" }
    let child = Resolver(parent: resolver)
    child.register(lifecycle: .cached, per: number) { "child \($0)" }
    try withOverrides(.check(.unusedOverride, .off), of: resolver) { _ in
    } operation: {
      let layer = OverrideLayer.required
      layer.register(lifecycle: .cached, per: number) { "double \($0)" }
      try #expect(resolver.resolve(key, with: 1) == "double 1")
      #expect(layer.unregister(key))
      try #expect(resolver.resolve(key, with: 1) == "live 1")
    }
    try #expect(child.resolve(key, with: 2) == "child 2")
    #expect(child.unregister(key))
    try #expect(child.resolve(key, with: 2) == "live 2")
  }

  @Test func `A test has its own`() throws {
    let first = try hall(1)
    try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      let own = try hall(1)
      #expect(own !== first)
      try #expect(hall(1) === own)
    }
    try #expect(hall(1) === first)
  }

  @Test func `Registering anew, unregistering and a reset forget them`() throws {
    weak let first = try hall(1)
    #expect(first != nil)
    resolver.register(lifecycle: .cached, per: { $0.number }) { (order: Order) in
      Hall(order.number, price: 30)
    }
    #expect(first == nil)
    weak let second = try hall(1)
    #expect(second?.price == 30)
    resolver.reset(.instances)
    #expect(second == nil)
    weak let third = try hall(1)
    #expect(third?.price == 30)
    #expect(resolver.reset(.instances, in: nil).instances == 1)
    #expect(third == nil)
    weak let fourth = try hall(1)
    #expect(fourth != nil)
    #expect(resolver.unregister(Key<Hall>()))
    #expect(fourth == nil)
    #expect(throws: ResolutionError.self) { try hall(1) }
  }

  @Test func `A one-time registration answers each identity once`() throws {
    let key = resolver.register(named: "once", lifecycle: .once, per: { $0.number }) {
      (order: Order) throws -> Hall in
      if order.note == "refused" { throw CancellationError() }
      return Hall(order.number)
    }
    func once(_ number: Int, note: String = "", of resolver: Resolver) -> Int? {
      try? resolver.resolve(key, with: Order(number: number, note: note)).number
    }
    let child = Resolver(parent: resolver)
    #expect(once(1, note: "refused", of: resolver) == nil)
    #expect(once(1, of: resolver) == 1)
    #expect(once(1, of: resolver) == nil)
    #expect(once(1, of: child) == nil)
    #expect(once(2, of: child) == 2)
    #expect(once(2, of: resolver) == nil)
    withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      #expect(once(1, of: resolver) == nil)
      #expect(once(3, of: resolver) == 3)
      #expect(once(3, of: resolver) == nil)
    }
    #expect(once(3, of: resolver) == 3)
    #expect(once(3, of: resolver) == nil)
  }

  @Test func `A reset of the instances reaches those of a layer`() throws {
    try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      let first = try hall(1)
      try #expect(hall(1) === first)
      resolver.reset(.instances)
      let second = try hall(1)
      #expect(second !== first)
      try #expect(hall(1) === second)
    }
  }

  @Test func `A resolver is released with its instances`() throws {
    weak var released: Resolver?
    weak var hall: Hall?
    do {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached, per: { $0.number }) { (order: Order) in
        Hall(order.number)
      }
      hall = try resolver.resolve(with: Order(number: 1))
      released = resolver
    }
    #expect(released == nil)
    #expect(hall == nil)
  }

  @Test func `A strict layer that allows the type allows its instances`() throws {
    try withOverrides(.strict, of: resolver, allowing: Hall.self, Int.self) {
      $0.register("one")
    } operation: {
      _ = try resolver.resolve(String.self)
      try #expect(hall(1).number == 1)
    }
  }

  /// Production's caches change no result.
  @Test(arguments: [true, false])
  func `A strict layer refuses an instance within an allowed type, created before or not`(
    isMade: Bool
  ) throws {
    final class Foyer: Sendable {
      let hall: Hall?
      init(_ hall: Hall?) { self.hall = hall }
    }
    resolver.register(lifecycle: .cached) { r in
      Foyer(try? r.resolve(Hall.self, with: Order(number: 1)))
    }
    if isMade { try #expect(resolver.resolve(Foyer.self).hall != nil) }
    try withOverrides(.strict, of: resolver, allowing: Foyer.self) { _ in
    } operation: {
      try withKnownIssue {
        let foyer: Foyer = try resolver.resolve()
        #expect(foyer.hall == nil)
      } matching: { issue in
        issue.comments.contains { $0.rawValue.hasPrefix("'Hall' named 1 fell through") }
      }
    }
  }

  @Test func `A reset of a child resolver leaves those of its parent`() throws {
    let child = Resolver(parent: resolver)
    try withOverrides(of: child, isBoundary: true) { _ in
    } operation: {
      let first = try hall(1)
      child.reset(.instances)
      let ofChild: Hall = try child.resolve(with: Order(number: 1))
      #expect(ofChild === first)
      try #expect(hall(1) === first)
    }
  }

  /// The request named no key that could be meant instead.
  @Test func `A used-up identity is told with a remedy, and without a hint`() throws {
    let key = resolver.register(named: "once", lifecycle: .once, per: { $0.number }) {
      (order: Order) in Hall(order.number)
    }
    _ = try resolver.resolve(key, with: Order(number: 1))
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(key, with: Order(number: 1))
    }
    let text = try #require(error?.description)
    #expect(text.hasSuffix("Ask once for each argument, or choose a lifecycle other than .once."))
  }

  @Test func `A strict layer refuses the key by its own name`() throws {
    try withOverrides(.strict, of: resolver) {
      $0.register("one")
    } operation: {
      _ = try resolver.resolve(String.self)
      withKnownIssue {
        let error = #expect(throws: ResolutionError.self) { try hall(1) }
        #expect(error?.description.hasPrefix("'Hall' named 1 fell through") == true)
      } matching: { issue in
        issue.comments.contains { $0.rawValue.hasPrefix("'Hall' named 1 fell through") }
      }
    }
  }

  @Test func `An array and the filters find one registration`() throws {
    _ = try hall(1)
    _ = try hall(2)
    try #expect(resolver.resolve([Hall].self, with: Order(number: 1)).count == 1)
    #expect(resolver.filter(Hall.self).count == 1)
  }

  @Test func `A wrong argument is an error that names both types`() {
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(Hall.self, with: "one")
    }
    #expect(error?.description.contains("Order") == true)
    #expect(error?.description.contains("String") == true)
  }

  @Test func `A child resolver stores what its registrations contribute to`() throws {
    let first = try hall(1)
    let child = Resolver(parent: resolver)
    child.register(40, named: "price")
    try #expect(child.resolve(Hall.self, with: Order(number: 2)).price == 40)
    try #expect(hall(2).price == 10)
    try #expect(hall(1) === first)
  }
}
