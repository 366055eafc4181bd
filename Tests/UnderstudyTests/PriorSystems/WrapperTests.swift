// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

enum Both: Scope, Qualifier {}

final class EagerOwner {
  @Inject var plain: Prop
  @Inject(Signup.self) private var scoped: Prop
  @Inject(Sandbox.self) var qualified: Prop
  @Inject(Signup.self, Sandbox.self) var both: Prop
  @Inject({ Prop(100) }) var closure: Prop
  @Inject(Prop(200)) var expression: Prop
  @Inject(Key<Prop>(named: "key")) var key: Prop
  @Inject(scopedTo: Both.self) var labelledScope: Prop
  @Inject(qualifiedBy: Both.self) var labelledQualifier: Prop

  var ids: [Int] {
    [plain, scoped, qualified, both, closure, expression, key, labelledScope, labelledQualifier]
      .map(\.id)
  }
}

struct LazyOwner {
  @LazyInject var plain: Prop
  @LazyInject(Signup.self) var scoped: Prop
  @LazyInject(Sandbox.self) var qualified: Prop
  @LazyInject(Signup.self, Sandbox.self) var both: Prop
  @LazyInject({ Prop(100) }) var closure: Prop
  @LazyInject(Prop(200)) var expression: Prop
  @LazyInject(Key<Prop>(named: "key")) var key: Prop

  var ids: [Int] { [plain, scoped, qualified, both, closure, expression, key].map(\.id) }
}

struct WeakOwner {
  @WeakInject var plain: Prop?
  @WeakInject(Signup.self) var scoped: Prop?
  @WeakInject(Sandbox.self) var qualified: Prop?
  @WeakInject(Signup.self, Sandbox.self) var both: Prop?
  @WeakInject({ heldCell }) var closure: Prop?
  @WeakInject(heldCell) var expression: Prop?
  @WeakInject(Key<Prop>(named: "key")) var key: Prop?

  var ids: [Int?] { [plain, scoped, qualified, both, closure, expression, key].map { $0?.id } }
}

let heldCell = Prop(300)

struct AllOwner {
  @InjectAll var all: [Prop]
  @InjectAll(Sandbox.self) var qualified: [Prop]
  @InjectAll(named: "key") var named: [Prop]
  @InjectAll(Key<Prop>.some) var chosen: [Prop]
  @InjectAll var none: [Draft]
}

extension Key<Prop> {
  fileprivate static var some: [Key<Prop>] { [Key(named: "key"), Key(named: "missing"), Key()] }
}

struct DefaultArgument {
  let cell: Prop
  init(cell: Prop = Resolver.injected()) { self.cell = cell }
}

extension Dependencies {
  fileprivate static var prompt: Dependency<String> { Dependency { "Line?" } }
}

@Suite struct Wrappers {
  let resolver = Resolver()
  let counter = CallCounter()

  private func fill(_ lifecycle: Lifecycle = .notCached) {
    let make: @Sendable () -> Prop = { [counter] in Prop(counter.next()) }
    resolver.register(Prop.self, lifecycle: lifecycle, make)
    resolver.register(scopedTo: Signup.self, make)
    resolver.register(qualifiedBy: Sandbox.self, lifecycle: lifecycle, make)
    resolver.register(scopedTo: Signup.self, qualifiedBy: Sandbox.self, make)
    resolver.register(named: "key", lifecycle: lifecycle, make)
    resolver.register(scopedTo: Both.self, make)
    resolver.register(qualifiedBy: Both.self, make)
  }

  @Test func `BL-13 Inject resolves when its owner is created, in each of its forms`() {
    fill()
    withResolver(resolver) {
      let owner = EagerOwner()
      #expect(owner.ids == [1, 2, 3, 4, 100, 200, 5, 6, 7])
      resolver.register { Prop(-1) }
      #expect(owner.plain.id == 1)
    }
  }

  @Test func `BL-14 LazyInject resolves at the first access, in each of its forms`() {
    withResolver(resolver) {
      let owner = LazyOwner()
      fill()
      #expect(counter.value == 0)
      #expect(owner.ids == [1, 2, 3, 4, 100, 200, 5])
      #expect(owner.ids == [1, 2, 3, 4, 100, 200, 5])
    }
  }

