// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing
import UnderstudyTesting
import XCTest

protocol Mailer: Sendable { func send(_ text: String) throws }
protocol Store: AnyObject, Sendable {}
protocol Servicing: Sendable { var tries: Int { get } }
protocol Payments: Sendable {}
enum Name: Hashable, Sendable { case real, fake }
enum Group: Hashable, Sendable { case plugins }
enum Signup: Scope {}
enum Sandbox: Qualifier {}

struct SMTPMailer: Mailer { func send(_ text: String) throws {} }
struct FakeMailer: Mailer { func send(_ text: String) throws {} }
struct LoudMailer: Mailer {
  let underlying: any Mailer
  init(_ underlying: any Mailer) { self.underlying = underlying }
  func send(_ text: String) throws { try underlying.send(text.uppercased()) }
}
final class Database: Store {}
final class MemoryStore: Store {}
final class FakeStore: Store {}
final class User: Sendable {}
struct Service: Servicing {
  let tries: Int
  init(tries: Int) { self.tries = tries }
  init(mailer: any Mailer, tries: Int) { self.tries = tries }
}
struct Api: Sendable {
  init(mailer: any Mailer, level: Int) {}
  init(mailer: any Mailer, store: any Store) {}
}

extension Dependencies {
  static let mailer = Dependency<any Mailer> { SMTPMailer() }
  static let store = Dependency<any Store>(lifecycle: .cached) { Database() }
}

final class Checkout {
  @Inject(\.mailer) var mailer
  @Inject var store: any Store
  @Inject(named: Name.real) var named: any Mailer
  @LazyInject(\.store) var lazy
  @WeakInject(Signup.self) var user: User?

  func confirm() throws {
    try mailer.send("confirmed")
    _ = lazy
  }
}

/// Each spelling that the package promises, exactly as written.
@Suite struct `The contract` {
  @Test func `every form of registering compiles and registers its return type`() throws {
    let resolver = Resolver()
    let controller = User()
    let keys: [AnyKey] = [
      AnyKey(resolver.register { SMTPMailer() as any Mailer }),
      AnyKey(
        resolver.register(
          (any Mailer).self, named: Name.real, in: Group.plugins,
          lifecycle: .cached, metadata: 3
        ) { SMTPMailer() }),
      AnyKey(resolver.register(factory: SMTPMailer() as any Mailer)),
      AnyKey(resolver.register(instance: Database() as any Store)),
      AnyKey(resolver.register(weak: controller)),
      AnyKey(resolver.register(42, named: "level", lifecycle: .once)),
      AnyKey(resolver.register { (tries: Int) in Service(tries: tries) as any Servicing }),
      AnyKey(
        resolver.register { r in Api(mailer: try r.resolve(), level: try r.resolve(named: "level"))
        }
      ),
      AnyKey(
        resolver.register { (r, tries: Int) in Service(mailer: try r.resolve(), tries: tries) }),
      AnyKey(resolver.register(autowiring: Api.init(mailer:store:))),
      AnyKey(resolver.register(scopedTo: Signup.self) { User() }),
      AnyKey(resolver.register(qualifiedBy: Sandbox.self) { FakeStore() as any Store }),
    ]
    let expected: [any Any.Type] = [
      (any Mailer).self, (any Mailer).self, (any Mailer).self, (any Store).self, User.self,
      Int.self, (any Servicing).self, Api.self, Service.self, Api.self, User.self,
      (any Store).self,
    ]
    #expect(keys.map { ObjectIdentifier($0.type) } == expected.map { ObjectIdentifier($0) })
  }

  @Test func `every form of resolving compiles and resolves`() async throws {
    let resolver = Resolver()
    let key = resolver.register { SMTPMailer() as any Mailer }
    resolver.register((any Mailer).self, named: Name.real, in: Group.plugins) { FakeMailer() }
    resolver.register { (tries: Int) in Service(tries: tries) as any Servicing }

    let mailer: any Mailer = try resolver.resolve()
    #expect(mailer is SMTPMailer)
    let named = try resolver.resolve(
      (any Mailer).self, named: Name.real, in: Group.plugins, lifecycle: .notCached)
    #expect(named is FakeMailer)
    #expect(try resolver.resolve((any Servicing).self, with: 7).tries == 7)
    #expect(try resolver.resolve((any Store)?.self) == nil)
    #expect(try resolver.resolve((any Mailer)?.self) != nil)
    #expect(try resolver.resolve([any Mailer].self).count == 2)
    #expect(resolver.contains(key))
    #expect(resolver.unregister(key))
    #expect(!resolver.contains(key))
    #expect(resolver.unregister(in: Group.plugins) == 1)
    #expect(resolver.resolve(\.mailer) is SMTPMailer)
  }

