// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

/// O14 of `Docs/Guarantees.md`: a context that is captured while an instance is created is the
/// context of the instance's owner.
@Suite struct `A context that an instance captures` {
  private struct Lazy: Sendable { @LazyInject var name: String }
  private final class Session: Sendable {
    private let lazy = Lazy()
    var name: String { lazy.name }
    let context = OverrideContext.current
    let number: Provider<Int>
    init(_ number: Provider<Int>) { self.number = number }
  }

  private func makeResolver() -> Resolver {
    let resolver = Resolver()
    resolver.register { "production" }
    resolver.register { 1 }
    resolver.register(lifecycle: .cached) { r in Session(try r.resolve()) }
    return resolver
  }

  /// The ways in which a resolver releases an instance.
  enum Way: CaseIterable {
    case unregistering, replacing, resettingInstances, resetting, ending
  }

  @Test(arguments: Way.allCases)
  func `does not keep the instance or the resolver alive`(way: Way) throws {
    weak var resolver: Resolver?
    let witness: Witness
    do {
      let strong = makeResolver()
      resolver = strong
      let session: Session = try strong.resolve()
      #expect(session.name == "production")
      try #expect(session.number() == 1)
      witness = Witness(session)
      switch way {
      case .unregistering: strong.unregister(Key<Session>())
      case .replacing: strong.register { r in Session(try r.resolve()) }
      case .resettingInstances: strong.reset(.instances)
      case .resetting: strong.reset()
      case .ending: break
      }
    }
    #expect(witness.isGone)
    #expect(resolver == nil)
  }

  @Test func `is production's, even if it was created under a layer`() throws {
    let resolver = makeResolver()
    var sessions: [Session] = []
    for request in 0..<10 {
      try withOverrides([.check(.unusedOverride, .off)], of: resolver) {
        $0.register(named: "request") { request }
      } operation: {
        sessions.append(try resolver.resolve())
      }
    }
    // All requests share one instance, and no request's layer is used after its end.
    #expect(sessions.allSatisfy { $0 === sessions[0] })
    #expect(sessions[0].name == "production")
    try #expect(sessions[0].number() == 1)
    sessions[0].context.run { #expect(OverrideLayer.current == nil) }
  }

  @Test(arguments: [false, true])
  func `is the layer's if the layer owns the instance`(isBoundary: Bool) throws {
    let resolver = makeResolver()
    try withOverrides(of: resolver, isBoundary: isBoundary) {
      $0.register { "double" }
      $0.register { 2 }
    } operation: {
      let session: Session = try resolver.resolve()
      let layer = OverrideLayer.current
      #expect(session.name == "double")
      try #expect(session.number() == 2)
      session.context.run { #expect(OverrideLayer.current === layer) }
    }
    try #expect(resolver.resolve(Session.self).name == "production")
  }

  /// The error of a wrapper without a value is reported on a layer while that lives.
  @Test func `without a value keeps no layer alive`() throws {
    final class Owner: Sendable {
      let missing = Inject<Coin>()
    }
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Owner() }
    let layer = try withLayer(of: resolver) { _ in
    } operation: {
      try #expect(!resolver.resolve(Owner.self).missing.isAvailable)
      return Witness(.required as OverrideLayer)
    }
    #expect(layer.isGone)
    try #expect(!resolver.resolve(Owner.self).missing.isAvailable)
  }

  @Test func `is an error once the resolver is released`() throws {
    let session: Session
    do {
      let resolver = makeResolver()
      session = try resolver.resolve()
    }
    let error = resolutionError { try session.number() }
    guard case .resolverGone = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// The instance's resolver is the one that stores it, and not a session that happened to ask
  /// first. `isPart` is true for captures of an instance's part, which has a registration.
  @Test(arguments: [false, true])
  func `is that of the resolver that stores the instance`(isPart: Bool) throws {
    final class Whole: Sendable {
      let part: Session
      init(_ part: Session) { self.part = part }
    }
    let app = makeResolver()
    if isPart {
      app.register { r in Session(try r.resolve()) }
      app.register(lifecycle: .cached) { r in Whole(try r.resolve()) }
    }
    let asked = { (resolver: Resolver) in
      isPart ? try resolver.resolve(Whole.self).part : try resolver.resolve(Session.self)
    }
    let session: Session
    do {
      let child = Resolver(parent: app)
      session = try asked(child)
      child.register { "child" }
      #expect(session.name == "production")
      session.context.run { #expect(Resolver.current === app) }
    }
    try #expect(asked(app) === session)
    #expect(session.name == "production")
    try #expect(session.number() == 1)
    session.context.run { #expect(Resolver.current === app) }
  }

  @Test func `is that of the layer's resolver if the layer owns the instance`() throws {
    let app = makeResolver()
    try withOverrides(of: app) {
      $0.register { 2 }
    } operation: {
      let child = Resolver(parent: app)
      let session: Session = try child.resolve()
      try #expect(app.resolve(Session.self) === session)
      session.context.run { #expect(Resolver.current === app) }
      try #expect(session.number() == 2)
    }
  }

  /// Under a layer of the parent, as in production: by the registration, by a dependency, or by
  /// neither.
  @Test(arguments: [true, false])
  func `is that of the resolver that would store the instance without the layer`(
    isBoundary: Bool
  ) throws {
    let app = makeResolver()
    let child = Resolver(parent: app)
    try withOverrides(.check(.unusedOverride, .off), of: app, isBoundary: isBoundary) {
      $0.register { "double" }
    } operation: {
      let shared: Session = try Resolver(parent: app).resolve()
      shared.context.run { #expect(Resolver.current === app) }
      child.register(named: "own", lifecycle: .cached) { r in Session(try r.resolve()) }
      let own: Session = try child.resolve(named: "own")
      own.context.run { #expect(Resolver.current === child) }
    }
    child.register { 3 }
    try withOverrides(.check(.unusedOverride, .off), of: app, isBoundary: isBoundary) {
      $0.register { "double" }
    } operation: {
      let part: Session = try child.resolve()
      part.context.run { #expect(Resolver.current === child) }
      try #expect(part.number() == 3)
      #expect(part.name == "double")
    }
  }

  /// A part of a session's instance is the session's.
  @Test func `is a child's if the child has a part in the instance`() throws {
    let app = makeResolver()
    let child = Resolver(parent: app)
    child.register { 3 }
    let session: Session = try child.resolve()
    try #expect(session.number() == 3)
    session.context.run { #expect(Resolver.current === child) }
    try #expect(app.resolve(Session.self) !== session)
  }

  @Test func `does not retain the instance through a part that is retained elsewhere`() throws {
    final class Whole: Sendable {
      let part: Session
      init(_ part: Session) { self.part = part }
    }
    let resolver = makeResolver()
    resolver.register(lifecycle: .cached) { r in Whole(try r.resolve()) }
    var whole: Whole? = try resolver.resolve()
    let part = whole?.part
    let witness = Witness(try #require(whole))
    whole = nil
    resolver.unregister(Key<Whole>())
    #expect(witness.isGone && part != nil)
  }
}
