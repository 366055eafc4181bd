// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

private final class Ocean: Sendable {}

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
