// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

/// An object whose `deinit` makes a request.
private final class Journal: Sendable {
  private let resolver: Resolver
  private let heard: Transcript<String>

  init(_ resolver: Resolver, _ heard: Transcript<String>) {
    (self.resolver, self.heard) = (resolver, heard)
  }

  deinit { heard.say((try? resolver.resolve((any Postman).self).name) ?? "nobody") }
}

/// An object whose `deinit` calls a closure.
private final class Leaving: Sendable {
  private let leave: @Sendable () -> Void

  init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

  deinit { leave() }
}

@Suite struct `A deinit of a layer's instance` {
  private let resolver = Resolver()
  private let heard = Transcript<String>()

  init() {
    let (resolver, heard) = (resolver, heard)
    resolver.register { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached) { Journal(resolver, heard) }
  }

  @Test func `sees the layer in a scope that does not wait`() throws {
    try withOverrides(of: resolver, isBoundary: true) {
      $0.register { PostmanDouble() as any Postman }
    } operation: {
      _ = try resolver.resolve(Journal.self)
    }
    #expect(heard.all == ["double"])
  }

  @Test func `sees the layer in a scope that waits`() async throws {
    try await withOverrides(of: resolver, isBoundary: true) {
      $0.register { PostmanDouble() as any Postman }
    } operation: {
      await Task.yield()
      _ = try resolver.resolve(Journal.self)
    }
    #expect(heard.all == ["double"])
  }

  @Test func `sees the owner, not the layer of the request`() throws {
    try withOverrides(of: resolver, isBoundary: true) {
      $0.register { PostmanDouble() as any Postman }
    } operation: {
      try withOverrides(of: resolver) {
        $0.register { 1 }
      } operation: {
        _ = try (resolver.resolve(Journal.self), resolver.resolve(Int.self))
      }
      #expect(heard.all == [])
    }
    #expect(heard.all == ["double"])
  }

  @Test func `counts as a use of an override under a strict layer`() throws {
    try withOverrides(.strict, of: resolver, isBoundary: true, allowing: Journal.self) {
      $0.register { PostmanDouble() as any Postman }
    } operation: {
      _ = try resolver.resolve(Journal.self)
    }
    #expect(heard.all == ["double"])
  }

  @Test func `calls doubles before they are finished`() throws {
    let resolver = resolver
    try withOverrides(of: resolver) {
      $0.register(lifecycle: .cached) {
        Leaving { (try? resolver.resolve(Spy<Void, Void, Never>.self))?() }
      }
    } operation: {
      let flushes = Spy<Void, Void, Never>("flush()")
      flushes.expects(.once)
      try #require(OverrideLayer.current).register(flushes)
      _ = try resolver.resolve(Leaving.self)
    }
  }

  @Test func `finds older instances, and does not create them again`() throws {
    let resolver = resolver
    let asked = Lock<[ObjectIdentifier]>([])
    try withOverrides(of: resolver) { layer in
      layer.register(lifecycle: .cached) { Bystander() }
      layer.register(lifecycle: .cached) {
        Leaving {
          let found = try? resolver.resolve(Bystander.self)
          asked.withLock { $0 += [found].compactMap { $0.map { ObjectIdentifier($0) } } }
        }
      }
    } operation: {
      let first = try ObjectIdentifier(resolver.resolve(Bystander.self))
      asked.withLock { $0.append(first) }
      _ = try resolver.resolve(Leaving.self)
    }
    let found = asked.withLock { $0 }
    #expect(found.count == 2 && found.first == found.last)
  }

