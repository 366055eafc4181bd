// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyCompatibility
@testable import Understudy

private let isFirstCoin = FirstTime()

extension Dependencies {
  /// Resets the instances while the first one is being created.
  fileprivate static let coin = Dependency<Coin>(lifecycle: .cached) {
    if isFirstCoin() { Resolver.current.reset(.instances) }
    return Coin(1)
  }
}

/// When instances and registrations are released.
@Suite struct `An instance without a key` {
  @Test func `a .once request for a cached instance releases it`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    let made = Witness(try resolver.resolve(Coin.self, lifecycle: .once))
    #expect(made.isGone)
  }

  @Test func `a .once request under a boundary leaves the instances below it`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Coin(1) }
    } operation: {
      let kept = try resolver.resolve(Coin.self)
      try withLayer(of: resolver, isBoundary: true) { _ in
      } operation: {
        try #expect(resolver.resolve(Coin.self, lifecycle: .once) !== kept)
        try #expect(resolver.resolve(Coin?.self) == nil)
      }
      try #expect(resolver.resolve(Coin.self) === kept)
    }
  }

  @Test func `registering again releases an instance that the old registration is creating`() throws
  {
    let resolver = Resolver()
    let (isRunning, isReplaced) = (Gate("running"), Gate("replaced"))
    resolver.register(lifecycle: .cached) { () throws -> Coin in
      isRunning.open()
      try isReplaced.pass()
      return Coin(1)
    }
    let made = Box<Coin?>(nil)
    try Threads.run {
      made.value = try resolver.resolve()
    } _: {
      try isRunning.pass()
      resolver.register(lifecycle: .cached) { Coin(2) }
      isReplaced.open()
    }
    let old = Witness(try #require(made.value))
    made.value = nil
    #expect(old.isGone)
    try #expect(resolver.resolve(Coin.self).id == 2)
  }

  @Test func `resetting the instances releases a declared one that is being created`() {
    let resolver = Resolver()
    let first = resolver.resolve(\.coin)
    let second = resolver.resolve(\.coin)
    #expect(first !== second)
    #expect(resolver.resolve(\.coin) === second)
  }

  @Test func `a one-time override whose block fails after the layer's end is released`() throws {
    let resolver = Resolver()
    let (isRunning, isEnded) = (Gate("running"), Gate("ended"))
    let group = DispatchGroup()
    let registration = try withLayer(.check(.unfinishedWork, .off), of: resolver) {
      $0.register(lifecycle: .once) { () throws -> Coin in
        isRunning.open()
        try isEnded.pass()
        throw Mishap()
      }
    } operation: {
      let context = OverrideContext.current
      let layer = try #require(OverrideLayer.current)
      let registration = Witness(try #require(layer.store.all.first))
      group.enter()
      Thread.detachNewThread {
        _ = context.run { try? resolver.resolve(Coin.self) }
        // The context, and with it the layer, is still retained here.
        withExtendedLifetime(context) { group.leave() }
      }
      try isRunning.pass()
      return registration
    }
    isEnded.open()
    #expect(group.wait(timeout: .now() + 300) == .success)
    try Threads.spin(until: { registration.isGone }, "the registration's release")
  }
  /// A server may make a child resolver for each request, and never change the parent.
  @Test func `a child resolver leaves nothing in the tables of its parent`() throws {
    let parent = Resolver()
    parent.register(lifecycle: .cached) { Coin(1) }
    _ = try parent.resolve(Coin.self)
    // They take the addresses of the released locks, so each child's lock has a new one.
    var others: [LevelLock] = []
    for _ in 0..<1_000 {
      for _ in 0..<2 { _ = try Resolver(parent: parent).resolve(Coin.self) }
      others.append(LevelLock())
    }
    #expect(parent.store.lock.counts.dependents < 20)
    withExtendedLifetime(others) {}
  }
}
