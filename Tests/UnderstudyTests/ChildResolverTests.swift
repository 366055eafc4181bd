// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

private final class Ocean: Sendable {}

extension Dependencies {
  fileprivate static var ocean: Dependency<Ocean> { Dependency(lifecycle: .cached) { Ocean() } }
}

/// `Resolver(parent:)`: sessions, plug-ins, windows.
@Suite struct `A child resolver` {
  private final class Pool: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }
  private final class Session: Sendable {
    let pool: Pool
    init(_ pool: Pool) { self.pool = pool }
  }

  private let parent = Resolver(named: "app")
  private let child: Resolver

  init() {
    child = Resolver(named: "session", parent: parent)
    parent.register(lifecycle: .cached) { Pool("app") }
    parent.register(lifecycle: .cached) { r in Session(try r.resolve()) }
  }

  @Test func `answers with the registrations and instances of its parent`() throws {
    let pool: Pool = try child.resolve()
    #expect(pool.name == "app")
    try #expect(parent.resolve(Pool.self) === pool)
    try #expect(child.resolve(Session.self) === parent.resolve(Session.self))
  }

  @Test func `prefers its own registrations, which the parent does not see`() throws {
    child.register(lifecycle: .cached) { Pool("session") }
    try #expect(child.resolve(Pool.self).name == "session")
    try #expect(parent.resolve(Pool.self).name == "app")
    try #expect(child.resolve([Pool].self).map(\.name) == ["session"])
    #expect(throws: ResolutionError.self) {
      child.register(1)
      _ = try parent.resolve(Int.self)
    }
  }

  @Test func `stores an instance of its parent that was created with one of its own registrations`()
    throws
  {
    let shared: Session = try parent.resolve()
    child.register(lifecycle: .cached) { Pool("session") }
    let own: Session = try child.resolve()
    #expect(own !== shared && own.pool.name == "session")
    try #expect(child.resolve(Session.self) === own)
    try #expect(parent.resolve(Session.self) === shared)
  }

  @Test(arguments: [false, true])
  func `is overridden by a layer of either`(isOfChild: Bool) throws {
    child.register { 1 }
    try withOverrides(of: isOfChild ? child : parent) {
      $0.register { Pool("double") }
      $0.register { 2 }
    } operation: {
      try #expect(child.resolve(Pool.self).name == "double")
      try #expect(child.resolve(Session.self).pool.name == "double")
      try #expect(child.resolve(Int.self) == 2)
      #expect(OverrideLayer.current?.log.count(of: Int.self) == 1)
      if isOfChild { try #expect(parent.resolve(Pool.self).name == "app") }
    }
    try #expect(child.resolve(Session.self).pool.name == "app")
  }

  @Test func `sees a registration of its parent that is replaced`() throws {
    try #expect(child.resolve(Pool.self).name == "app")
    parent.register(lifecycle: .cached) { Pool("newer") }
    for _ in 0..<3 { try #expect(child.resolve(Pool.self).name == "newer") }
    parent.unregister(Key<Pool>())
    #expect(throws: ResolutionError.self) { try child.resolve(Pool.self) }
  }

  @Test func `has a graph with the registrations of its parents`() throws {
    parent.register(named: "second") { Pool("app") }
    child.register(lifecycle: .cached) { Pool("session") }
    child.register(autowiring: { (_: Session, all: [Pool]) in all.count })
    let graph = child.graph
    try graph.validate()
    #expect(graph.nodes.count == 4)
    #expect(graph.edges.map(\.kind) == [.one, .every, .every])
    #expect(parent.graph.nodes.count == 3)
  }

  @Test(arguments: [false, true])
  func `forgets the default that it replaces, and its parent keeps it`(isPrepared: Bool) {
    let shared = parent.resolve(\.ocean)
    if isPrepared { child.prepare(\.ocean) { Ocean() } }
    #expect((child.resolve(\.ocean) === shared) != isPrepared)
    #expect(parent.resolve(\.ocean) === shared)
  }

  enum Asker: CaseIterable {
    case child, grandchild, layerOfChild, layerOfParent
  }

  /// Expects that something releases the pool that a resolver has handed out and cached.
  private func expectGone(heldBy asker: Asker, after letGo: () throws -> Void) throws {
    func check(_ resolver: Resolver) throws {
      let pool = Witness(try resolver.resolve(Pool.self))
      // The second request is answered by the cache.
      for _ in 1...2 { _ = try resolver.resolve(Pool.self) }
      #expect(pool.isThere)
      try letGo()
      #expect(pool.isGone)
    }
    switch asker {
    case .child: try check(child)
    case .grandchild: try check(Resolver(parent: child))
    case .layerOfChild, .layerOfParent:
      try withOverrides(of: asker == .layerOfChild ? child : parent) { _ in
      } operation: {
        try check(child)
      }
    }
  }

  @Test(arguments: Asker.allCases)
  func `retains no instance that its parent lets go of`(asker: Asker) throws {
    try expectGone(heldBy: asker) { #expect(parent.unregister(Key<Pool>())) }
  }

  @Test(arguments: [Asker.child, .grandchild])
  func `retains no instance that a sibling uses up`(asker: Asker) throws {
    try expectGone(heldBy: asker) {
      _ = try Resolver(parent: parent).resolve(Pool.self, lifecycle: .once)
    }
  }

  @Test func `is released with all that it stores, and the parent stays`() throws {
    let witness: Witness
    do {
      let session = Resolver(parent: parent)
      session.register(named: "own", lifecycle: .cached) { r in Session(try r.resolve()) }
      witness = Witness(try session.resolve(Session.self, named: "own"))
      #expect(!witness.isGone)
    }
    #expect(witness.isGone)
    try #expect(parent.resolve(Pool.self).name == "app")
  }

  @Test func `gives a one-time registration of its parent out once`() throws {
    parent.register(7, lifecycle: .once)
    try #expect(child.resolve(Int?.self) == 7)
    try #expect(child.resolve(Int?.self) == nil)
    try #expect(parent.resolve(Int?.self) == nil)
  }

  @Test func `is the current resolver of the blocks that it runs`() throws {
    child.register(lifecycle: .cached) { Pool("session") }
    parent.register(named: "lazy") { Session(Resolver.injected()) }
    try #expect(child.resolve(Session.self, named: "lazy").pool.name == "session")
    try #expect(parent.resolve(Session.self, named: "lazy").pool.name == "app")
  }

  @Test func `is overridden by a layer of its parent, and a layer of its own leaves the parent`()
    throws
  {
    parent.register { Pool("app") }
    try withOverrides(of: parent) {
      $0.register { Pool("double") }
    } operation: {
      try #expect(parent.resolve(Pool.self).name == "double")
      try #expect(child.resolve(Pool.self).name == "double")
    }
    try withOverrides(of: child) {
      $0.register { Pool("double") }
    } operation: {
      try #expect(parent.resolve(Pool.self).name == "app")
      try #expect(child.resolve(Pool.self).name == "double")
    }
  }

  @Test func `is logged by its layer, also under a layer of its parent`() throws {
    try withOverrides(of: child) {
      $0.register { 1 }
    } operation: {
      let layer = OverrideLayer.current
      try withOverrides(of: parent) {
        $0.register { Pool("double") }
      } operation: {
        try #expect(child.resolve(Int.self) == 1)
        try #expect(child.resolve(Pool.self).name == "double")
        #expect(layer?.log.count(of: Int.self) == 1)
      }
      #expect(layer?.log.count(of: Int.self) == 1)
    }
  }
}

/// One parent with several children, and layers that all of them see.
@Suite struct `Children of one parent` {
  private final class User: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }
  private final class Cart: Sendable {
    let user: User?
    init(_ user: User?) { self.user = user }
  }

  enum Surroundings: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case none
    case plain
    case boundary
    case override
    case overrideUnderBoundary

    var testDescription: String { rawValue }
  }

  enum Need: CaseIterable, Sendable {
    case value
    case optional
    case array
    case lazy
  }

  private let app = Resolver(named: "app")
  private let ann: Resolver
  private let bob: Resolver

  init() {
    ann = Resolver(named: "ann", parent: app)
    bob = Resolver(named: "bob", parent: app)
  }

  private static func cart(_ need: Need) -> @Sendable (Resolver) throws -> Cart {
    switch need {
    case .value: { Cart(try $0.resolve(User.self)) }
    case .optional: { Cart(try $0.resolve(User?.self)) }
    case .array: { Cart(try $0.resolve([User].self).last) }
    case .lazy: { resolver in try withResolver(resolver) { Cart(try LazyInject<User>().get()) } }
    }
  }

  /// Runs `body` under layers of the parent that all children see.
  private func under(
    _ surroundings: Surroundings, _ need: Need, _ body: () throws -> Void
  ) throws {
    func registerCart(_ layer: OverrideLayer) {
      layer.register(lifecycle: .cached, Self.cart(need))
    }
    switch surroundings {
    case .none: try body()
    case .plain:
      try withOverrides(of: app) { _ in
      } operation: {
        try body()
      }
    case .boundary:
      try withOverrides(of: app, isBoundary: true) { _ in
      } operation: {
        try body()
      }
    case .override:
      try withOverrides(of: app) {
        registerCart($0)
      } operation: {
        try body()
      }
    case .overrideUnderBoundary:
      try withOverrides(of: app, isBoundary: true) {
        registerCart($0)
      } operation: {
        try body()
      }
    }
  }

  private func name(_ resolver: Resolver) throws -> String? {
    try resolver.resolve(Cart.self).user?.name
  }

  @Test(arguments: Surroundings.allCases, Need.allCases)
  func `have instances of their own registrations`(surroundings: Surroundings, need: Need) throws {
    app.register(lifecycle: .cached, Self.cart(need))
    app.register { User("app") }
    ann.register { User("ann") }
    bob.register { User("bob") }
    try under(surroundings, need) {
      for _ in 0..<2 {
        try #expect(name(ann) == "ann")
        try #expect(name(bob) == "bob")
        try #expect(name(app) == "app")
        try #expect(ann.resolve(Cart.self) === ann.resolve(Cart.self))
        try #expect(ann.resolve(Cart.self) !== bob.resolve(Cart.self))
      }
    }
  }

  @Test(arguments: Surroundings.allCases, Need.allCases)
  func `see an instance of their parent that another child requested first`(
    surroundings: Surroundings, need: Need
  ) throws {
    app.register(lifecycle: .cached, Self.cart(need))
    app.register { User("app") }
    try under(surroundings, need) {
      let shared: Cart = try ann.resolve()
      try #expect(bob.resolve(Cart.self) === shared)
      try #expect(app.resolve(Cart.self) === shared)
      bob.register { User("bob") }
      try #expect(name(bob) == "bob")
      try #expect(app.resolve(Cart.self) === shared)
      try #expect(ann.resolve(Cart.self) === shared)
      // The layer creates the instance again, whichever resolver requested the first one.
      try withOverrides(.check(.lateOverride, .off), of: app) {
        $0.register { User("double") }
      } operation: {
        try #expect(name(app) == "double")
        try #expect(name(ann) == "double")
        try #expect(name(bob) == "double")
      }
    }
  }

  @Test(arguments: [false, true])
  func `do not see a layer of another child`(isBoundary: Bool) throws {
    app.register(lifecycle: .cached, Self.cart(.value))
    app.register { User("app") }
    try withOverrides(of: ann, isBoundary: isBoundary) {
      $0.register { User("double") }
    } operation: {
      try #expect(name(ann) == "double")
      try #expect(name(bob) == "app")
      try #expect(name(app) == "app")
    }
  }

  @Test func `share the instances of their parent under a boundary of one child`() throws {
    app.register(lifecycle: .cached) { User("app") }
    app.register(lifecycle: .cached, Self.cart(.value))
    try withOverrides(of: ann, isBoundary: true) { _ in
    } operation: {
      let shared: Cart = try ann.resolve()
      try #expect(app.resolve(Cart.self) === shared)
      try #expect(bob.resolve(Cart.self) === shared)
    }
  }

  @Test(arguments: [false, true])
  func `do not get an instance that was completed with a value of another child`(
    isBoundary: Bool
  ) throws {
    final class Whole: Sendable {
      let part: Lock<(cart: Wrapped?, user: String)> = Lock((nil, ""))
    }
    final class Wrapped: Sendable {
      let whole: Whole
      init(_ whole: Whole) { self.whole = whole }
    }
    app.register(lifecycle: .cached) {
      Whole()
    } then: { whole, r in
      let part = (try r.resolve(Wrapped.self), try r.resolve(User.self).name)
      whole.part.withLock { $0 = part }
    }
    app.register(lifecycle: .cached) { r in Wrapped(try r.resolve()) }
    app.register { User("app") }
    ann.register { User("ann") }
    func name(_ resolver: Resolver) throws -> String {
      try resolver.resolve(Wrapped.self).whole.part.withLock { $0.user }
    }
    try withOverrides(of: app, isBoundary: isBoundary) { _ in
    } operation: {
      _ = try ann.resolve(Whole.self)
      try #expect(name(app) == "app")
      try #expect(name(bob) == "app")
      try #expect(name(ann) == "ann")
    }
  }

  @Test(arguments: [Surroundings.none, .boundary], [false, true])
  func `forget their instances of a registration that their parent gets again`(
    surroundings: Surroundings, isReset: Bool
  ) throws {
    let key = app.register(lifecycle: .cached, Self.cart(.value))
    app.register { User("app") }
    ann.register { User("ann") }
    try under(surroundings, .value) {
      let (first, shared): (Cart, Cart) = (try ann.resolve(), try app.resolve())
      let registration = try #require(app.registration(for: key.erased))
      if isReset { app.reset(.instances) } else { app.unregister(key) }
      let own: Cart? = isReset ? try ann.resolve() : first
      app.add(isReset ? try #require(app.registration(for: key.erased)) : registration)
      try #expect(ann.resolve(Cart.self) !== own)
      try #expect(app.resolve(Cart.self) !== shared)
    }
  }

  @Test(arguments: [Surroundings.none, .plain, .boundary])
  func `reset their own instances, and not their parent's`(surroundings: Surroundings) throws {
    app.register(lifecycle: .cached, Self.cart(.value))
    app.register { User("app") }
    ann.register { User("ann") }
    app.register { "app" }
    try under(surroundings, .value) {
      let (own, shared): (Cart, Cart) = (try ann.resolve(), try app.resolve())
      let host = app.resolve(\.host)
      ann.reset(.instances)
      try #expect(ann.resolve(Cart.self) !== own)
      try #expect(app.resolve(Cart.self) === shared)
      #expect(ann.resolve(\.host) === host)
      #expect(app.resolve(\.host) === host)
      app.reset(.instances)
      try #expect(app.resolve(Cart.self) !== shared)
      #expect(app.resolve(\.host) !== host)
    }
  }

  @Test(arguments: [Surroundings.none, .boundary])
  func `get a living weak instance of their parent when their own is gone`(
    surroundings: Surroundings
  ) throws {
    enum Visit: Scope {}
    app.register(scopedTo: Visit.self, Self.cart(.value))
    app.register { User("app") }
    try under(surroundings, .value) {
      let shared: Cart = try app.resolve(scopedTo: Visit.self)
      let key = ann.register { User("ann") }
      try #expect(ann.resolve(Cart.self, scopedTo: Visit.self).user?.name == "ann")
      ann.unregister(key)
      try #expect(ann.resolve(Cart.self, scopedTo: Visit.self) === shared)
      try #expect(app.resolve(Cart.self, scopedTo: Visit.self) === shared)
    }
  }

  @Test(arguments: [Surroundings.none, .plain, .boundary])
  func `take their instances with them`(surroundings: Surroundings) throws {
    app.register(lifecycle: .cached, Self.cart(.value))
    weak var (first, second): (Cart?, Cart?)
    try under(surroundings, .value) {
      app.register { User("app") }
      let shared: Cart = try app.resolve()
      do {
        let carl = Resolver(named: "carl", parent: app)
        let session = Resolver(named: "session", parent: carl)
        carl.register { User("carl") }
        session.register { User("session") }
        // The second request is answered by what the first one left in a cache.
        for _ in 0..<3 {
          first = try carl.resolve(Cart.self)
          second = try session.resolve(Cart.self)
        }
        #expect(first != nil && second != nil)
      }
      #expect(first == nil && second == nil)
      try #expect(app.resolve(Cart.self) === shared)
    }
  }

  /// The part of an instance is judged by the place where the part is stored.
  @Test(arguments: [true, false], [true, false])
  func `see a later registration, whichever resolver asked for a part first`(
    isParentFirst: Bool, isInLayer: Bool
  ) throws {
    final class Shop: Sendable {
      let cart: Cart
      init(_ cart: Cart) { self.cart = cart }
    }
    app.register { User("app") }
    app.register(lifecycle: .cached, Self.cart(.value))
    ann.register(lifecycle: .cached) { r in Shop(try r.resolve()) }
    func check(_ register: () -> Void) throws {
      if isParentFirst { _ = try app.resolve(Cart.self) }
      try #expect(ann.resolve(Shop.self).cart.user?.name == "app")
      register()
      for _ in 0..<2 {
        try #expect(ann.resolve(Cart.self).user?.name == "late")
        try #expect(ann.resolve(Shop.self).cart === ann.resolve(Cart.self))
      }
    }
    guard isInLayer else { return try check { ann.register { User("late") } } }
    try withOverrides(.check(.lateOverride, .off), of: ann, isBoundary: true) { _ in
    } operation: {
      try check { OverrideLayer.current?.register { User("late") } }
    }
  }

  @Test func `get one instance of a registration that is completed by asking their parent by name`()
    throws
  {
    final class Shop: Sendable {
      let cart: Cart
      init(_ cart: Cart) { self.cart = cart }
    }
    app.register { User("app") }
    ann.register { User("ann") }
    app.register(lifecycle: .cached) {
      Cart(nil)
    } then: { [unowned app] (cart: inout Cart, _) in
      _ = try app.resolve(User.self)
    }
    app.register { r in Shop(try r.resolve()) }
    let shop: Shop = try ann.resolve()
    try #expect(ann.resolve(Cart.self) === shop.cart)
  }

  @Test(arguments: [Surroundings.none, .plain, .boundary], [true, false])
  func `get one instance each of a registration that asks their parent by name`(
    surroundings: Surroundings, isParentFirst: Bool
  ) throws {
    app.register { User("app") }
    ann.register { User("ann") }
    app.register(lifecycle: .cached) { [unowned app] in Cart(try app.resolve()) }
    try under(surroundings, .value) {
      if isParentFirst { _ = try app.resolve(Cart.self) }
      let own: Cart = try ann.resolve()
      let shared: Cart = try app.resolve()
      #expect(own.user?.name == "app")
      #expect(own !== shared)
      for _ in 0..<2 {
        try #expect(ann.resolve(Cart.self) === own)
        try #expect(app.resolve(Cart.self) === shared)
        try #expect(bob.resolve(Cart.self) === shared)
      }
    }
  }

  @Test(arguments: [true, false])
  func `get one instance under a layer of their own that hides an answer of their parent`(
    isParentFirst: Bool
  ) throws {
    app.register { User("app") }
    app.register(lifecycle: .cached) { [unowned app] in Cart(try app.resolve()) }
    if isParentFirst { _ = try app.resolve(Cart.self) }
    try withOverrides(.check(.unusedOverride, .off), of: ann) {
      $0.register { User("ann") }
    } operation: {
      let own: Cart = try ann.resolve()
      let shared: Cart = try app.resolve()
      #expect(own.user?.name == "app")
      for _ in 0..<2 {
        try #expect(ann.resolve(Cart.self) === own)
        try #expect(bob.resolve(Cart.self) === shared)
      }
    }
    try #expect(ann.resolve(Cart.self) === app.resolve(Cart.self))
  }

  @Test(arguments: Lifecycle.allCases)
  func `may wrap a decorated value of their parent`(lifecycle: Lifecycle) throws {
    app.register(lifecycle: lifecycle) { User("app") }
    ann.register(lifecycle: lifecycle) { [unowned app] in
      User("ann(\(try app.resolve(User.self).name))")
    }
    try withOverrides(of: app) {
      $0.decorate(User.self) { User("decorated(\($0.name))") }
    } operation: {
      try #expect(ann.resolve(User.self).name == "decorated(ann(decorated(app)))")
    }
  }

  @Test func `have instances of their own of a registration that a layer gets from production`()
    throws
  {
    let key = app.register(lifecycle: .cached) { User("app") }
    app.register(lifecycle: .cached, Self.cart(.value))
    let cart: Cart = try ann.resolve()
    try withOverrides(.check(.lateOverride, .off), of: app) {
      $0.add(try #require(app.registration(for: key.erased)))
    } operation: {
      try #expect(ann.resolve(Cart.self) !== cart)
      try #expect(ann.resolve(Cart.self).user === bob.resolve(User.self))
    }
  }

  @Test func `are strict under a strict layer of their parent, whichever child asked first`() throws
  {
    app.register(lifecycle: .cached, Self.cart(.value))
    app.register { User("app") }
    _ = try ann.resolve(Cart.self)
    withOverrides(.strict, of: app, allowing: Cart.self) { _ in
    } operation: {
      withKnownIssue {
        #expect(throws: ResolutionError.self) { try app.resolve(Cart.self) }
        #expect(throws: ResolutionError.self) { try bob.resolve(Cart.self) }
      } matching: {
        "\($0)".contains("fell through to production")
      }
    }
  }

  @Test func `see a layer of a family that a dependency was requested from`() throws {
    let other = Resolver()
    other.register(lifecycle: .cached) { [ann] in Cart(try ann.resolve()) }
    app.register { User("app") }
    try #expect(name(other) == "app")
    try withOverrides(of: app) {
      $0.register { User("double") }
    } operation: {
      try #expect(name(other) == "double")
    }
  }
}

extension Dependencies {
  fileprivate static let host = Dependency(lifecycle: .cached) {
    Text((try? Resolver.current.resolve(String.self)) ?? "none")
  }
}

private final class Text: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

@Suite struct `Two resolvers under one layer` {
  @Test(arguments: [false, true])
  func `take their instances with them`(isBoundary: Bool) throws {
    weak var ocean: Ocean?
    try withOverrides(isBoundary: isBoundary) { _ in
    } operation: {
      do {
        let one = Resolver()
        one.register(lifecycle: .cached) { Ocean() }
        for _ in 0..<3 { ocean = try one.resolve(Ocean.self) }
        #expect(ocean != nil)
      }
      #expect(ocean == nil)
    }
  }

  @Test(arguments: [false, true])
  func `take their values with them`(isBoundary: Bool) throws {
    weak var ocean: Ocean?
    try withOverrides(isBoundary: isBoundary) { _ in
    } operation: {
      do {
        let one = Resolver()
        one.register(Ocean())
        for _ in 0..<3 { ocean = try one.resolve(Ocean.self) }
        #expect(ocean != nil)
      }
      #expect(ocean == nil)
    }
  }

  @Test(arguments: [false, true])
  func `leave survivors, which the layer reports`(isChild: Bool) throws {
    let parent = Resolver()
    let text = "An instance of 'Ocean' that this layer made is alive after the layer's end."
    let kept = Box<Ocean?>(nil)
    try withKnownIssue {
      try withOverrides(.reportsSurvivors, of: parent, isBoundary: true) { _ in
      } operation: {
        let one = Resolver(parent: isChild ? parent : nil)
        one.register(lifecycle: .cached) { Ocean() }
        kept.value = try one.resolve(Ocean.self)
      }
    } matching: {
      "\($0)".contains(text)
    }
    #expect(kept.value != nil)
  }

  @Test(arguments: [false, true])
  func `have an instance each of a declared dependency`(isBoundary: Bool) throws {
    let (one, other) = (Resolver(), Resolver())
    one.register { "one" }
    other.register { "other" }
    withOverrides(isBoundary: isBoundary) { _ in
    } operation: {
      for _ in 0..<2 {
        #expect(one.resolve(\.host).text == "one")
        #expect(other.resolve(\.host).text == "other")
        #expect(one.resolve(\.host) === one.resolve(\.host))
      }
    }
  }
}
