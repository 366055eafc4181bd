// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// Rule L1 under a boundary, whose claims hold for those above it alone.
@Suite struct `The claims of a boundary` {
  let claims = ClaimsBelow()

  @Test func `are each made once, until they are taken back`() {
    let registration = makeRegistration()
    #expect(!claims.contains(registration))
    #expect(claims.insert(registration))
    #expect(claims.contains(registration))
    #expect(!claims.insert(registration))
    claims.remove(registration)
    #expect(!claims.contains(registration))
    #expect(claims.insert(registration))
    claims.removeAll()
    #expect(!claims.contains(registration))
  }

  @Test func `keep no registration alive`() {
    weak var registration: AnyRegistration?
    do {
      let claimed = makeRegistration()
      registration = claimed
      #expect(claims.insert(claimed))
    }
    #expect(registration == nil)
  }

  /// Registrations that come and go are at the same few addresses.
  @Test func `are bounded by what is alive, and hide nothing at an address that is used again`() {
    let kept = (0..<10).map { _ in makeRegistration() }
    for registration in kept { #expect(claims.insert(registration)) }
    let fresh = (0..<10_000).filter { _ in claims.insert(makeRegistration()) }
    #expect(fresh.count == 10_000)
    #expect(claims.count <= 65)
    #expect(kept.allSatisfy(claims.contains))
  }

  @Test func `are bounded too while all are alive and then gone`() {
    var alive = (0..<1000).map { _ in makeRegistration() }
    for registration in alive { #expect(claims.insert(registration)) }
    #expect(alive.allSatisfy(claims.contains))
    #expect(claims.count == 1000)
    alive = []
    var kept: [AnyRegistration] = []
    for _ in 0..<1200 {
      let registration = makeRegistration()
      kept.append(registration)
      #expect(claims.insert(registration))
    }
    #expect(claims.count == 1200)
  }

  @Test func `are made by one of many threads`() throws {
    let shared = (0..<200).map { _ in makeRegistration() }
    let outcomes = try Threads.run(8) { _ in
      shared.filter { registration in
        _ = claims.insert(makeRegistration())
        return claims.insert(registration)
      }.count
    }
    #expect(try outcomes.map { try $0.get() }.reduce(0, +) == shared.count)
  }

  private func makeRegistration() -> AnyRegistration {
    let resolver = Resolver()
    resolver.register(1)
    return resolver.store.all[0]
  }
}
