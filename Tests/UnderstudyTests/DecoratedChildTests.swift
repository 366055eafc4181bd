// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles
import UnderstudyTesting

@testable import Understudy

/// Rule O7 of `Docs/Guarantees.md`, for instances that are being created.
@Suite struct `A decorator of a resolver whose child has a registration of its own` {
  private let parent = Resolver()
  private let child: Resolver

  init() {
    child = Resolver(parent: parent)
    child.register(lifecycle: .cached) { Coin(2) }
  }

  private static func decorate(_ layer: OverrideLayer) {
    layer.decorate(Coin.self) { Coin($0.id + 100) }
  }

  @Test func `gives the child its own value while the parent's is created by a task`()
    async throws
  {
    let gate = UnderstudyDoubles.Gate()
    parent.register(lifecycle: .cached) { () async throws -> Coin in
      try await gate.wait()
      return Coin(1)
    }
    let (parent, child) = (parent, child)
    try await withOverrides(of: parent) {
      Self.decorate($0)
    } operation: {
      async let other = parent.resolveAsync(Coin.self)
      await gate.waiters(reach: 1)
      let own: Coin = try child.resolve()
      #expect(own.id == 102)
      try #expect(await child.resolveAsync(Coin.self) === own)
      gate.open()
      try #expect(await other.id == 101)
      try #expect(child.resolve(Coin.self) === own)
    }
  }

  @Test func `gives the child its own value while the parent's is created by a thread`() throws {
    let (hasBegun, gate) = (Gate("the parent's block"), Gate("the end of the parent's block"))
    parent.register(lifecycle: .cached) {
      hasBegun.open()
      try gate.pass()
      return Coin(1)
    }
    let (parent, child) = (parent, child)
    try withOverrides(of: parent) {
      Self.decorate($0)
    } operation: {
      let context = OverrideContext.current
      let numbers = try Threads.run(2) { thread in
        try context.run {
          if thread == 0 { return try parent.resolve(Coin.self).id }
          try hasBegun.pass()
          defer { gate.open() }
          return try child.resolve(Coin.self).id
        }
      }
      try #expect(numbers.map { try $0.get() } == [101, 102])
    }
  }

  @Test func `makes no cycle of a block that asks such a child`() throws {
    parent.register(lifecycle: .cached) { (parent: Resolver) in
      let child = Resolver(parent: parent)
      child.register(lifecycle: .cached) { Coin(20) }
      return Coin(try child.resolve(Coin.self).id + 1)
    }
    let parent = parent
    try withOverrides(of: parent) {
      Self.decorate($0)
    } operation: {
      try #expect(parent.resolve(Coin.self).id == 221)
      try #expect(parent.resolve(Coin.self) === parent.resolve(Coin.self))
    }
    try #expect(parent.resolve(Coin.self).id == 21)
  }

  @Test func `still finds the cycle of a block that asks a child without one`() {
    parent.register(lifecycle: .cached) { (parent: Resolver) in
      Coin(try Resolver(parent: parent).resolve(Coin.self).id)
    }
    let parent = parent
    withOverrides(of: parent) {
      Self.decorate($0)
    } operation: {
      let error = resolutionError { try parent.resolve(Coin.self) }
      #expect(error?.message.headline == "Creating 'Coin' needs 'Coin' itself.")
    }
  }

  @Test func `decorates the new value while the old one is created`() async throws {
    let gate = UnderstudyDoubles.Gate()
    let parent = parent
    parent.register(lifecycle: .cached) { () async throws -> Coin in
      try await gate.wait()
      return Coin(1)
    }
    try await withOverrides(of: parent) {
      Self.decorate($0)
    } operation: {
      async let old = parent.resolveAsync(Coin.self)
      await gate.waiters(reach: 1)
      parent.register(lifecycle: .cached) { Coin(3) }
      try #expect(await parent.resolveAsync(Coin.self).id == 103)
      try #expect(parent.resolve(Coin.self).id == 103)
      gate.open()
      try #expect(await old.id == 101)
      try #expect(parent.resolve(Coin.self).id == 103)
      try #expect(parent.resolve(Coin.self) === parent.resolve(Coin.self))
    }
  }
}
