// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// All measured operations, references first.
public enum Rows {
  static let existential = "reference: return an existing existential"
  static let direct = "reference: init of a small class"
  static let byHand = "reference: a graph of four by hand"
  /// The reference for pushing a layer.
  public static let push = "reference: push and pop of a task-local Int"
  /// The allowed extra cost of a resolution while another task's layer is alive.
  public static let read = "reference: read a task-local Int"

  /// All rows, references first.
  ///
  /// - Parameters:
  ///   - crowds: The numbers of registrations of large resolvers.
  ///   - depths: The numbers of layers below a request or a new layer.
  public static func all(
    crowds: [Int] = [10, 1_000, 100_000], depths: [Int] = [0, 1, 4, 16, 64]
  ) -> [Row] {
    let crowded = crowds.map { (count: $0, resolver: crowd($0)) }
    return references() + production("")
      + crowded.map { count, resolver in
        Row("cached, named, \(count) registrations", atMost: 5, of: existential) {
          for _ in 0..<$0 { _ = try asked(resolver, named: "wall") }
        }
      } + elsewhere() + depths.filter { $0 > 0 }.flatMap(overridden)
      + made() + depths.filter { $0 == 0 || $0 == 64 }.map(pushed)
      + [testCase()] + CaseRows.all() + RequestRows.all() + afterwards() + [registering()]
      + DoubleRows.all()
      // These are compared in release only, like the rows that depend on the number of
      // registrations.
      + (crowds.isEmpty ? [] : observedElsewhere() + EssentialRows.all())
  }

  /// Requests are fast again after all layers have ended.
  private static func afterwards() -> [Row] {
    production(", after all layers").filter { $0.name.hasPrefix("cached") }
  }

  private static func references() -> [Row] {
    let opaque = Opaque(SMTPMailer())
    return [
      Row(existential) { for _ in 0..<$0 { _ = opaque.existing() } },
      Row(direct) { for _ in 0..<$0 { _ = makeSmall() } },
      Row(byHand) { for _ in 0..<$0 { _ = makeTree() } },
      Row(read) {
        var sum = 0
        for _ in 0..<$0 { sum &+= Local.number }
        precondition(sum == 0)
      },
      Row(push) {
        for index in 0..<$0 { Local.$number.withValue(index) { nothing() } }
      },
    ]
  }

  private static func stocked() -> Resolver {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { SMTPMailer() as any Mailer }
    resolver.register(named: "wall", lifecycle: .cached) { SMTPMailer() as any Mailer }
    resolver.register(named: 7, lifecycle: .cached) { SMTPMailer() as any Mailer }
    resolver.register(named: Place.wall, lifecycle: .cached) { SMTPMailer() as any Mailer }
    resolver.register { Small() }
    return resolver
  }

  private static func crowd(_ count: Int) -> Resolver {
    let resolver = stocked()
    for index in 0..<count { resolver.register(SMTPMailer(index), named: index) }
    return resolver
  }

  private static func asked(_ resolver: Resolver, named name: String) throws -> any Mailer {
    try resolver.resolve((any Mailer).self, named: name)
  }

  private static func asked(_ resolver: Resolver, numbered number: Int) throws -> any Mailer {
    try resolver.resolve((any Mailer).self, named: number)
  }

  private static func asked(_ resolver: Resolver, at place: Place) throws -> any Mailer {
    try resolver.resolve((any Mailer).self, named: place)
  }

