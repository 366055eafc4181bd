// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

/// Rules O3 and O6 of `Docs/Guarantees.md`, for types that can be resolved without a registration.
@Suite struct `Cached instances made of optionals and arrays` {
  private final class Office: Sendable {
    let staff: [String]
    let boss: String
    let guests: Int?

    init(_ staff: [any Postman], _ boss: (any Postman)?, _ guests: [Coin]?) {
      self.staff = staff.map(\.name)
      self.boss = boss?.name ?? "none"
      self.guests = guests?.count
    }

    var text: String { "\(staff) \(boss) \(guests ?? -1)" }
  }

  private func resolver(isAwaited: Bool) -> Resolver {
    let resolver = Resolver()
    resolver.register((any Postman).self, named: "first") { RealPostman() }
    if isAwaited {
      resolver.register(lifecycle: .cached) { r async throws in
        try await Office(r.resolveAsync(), r.resolveAsync(), r.resolveAsync())
      }
    } else {
      resolver.register(lifecycle: .cached) { r in
        try Office(r.resolve(), r.resolve(), r.resolve())
      }
    }
    return resolver
  }

  @Test(arguments: [false, true])
  func `are created again if a layer overrides one of those types itself`(
    isAwaited: Bool
  ) async throws {
    let resolver = resolver(isAwaited: isAwaited)
    let warm = try await resolver.resolveAsync(Office.self)
    #expect(warm.text == #"["production"] none 0"#)
    func check(
      _ expected: String, _ configure: (OverrideLayer) -> Void
    ) async throws {
      try await withLayer(of: resolver, configure) {
        let inside = try await resolver.resolveAsync(Office.self)
        #expect(inside.text == expected)
        try await #expect(resolver.resolveAsync(Office.self) === inside)
      }
      try await #expect(resolver.resolveAsync(Office.self) === warm)
    }
    try await check(#"["double"] none 0"#) {
      $0.register { [PostmanDouble()] as [any Postman] }
    }
    try await check(#"["production", "double"] none 0"#) {
      $0.decorate([any Postman].self) { $0 + [PostmanDouble()] }
    }
    try await check(#"["production"] double 0"#) {
      $0.register { PostmanDouble() as (any Postman)? }
    }
    try await check(#"["production"] none -1"#) {
      $0.register { nil as [Coin]? }
    }
    try await check(#"["production"] none 1"#) {
      $0.register { [Coin(1)] }
    }
  }

  @Test func `stay valid if a layer overrides another name of those types`() async throws {
    let resolver = resolver(isAwaited: false)
    let warm = try resolver.resolve(Office.self)
    try withLayer(of: resolver) {
      $0.register(named: "other") { [PostmanDouble()] as [any Postman] }
      $0.register(named: "other") { PostmanDouble() as (any Postman)? }
    } operation: {
      try #expect(resolver.resolve(Office.self) === warm)
    }
  }

  /// The decorated value was resolved below the layer, so the layer's own answers do not affect it.
  @Test func `stay valid if a layer decorates those types and overrides their elements`()
    throws
  {
    let resolver = resolver(isAwaited: false)
    try withLayer(of: resolver) {
      $0.decorate([any Postman].self) { $0 + [PostmanDouble()] }
      $0.decorate((any Postman)?.self) { $0 ?? PostmanDouble() }
      $0.register((any Postman).self) { PostOffice() }
    } operation: {
      let inside = try resolver.resolve(Office.self)
      #expect(inside.text == #"["production", "double"] double 0"#)
      try withLayer(of: resolver) { _ in
      } operation: {
        try #expect(resolver.resolve(Office.self) === inside)
      }
    }
  }

  /// A decorator without an underlying registration answers nothing. With one, it answers.
  @Test
  func `are created again if the registration below a decorator is added later`()
    throws
  {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in Coin(try r.resolve(Int?.self) ?? 0) }
    try withLayer(of: resolver) { _ in
    } operation: {
      let below = try #require(OverrideLayer.current)
      try withLayer(of: resolver) {
        $0.decorate(Int.self) { $0 + 100 }
      } operation: {
        let without: Coin = try resolver.resolve()
        #expect(without.id == 0)
        try #expect(resolver.resolve(Coin.self) === without)
        below.register(5)
        try #expect(resolver.resolve(Coin.self).id == 105)
      }
    }
  }
}
