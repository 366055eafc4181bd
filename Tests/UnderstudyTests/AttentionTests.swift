// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// In processes of their own: in that of all tests some layer is always alive, and some value completed later, so a
/// resolution there looks closer whether it is told to or not.
@Suite struct `A resolution where no layer is alive` {
  struct Leaf: Sendable { let number: Int }
  struct Holder: Sendable { let partner: Partner }

  @Test func `is known to be part of what is being made, though it goes the short way`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register { Leaf(number: 1) }
      resolver.register(named: "kept", lifecycle: .cached) { r in
        [try r.resolve(Leaf.self).number]
      }
      let before = try resolver.resolve([Int].self, named: "kept")
      let under = try withOverrides(of: resolver) {
        $0.register { Leaf(number: 2) }
      } operation: {
        try resolver.resolve([Int].self, named: "kept")
      }
      try #require(before == [1] && under == [2])
    }
  }

  @Test
  func `is one where nothing wants attention, also after a layer, and after something was kept`()
    async
  {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) { Leaf(number: 1) }
      try #require(!Attention.isWanted)
      try withOverrides(of: resolver) {
        $0.register { Leaf(number: 2) }
      } operation: {
        try #require(Attention.isWanted && Attention.areLayersAlive && !Attention.isWantedByAll)
        _ = try resolver.resolve(Leaf.self)
      }
      _ = try resolver.resolve(Leaf.self)
      try #require(!Attention.isWanted && !Attention.areLayersAlive && !Attention.isWantedByAll)
    }
  }

  @Test func `is none for anybody while something is made that is to be kept`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) {
        [Attention.isWanted, Attention.areLayersAlive, Attention.isWantedByAll]
      }
      try #require(try resolver.resolve([Bool].self) == [true, false, true])
      try #require(!Attention.isWanted)
      let under = try withOverrides(of: resolver) {
        $0.register(lifecycle: .cached) {
          [Attention.isWanted, Attention.areLayersAlive, Attention.isWantedByAll]
        }
      } operation: {
        let made = try resolver.resolve([Bool].self)
        return [made, [Attention.areLayersAlive, Attention.isWantedByAll]]
      }
      try #require(under == [[true, true, true], [true, false]])
    }
  }

  @Test func `completes what is completed later when the outermost has been made`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register { r in Holder(partner: try r.resolve(named: "late")) }
      resolver.register(named: "late", lifecycle: .cached) {
        Partner("late")
      } then: { partner, r in
        partner.other = try r.resolve(Holder.self).partner
      }
      let partner = try resolver.resolve(Holder.self).partner
      try #require(partner.other === partner)
    }
  }
}