  private static func production(_ suffix: String) -> [Row] {
    let resolver = stocked()
    return [
      Row("cached, declared" + suffix, atMost: 1.3, of: existential) {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.mailer } }
      },
      Row("cached, by type" + suffix, atMost: 2.5, of: existential) {
        for _ in 0..<$0 { _ = try resolver.resolve((any Mailer).self) }
      },
      Row("cached, by type and name" + suffix, atMost: 5, of: existential) {
        for _ in 0..<$0 { _ = try asked(resolver, named: "wall") }
      },
      Row("cached, by type and number" + suffix, atMost: 5, of: existential) {
        for _ in 0..<$0 { _ = try asked(resolver, numbered: 7) }
      },
      Row("cached, by type and case" + suffix, atMost: 5, of: existential) {
        for _ in 0..<$0 { _ = try asked(resolver, at: .wall) }
      },
      Row("unique, declared" + suffix, atMost: 1.3, of: direct) {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.small } }
      },
      Row("unique, by type" + suffix, atMost: 2, of: direct) {
        for _ in 0..<$0 { _ = try resolver.resolve(Small.self) }
      },
      Row("a graph of four, declared" + suffix, atMost: 1.6, of: byHand) {
        for _ in 0..<$0 { _ = Resolver.main.resolve { $0.tree } }
      },
    ]
  }

  /// The rows of production while a layer is alive that the caller does not see.
  private static func elsewhere() -> [Row] {
    production(", a layer elsewhere").map { row in
      // The graph makes four requests.
      let reads = row.goal!.of == byHand ? 4 : 1
      return Row(row.name, atMost: row.goal!.factor, of: row.goal!.of, andReads: reads) { count in
        try withLayerElsewhere { try row.run(count) }
      }
    }
  }

  /// The rows of cached values while another resolver is observed. The cost must be the same.
  private static func observedElsewhere() -> [Row] {
    let other = Resolver()
    return production(", an observer elsewhere").filter { $0.name.hasPrefix("cached") }.map { row in
      Row(row.name, atMost: row.goal!.factor, of: row.goal!.of) { count in
        let observation = other.observe { _ in }
        defer { observation.cancel() }
        try row.run(count)
      }
    }
  }

  private static func withLayerElsewhere(_ body: () throws -> Void) rethrows {
    var kept: OverrideLayer?
    withOverrides {
      kept = $0
    } operation: {
    }
    try body()
    withExtendedLifetime(kept) {}
  }

  /// The outermost layer overrides the requested key, and the others an unrelated one.
  private static func overridden(_ depth: Int) -> [Row] {
    let resolver = stocked()
    return [
      Row("overridden, depth \(depth)", atMost: 5, of: existential) { count in
        try withOverrides(of: resolver) {
          $0.register(SMTPMailer(2) as any Mailer)
        } operation: {
          try under(depth - 1, of: resolver) {
            for _ in 0..<count { _ = try resolver.resolve((any Mailer).self) }
          }
        }
      },
      Row("overridden, by type and name, depth \(depth)", atMost: 5, of: existential) { count in
        try withOverrides(of: resolver) {
          $0.register(SMTPMailer(2) as any Mailer, named: "wall")
        } operation: {
          try under(depth - 1, of: resolver) {
            for _ in 0..<count { _ = try asked(resolver, named: "wall") }
          }
        }
      },
      Row("overridden, by type and case, depth \(depth)", atMost: 5, of: existential) { count in
        try withOverrides(of: resolver) {
          $0.register(SMTPMailer(2) as any Mailer, named: Place.wall)
        } operation: {
          try under(depth - 1, of: resolver) {
            for _ in 0..<count { _ = try asked(resolver, at: .wall) }
          }
        }
      },
      Row("not overridden, depth \(depth)", atMost: 4, of: existential) { count in
        try under(depth, of: resolver) {
          for _ in 0..<count { _ = try resolver.resolve((any Mailer).self) }
        }
      },
    ]
  }

  /// The most frequent overrides: blocks and declared dependencies. Also creation by production
  /// under a layer.
  private static func made() -> [Row] {
    let resolver = stocked()
    return [
      Row("overridden, declared, by a value", atMost: 5, of: existential) { count in
        withOverrides {
          $0.override({ $0.mailer }, lifecycle: .cached) { SMTPMailer(2) }
        } operation: {
          for _ in 0..<count { _ = Resolver.main.resolve { $0.mailer } }
        }
      },
      Row("overridden, by a block", atMost: 5, of: direct) { count in
        try withOverrides(of: resolver) {
          $0.register { Small() }
        } operation: {
          for _ in 0..<count { _ = try resolver.resolve(Small.self) }
        }
      },
      Row("overridden, declared, by a block", atMost: 5, of: direct) { count in
        withOverrides {
          $0.override({ $0.small }) { Small() }
        } operation: {
          for _ in 0..<count { _ = Resolver.main.resolve { $0.small } }
        }
      },
      Row("unique, by type, under a layer", atMost: 4, of: direct) { count in
        try under(1, of: resolver) {
          for _ in 0..<count { _ = try resolver.resolve(Small.self) }
        }
      },
      Row("unique, declared, under a layer", atMost: 4, of: direct) { count in
        under(1, of: .main) {
          for _ in 0..<count { _ = Resolver.main.resolve { $0.small } }
        }
      },
      Row("a graph of four, declared, under a layer", atMost: 4, of: byHand) { count in
        under(1, of: .main) {
          for _ in 0..<count { _ = Resolver.main.resolve { $0.tree } }
        }
      },
    ]
  }

  private static func pushed(at depth: Int) -> Row {
    let resolver = stocked()
    let mailer: any Mailer = SMTPMailer(3)
    return Row("push and pop, depth \(depth)", atMost: 7, of: push) { count in
      under(depth, of: resolver) {
        for _ in 0..<count {
          withOverrides(of: resolver, named: "pushed") {
            $0.register(mailer)
          } operation: {
            nothing()
          }
        }
      }
    }
  }

  /// A typical test: one request for each key, and many for one of them.
  private static func testCase() -> Row {
    let resolver = stocked()
    return Row("a case of 5 overrides and 20 resolutions") { count in
      for _ in 0..<count {
        try withOverrides(of: resolver, named: "case", isBoundary: true) {
          $0.register(SMTPMailer(2) as any Mailer)
          $0.register(FillerDouble() as any Filler)
          $0.register { Small() }
          $0.register(2 as Int)
          $0.register("two")
        } operation: {
          for _ in 0..<16 { _ = try resolver.resolve((any Mailer).self) }
          _ = try resolver.resolve((any Filler).self)
          _ = try resolver.resolve(Small.self)
          _ = try resolver.resolve(Int.self)
          _ = try resolver.resolve(String.self)
        }
      }
    }
  }

  /// Registers each value under its own name. The row includes the growth of the table, and its
  /// release.
  private static func registering() -> Row {
    Row("registering, under a name") { count in
      let resolver = Resolver()
      for index in 0..<count { resolver.register(SMTPMailer(index), named: index) }
    }
  }

  private static func under(_ depth: Int, of resolver: Resolver, _ body: () throws -> Void) rethrows
  {
    guard depth > 0 else { return try body() }
    try withOverrides(of: resolver) {
      $0.register(FillerDouble() as any Filler)
    } operation: {
      try under(depth - 1, of: resolver, body)
    }
  }
}