  @Test func `overrides answer until their layer ends`() async throws {
    let resolver = Resolver()
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register { 1 }
    try withOverrides(of: resolver) {
      $0.register { FakeMailer() as any Mailer }
      $0.override(\.store) { MemoryStore() }
      $0.decorate((any Mailer).self) { underlying in LoudMailer(underlying) }
    } operation: {
      let loud = try #require(resolver.resolve((any Mailer).self) as? LoudMailer)
      #expect(loud.underlying is FakeMailer)
      #expect(resolver.resolve(\.store) is MemoryStore)
      #expect(OverrideLayer.current?.log.count(of: (any Mailer).self) == 1)
    }
    #expect(try resolver.resolve((any Mailer).self) is SMTPMailer)
    #expect(resolver.resolve(\.store) is Database)
    try await withOverrides(of: resolver) {
      $0.register { 3 }
    } operation: {
      await Task.yield()
      #expect(try resolver.resolve(Int.self) == 3)
      let context = OverrideContext.current
      let carried: Int = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          context.run { continuation.resume(with: Result { try resolver.resolve(Int.self) }) }
        }
      }
      #expect(carried == 3)
    }
    #expect(try resolver.resolve(Int.self) == 1)
  }
}

let contractResolver: Resolver = {
  let resolver = Resolver(named: "contract")
  resolver.register(lifecycle: .cached) { Database() as any Store }
  resolver.register((any Mailer).self, named: Name.real) { SMTPMailer() }
  return resolver
}()

@Suite(.overrides(of: contractResolver) { $0.register { FakeMailer() as any Mailer } })
struct `Traits of the contract` {
  @Test(.overrides(of: contractResolver) { $0.override(\.store) { MemoryStore() } })
  func `a confirmed order is mailed once`() throws {
    try withResolver(contractResolver) { try Checkout().confirm() }
    assertResolved((any Mailer).self, count: 1)
    assertResolved(\.store, count: 1...2)
    assertNeverResolved((any Payments).self)
    assertCreated((any Mailer).self, count: 1)
  }
}

private let storesOfCases = Box<[any Store]>([])

@Suite(.serialized) struct `One value of the contract` {
  @Test(.override(\.store, with: MemoryStore()), arguments: 1...2)
  func `each case has its own, and all its requests share it`(number: Int) throws {
    let store = Resolver.main.resolve(\.store)
    #expect(store is MemoryStore)
    #expect(store as AnyObject === Resolver.main.resolve(\.store) as AnyObject)
    #expect(storesOfCases.value.allSatisfy { $0 as AnyObject !== store as AnyObject })
    storesOfCases.update { $0.append(store) }
    assertCreated(\.store, count: 1)
  }

  @Test func `a layer takes one value, which is created at the first request`() {
    let resolver = Resolver()
    let count = CallCounter()
    @Sendable func store() -> any Store {
      _ = count.next()
      return MemoryStore()
    }
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.override(\.store, with: store())
    } operation: {
      #expect(count.value == 0)
      let first = resolver.resolve(\.store)
      #expect(first as AnyObject === resolver.resolve(\.store) as AnyObject)
      #expect(count.value == 1)
    }
  }
}

final class ContractCase: OverridesTestCase {
  override var overriddenResolver: Resolver { contractResolver }
  override func overrides(_ layer: OverrideLayer) throws {
    layer.register { FakeMailer() as any Mailer }
  }

  func testMailsOnce() throws {
    overrides.register { MemoryStore() as any Store }
    try withResolver(contractResolver) { try Checkout().confirm() }
    assertResolved((any Mailer).self, count: 1)
  }
}