  @Test func `BL-15 WeakInject retains nothing, in each of its forms`() throws {
    fill()
    try withResolver(resolver) {
      #expect(WeakOwner().ids == [nil, nil, nil, nil, 300, 300, nil])
      let held: [Prop] = [
        try resolver.resolve(scopedTo: Signup.self),
        try resolver.resolve(scopedTo: Signup.self, qualifiedBy: Sandbox.self),
      ]
      var owner = WeakOwner()
      #expect(owner.ids == [nil, held[0].id, nil, held[1].id, 300, 300, nil])
      owner.plain = held[1]
      #expect(owner.plain === held[1])
    }
    withResolver(.inert) { #expect(WeakOwner().ids == [nil, nil, nil, nil, 300, 300, nil]) }
  }

  @Test func `BL-16 a private property is injected`() {
    fill()
    withResolver(resolver) { #expect(EagerOwner().ids[1] == 2) }
  }

  @Test func `BL-17 a type that is a scope and a qualifier is distinguished by the label`() {
    fill()
    withResolver(resolver) {
      let owner = EagerOwner()
      #expect(owner.labelledScope.id == 6)
      #expect(owner.labelledQualifier.id == 7)
    }
  }

  @Test func `BL-18 a cached registration is created once for each qualifier`() throws {
    fill(.cached)
    for _ in 1...2 {
      #expect(try resolver.resolve(Prop.self).id == 1)
      #expect(try resolver.resolve(Prop.self, qualifiedBy: Sandbox.self).id == 2)
    }
  }

  @Test func `BL-04 a default argument is injected, and replaced by passing one`() {
    fill()
    withResolver(resolver) {
      #expect(DefaultArgument().cell.id == 1)
      #expect(DefaultArgument(cell: Prop(9)).cell.id == 9)
    }
  }

  @Test func `DE-05 InjectAll injects all values, or those of a qualifier, a name, or some keys`() {
    fill(.cached)
    withResolver(resolver) {
      let owner = AllOwner()
      #expect(owner.all.map(\.id) == [1, 2, 3, 4, 5, 6, 7])
      #expect(owner.qualified.map(\.id) == [3, 4])
      #expect(owner.named.map(\.id) == [5])
      #expect(owner.chosen.map(\.id) == [5, 1])
      #expect(owner.none.isEmpty)
    }
  }

  @Test func `DE-05 InjectAll of some keys puts a one-time value back if a later key fails`() throws
  {
    let once = resolver.register(named: "once", lifecycle: .once) { Prop(1) }
    let broken = resolver.register(named: "broken") { () throws -> Prop in throw Strike() }
    withResolver(resolver) {
      let all = InjectAll([once, broken])
      #expect(throws: ResolutionError.self) { try all.get() }
    }
    try #expect(resolver.resolve(once).id == 1)
  }

  @Test func `BL-05 a missing dependency ends the process with the whole message`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withResolver(Resolver()) {
        _ = Inject<any Mailer>(Signup.self, Sandbox.self).wrappedValue
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("No registration for 'any Mailer' named Signup, Sandbox."))
    #expect(text.contains("WrapperTests.swift:"))
    #expect(text.contains("To fix, do one of these:"))
  }

  @Test func `BL-04 a missing default argument ends the process with the whole message`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withResolver(Resolver()) { _ = DefaultArgument() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("No registration for 'Prop'."))
    #expect(text.contains("To fix, do one of these:"))
  }

  @Test func `G9-80 an inert resolver ignores registrations and answers nothing`() throws {
    try withResolver(.inert) {
      let inert = Resolver.current
      let key = inert.register(3)
      #expect(key == Key<Int>())
      try #expect(inert.resolve(Int?.self) == nil)
      try #expect(inert.resolve([Int].self).isEmpty)
      try #expect(inert.resolve(all: [key]).isEmpty)
      #expect(throws: ResolutionError.self) { _ = try inert.resolve(key) }
      #expect(inert.filter().isEmpty)
      #expect(inert.keys.isEmpty)
      #expect(inert.unregister([key]) == 0)
      #expect(inert.reset() == Resolver.Removed())
      #expect(inert.resolve(\.prompt) == "Line?")
    }
  }

  @Test func `G9-81 outside an inert resolver nothing has changed`() throws {
    fill()
    try withResolver(resolver) {
      _ = withResolver(.inert) { Resolver.current.unregisterAll() }
      #expect(Resolver.current === resolver)
      try #expect(Resolver.current.resolve(Prop.self).id == 1)
    }
  }
}