  @Test func `has its created values disposed of, and reported if they survive`() async throws {
    let (resolver, heard) = (resolver, heard)
    let survivor = Lock<Bystander?>(nil)
    try await expect(issues: [
      .error(
        """
        An instance of 'Bystander' that this layer made is alive after the layer's end.
          Layer   'survivors'
          Pushed  \(#fileID):131
        To fix, do one of these:
          • Let go of it before the test ends.
          • Make it outside the layer, and register the object:  register(object)
        """, line: 131)
    ]) {
      try withOverrides(.reportsSurvivors, of: resolver, named: "survivors", line: 131) { layer in
        let key = layer.register(lifecycle: .cached) { Bystander() }
        layer.onDispose(of: key) { _ in heard.say("disposed") }
        layer.register(lifecycle: .cached) {
          Leaving {
            let made = try? resolver.resolve(Bystander.self)
            survivor.withLock { $0 = made }
          }
        }
      } operation: {
        _ = try resolver.resolve(Leaving.self)
      }
    }
    #expect(heard.all == ["disposed"])
    withExtendedLifetime(survivor) {}
  }

  @Test func `ends, even if each object creates another one`() throws {
    let (resolver, heard) = (resolver, heard)
    try withOverrides(of: resolver) {
      $0.register(lifecycle: .cached) {
        Leaving {
          heard.say("gone")
          _ = try? resolver.resolve(Leaving.self)
        }
      }
    } operation: {
      _ = try resolver.resolve(Leaving.self)
    }
    #expect(heard.all.count == 1_001)
  }

  @Test func `may create cached instances, which are released in turn`() throws {
    final class Link: Sendable {
      let number: Int
      let leave: @Sendable (Int) -> Void
      init(_ number: Int, _ leave: @escaping @Sendable (Int) -> Void) {
        (self.number, self.leave) = (number, leave)
      }
      deinit { leave(number) }
    }
    let (resolver, heard) = (resolver, heard)
    try withOverrides(of: resolver) { layer in
      for number in 1...4 {
        layer.register(named: number, lifecycle: .cached) {
          Link(number) {
            heard.say("\($0)")
            _ = try? resolver.resolve(Link.self, named: number + 1)
          }
        }
      }
    } operation: {
      _ = try resolver.resolve(Link.self, named: 1)
    }
    #expect(heard.all == ["1", "2", "3", "4"])
  }
}

/// A name whose `deinit` makes a request.
private final class Pen: Hashable, Sendable {
  private let resolver: Resolver
  private let heard: Transcript<String>

  init(_ resolver: Resolver, _ heard: Transcript<String>) {
    (self.resolver, self.heard) = (resolver, heard)
  }

  deinit { heard.say((try? resolver.resolve((any Postman).self).name) ?? "nobody") }

  static func == (left: Pen, right: Pen) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Suite struct `A deinit of a name` {
  /// The last sixteen values that were used up are kept for messages.
  @Test(arguments: [false, true])
  func `may make a request`(isOfLayer: Bool) throws {
    let outcome = try Threads.run(1) { _ in
      let (resolver, heard) = (Resolver(), Transcript<String>())
      resolver.register { RealPostman() as any Postman }
      func useUp(on registrar: some Registering) throws {
        let pen = Pen(resolver, heard)
        registrar.register(1, named: pen, lifecycle: .once)
        try #expect(resolver.resolve(Int.self, named: pen) == 1)
      }
      guard isOfLayer else {
        for _ in 1...20 { try useUp(on: resolver) }
        return heard.all
      }
      try withOverrides(of: resolver) { _ in
      } operation: {
        for _ in 1...20 { try useUp(on: #require(OverrideLayer.current)) }
      }
      return heard.all
    }
    try #expect(outcome[0].get() == Array(repeating: "production", count: isOfLayer ? 20 : 4))
  }
}

@Suite struct `A deinit of a value that was not completed` {
  private struct Unfinished: Error {}

  /// The creation has the last reference when it ends.
  @Test(arguments: [false, true])
  func `may make a request`(isReplaced: Bool) throws {
    let outcome = try Threads.run(1) { _ in
      let (resolver, heard) = (Resolver(), Transcript<String>())
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { resolver in
        Journal(resolver, heard)
      } then: { journal, resolver in
        guard isReplaced else { throw Unfinished() }
        journal = Journal(resolver, Transcript())
      }
      _ = try? resolver.resolve(Journal.self)
      return heard.all
    }
    try #expect(outcome[0].get() == ["production"])
  }
}
