// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

private protocol Post: Sendable {}
private struct Letter: Post {}
private struct Shelf<Content>: Sendable {}
private struct Rack<Content>: Sendable {}

/// The keys that an error proposes.
@Suite struct `The proposed keys of an error` {
  private func hint<Value>(_ body: () throws -> Value) -> String? {
    resolutionError(body)?.description.split(separator: "\n").last.map(String.init)
  }

  /// `named:` takes no scope.
  @Test func `of a scope or a qualifier is proposed with its label`() throws {
    enum Evening: Scope {}
    enum Cheap: Qualifier {}
    let resolver = Resolver()
    resolver.register(scopedTo: Evening.self) { PostOffice() }
    resolver.register(qualifiedBy: Cheap.self) { 2 }
    func hint<Value>(_ type: Value.Type) throws -> String? {
      let error = #expect(throws: ResolutionError.self) { _ = try resolver.resolve(type) as Value }
      return error?.description.split(separator: "\n").last.map(String.init)
    }
    #expect(
      try hint(PostOffice.self)?.hasSuffix(
        "?  resolver.resolve(PostOffice.self, scopedTo: Evening.self)") == true)
    #expect(
      try hint(Int.self)?.hasSuffix("?  resolver.resolve(Int.self, qualifiedBy: Cheap.self)")
        == true)
  }

  @Test func `start with the nearest name, however many there are`() {
    let resolver = Resolver()
    for name in ["alpha", "beta", "gamma", "delta", "mailer", "mailbox"] {
      resolver.register(named: name) { Letter() as any Post }
    }
    #expect(
      hint { try resolver.resolve((any Post).self, named: "mailr") }
        == #"Did you mean 'any Post' named "mailer", or 'any Post' named "mailbox", "#
        + #"or 'any Post' named "gamma"?"#)
  }

  /// Many errors are caught and ignored, so the search runs only if the error is read.
  @Test func `are searched for when the error is read, not before`() throws {
    let resolver = Resolver()
    for number in 0..<1_000 { resolver.register(number, named: "number \(number)") }
    func shortest(_ body: () -> Void) -> Duration {
      (0..<10).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
    }
    let error = try #require(resolutionError { try resolver.resolve(String.self) })
    let thrown = shortest { _ = try? resolver.resolve(String.self) }
    let read = shortest { _ = error.description }
    #expect(thrown * 4 < read)
  }

  /// The registration still exists for requests below the boundary.
  @Test func `do not include a key that was claimed under a boundary`() throws {
    let resolver = Resolver()
    resolver.register(1)
    try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      try #expect(resolver.resolve(Int.self, lifecycle: .once) == 1)
      #expect(hint { try resolver.resolve(Int.self) }?.contains("lifecycle: .once") == true)
    }
  }

  @Test func `include keys of the same name and another type`() {
    let resolver = Resolver()
    resolver.register(named: "mailer") { Letter() as any Post }
    resolver.register(1, named: "other")
    #expect(
      hint { try resolver.resolve(Letter.self, named: "mailer") }
        == #"Did you mean 'any Post' named "mailer"?"#)
    #expect(
      hint { try resolver.resolve(Letter.self, named: 7) }?.contains("Override it") == true)
    #expect(hint { try resolver.resolve(Letter.self) }?.contains("Override it") == true)
  }

  @Test func `include a type whose name has the words of the requested one`() {
    struct PostSpy: Sendable {}
    struct ExpressPost: Sendable {}
    struct Postage: Sendable {}
    struct Compost: Sendable {}
    func last<Value: Sendable>(_ value: Value) -> String? {
      let resolver = Resolver()
      resolver.register(value)
      return hint { try resolver.resolve((any Post).self) }
    }
    #expect(last(PostSpy()) == "Did you mean 'PostSpy'?")
    #expect(last(ExpressPost()) == "Did you mean 'ExpressPost'?")
    #expect(last(Postage())?.contains("Override it") == true)
    #expect(last(Compost())?.contains("Override it") == true)
  }

  /// Other threads wait while the keys are copied.
  @Test func `are searched among few of very many keys`() throws {
    let (few, many) = (Resolver(), Resolver())
    for number in 0..<1_000 { few.register(number, named: number) }
    for number in 0..<50_000 { many.register(number, named: number) }
    func shortest(_ resolver: Resolver) -> Duration {
      (0..<10).map { _ in
        ContinuousClock().measure { _ = try? resolver.resolve(String.self) }
      }.min() ?? .zero
    }
    #expect(shortest(many) < shortest(few) * 10)
    let error = try #require(resolutionError { try many.resolve(Int.self) })
    #expect(error.nearMisses.count == 3)
    #expect(error.description.contains("production of an unnamed resolver (50000 registrations)"))
  }

  /// A registration that a running request claims answers no other request.
  @Test func `say how many registrations answer requests`() throws {
    let resolver = Resolver()
    resolver.register(1)
    resolver.register(lifecycle: .once) { (resolver: Resolver) in
      resolutionError { try resolver.resolve(Bool.self) }?.description ?? ""
    }
    try #expect(resolver.resolve(String.self).contains("(1 registration)"))
  }

  @Test func `include a generic type with other arguments`() {
    func last<Value: Sendable>(_ value: Value) -> String? {
      let resolver = Resolver()
      resolver.register(value)
      return hint { try resolver.resolve(Shelf<Bool>.self) }
    }
    #expect(last(Shelf<Result<String, Never>>()) == "Did you mean 'Shelf<Result<String, Never>>'?")
    #expect(last(Rack<Bool>())?.contains("Override it") == true)
  }

  /// A generic function passes an optional as the name. All other callers pass the wrapped value.
  @Test func `include the name that an optional name contains`() throws {
    let resolver = Resolver()
    resolver.register(1, named: "level")
    let name: String? = "level"
    func number(_ name: some Hashable & Sendable) throws -> Int {
      try resolver.resolve(named: name)
    }
    try #expect(resolver.resolve(Int.self, named: name) == 1)
    let lines = resolutionError { try number(name) }?.description.split(separator: "\n")
    #expect(lines?.contains(#"  In full    'Int' named "level" as String?"#) == true)
    #expect(
      lines?.last
        == #"Did you mean 'Int' named "level"?  resolver.resolve(Int.self, named: "level")"#)
  }

  /// Many words contain a short name.
  @Test func `include a short name if the other is that of its double`() {
    func isNear<A, B>(_ type: A.Type, _ other: B.Type) -> Bool {
      Key<A>().erased.isNamed(like: Key<B>().erased)
    }
    #expect(isNear(APISpy.self, (any API).self) && isNear((any API).self, APISpy.self))
    #expect(isNear(MockAPI.self, (any API).self))
    #expect(!isNear(APIList.self, (any API).self) && !isNear(Capital.self, (any API).self))
  }
}

private protocol API {}
private struct APISpy {}
private struct MockAPI {}
private struct APIList {}
private struct Capital {}
