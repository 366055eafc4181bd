// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyGraph

protocol Mailer: Sendable {}
struct SMTPMailer: Mailer {}
struct FakeMailer: Mailer {}
protocol Store: Sendable {}
struct Database: Store {}
protocol Payments: Sendable {}
struct Free: Payments {}
protocol Plugin: Sendable {}
struct ToolPlugin: Plugin { let id: Int }
struct Service: Sendable { let tries: Int }
struct Api: Sendable { init(mailer: any Mailer, store: any Store) {} }
struct Front: Sendable { init(api: Backend, mailer: (any Mailer)?, plugins: [any Plugin]) {} }
struct Backend: Sendable { init(store: any Store, payments: any Payments) {} }
struct Left: Sendable {}
struct Waiting: Sendable { init(left: Provider<Left>) {} }
struct Prop: Sendable {
  let id: Int
  init(_ id: Int) { self.id = id }
}

/// Two types whose names look the same in a graph.
enum Shop { struct Price: Sendable {} }
enum Bank { struct Price: Sendable {} }

extension Dependencies {
  static let level = Dependency<Int>(lifecycle: .cached) { 12 }
}

/// The graphs that the tests draw.
enum Drawn: String, CaseIterable, Sendable {
  /// A double, a declared dependency, a missing one, and a registration with a long name that no
  /// other one needs.
  case five
  /// Five hundred nodes, the same in each run.
  case fiveHundred

  var nodeCount: Int { self == .five ? 5 : 500 }

  /// The page of the graph.
  func page() -> String {
    switch self {
    case .five:
      Drawn.underDoubles(Drawn.registerFive) { $0.html(title: "Five") }
    case .fiveHundred:
      Drawn.underDoubles(Drawn.registerFiveHundred) { layer in
        for name in stride(from: 0, to: 500, by: 20) {
          layer.register(Prop.self, named: name) { Prop(-name) }
        }
      } draw: {
        $0.html(title: "Five hundred")
      }
    }
  }

  /// Draws a graph under a layer with the name 'doubles'.
  static func underDoubles<Result>(
    _ register: (Resolver) -> Void,
    overriding: @Sendable (OverrideLayer) -> Void = {
      $0.register { FakeMailer() as any Mailer }
    },
    draw: (DependencyGraph) throws -> Result
  ) rethrows -> Result {
    let resolver = Resolver()
    register(resolver)
    return try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "doubles") {
      overriding($0)
    } operation: {
      try draw(resolver.graph)
    }
  }

  /// Five kinds of edges, a missing dependency, and a registration that no other one needs.
  static func registerShop(_ resolver: Resolver) {
    resolver.register(autowiring: Front.init(api:mailer:plugins:))
    resolver.register(autowiring: Backend.init(store:payments:), lifecycle: .cached)
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register(lifecycle: .cached) { Database() as any Store }
    resolver.register((any Plugin).self, named: "a <b>") { ToolPlugin(id: 1) }
    resolver.register((any Plugin).self, named: "\"c\"") { ToolPlugin(id: 2) }
    resolver.needing(Key<String>(named: "level"), Dependencies.level.key)
      .register { (tries: Int) in Service(tries: tries) }
    resolver.register("high", named: "level")
    resolver.register(autowiring: Waiting.init(left:))
    resolver.register(1.5, named: "alone")
  }

  private static func registerFive(_ resolver: Resolver) {
    resolver.needing(Dependencies.level.key).register(autowiring: Api.init(mailer:store:))
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register(1.5, named: "a name that is much too long to be drawn within its box")
  }

  /// Names that have the same long text at their start, at their end, or at both.
  static func longNames() -> DependencyGraph {
    let resolver = Resolver()
    let start = "pricing.standby.for.the.evening.performance"
    let names = [
      "\(start).minutes", "\(start).percent", "\(start).minutes.before", "\(start).minutes.after",
      "stalls.\(start)", "circle.\(start)", "\(start).of.stalls.\(start)",
      "\(start).of.circle.\(start)",
    ]
    for name in names { resolver.register(Prop.self, named: name) { Prop(0) } }
    resolver.needing(names.map { AnyKey(type: Prop.self, named: $0) })
      .register {
        Front(api: Backend(store: Database(), payments: Free()), mailer: nil, plugins: [])
      }
    return resolver.graph
  }

  static func registerFiveHundred(_ resolver: Resolver) {
    var seed: UInt64 = 7
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(bound))
    }
    for name in 0..<500 {
      let needs =
        name < 40 || name % 17 == 0
        ? [] : (0..<(1 + random(3))).map { _ in AnyKey(type: Prop.self, named: random(name)) }
      resolver.needing(needs).register(Prop.self, named: name) { Prop(name) }
    }
  }
}
