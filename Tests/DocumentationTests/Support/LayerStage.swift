// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import UnderstudyTesting

@testable import Understudy

/// An object that is created with a store, and cached.
final class Cart: Sendable {
  let store: any Store

  init(store: any Store) { self.store = store }
}

/// A stack of three layers over production, and the level that answered each request.
struct LayerStage {
  /// A layer or production, with its registrations and its final instances.
  struct Level {
    let name: String
    var keys: [String] = []
    var kept: [String] = []
  }

  /// The level that answered a request under all layers.
  struct Answer {
    let question: String
    /// The level, counted from the innermost one, or the number of levels for a declared default.
    let level: Int
    /// The level that stores the value, if that is not the answering one.
    let home: Int?
  }

  private(set) var levels = [
    Level(name: "an inner withOverrides"), Level(name: "the test's trait"),
    Level(name: "the suite's trait"), Level(name: "production"),
  ]
  private(set) var answers: [Answer] = []
  private let resolver = Resolver(named: "shop")

  /// Pushes the layers, makes the requests under all of them, and finds the owner of the cart. The
  /// cart is the same instance under every layer down to its owner, and not below.
  static func play() throws -> LayerStage {
    var stage = LayerStage()
    try stage.run()
    return stage
  }

  private mutating func run() throws {
    levels[3].keys = [
      resolver.register { SMTPMailer() as any Mailer }.erased.step,
      resolver.register { Database() as any Store }.erased.step,
      resolver.register(lifecycle: .cached) { r in Cart(store: try r.resolve()) }.erased.step,
    ]
    let resolver = resolver
    var meetings: [Cart] = []
    var events: [ResolutionEvent] = []
    try withOverrides(of: resolver, named: levels[2].name, isBoundary: true) {
      levels[2].keys = [$0.register { MailerSpy() as any Mailer }.erased.step]
    } operation: {
      try withOverrides(of: resolver, named: levels[1].name) {
        levels[1].keys = [$0.register { MemoryStore() as any Store }.erased.step]
      } operation: {
        try withOverrides(of: resolver, named: levels[0].name) {
          levels[0].keys = [$0.register { MailerSpy() as any Mailer }.erased.step]
        } operation: {
          _ = try resolver.resolve((any Mailer).self)
          _ = try resolver.resolve((any Store).self)
          meetings.append(try resolver.resolve(Cart.self))
          _ = resolver.resolve(\.clock)
          events = OverrideLayer.current?.log.events.filter { $0.parent == nil } ?? []
        }
        meetings.append(try resolver.resolve(Cart.self))
      }
      meetings.append(try resolver.resolve(Cart.self))
      _ = try resolver.resolve((any Mailer).self)
    }
    meetings.append(try resolver.resolve(Cart.self))
    let home = (meetings.firstIndex { $0 !== meetings[0] } ?? meetings.count) - 1
    levels[home].kept = ["Cart"]
    answers = events.map { event in
      let name = event.key.declaration == nil ? event.key.step : #"\.clock"#
      let isDeclared = event.layer == nil && !levels[3].keys.contains(event.key.step)
      let level =
        isDeclared ? levels.count : levels.firstIndex { $0.name == event.layer } ?? levels.count - 1
      return Answer(
        question: name, level: level, home: event.key == AnyKey(Key<Cart>()) ? home : nil)
    }
  }
}
