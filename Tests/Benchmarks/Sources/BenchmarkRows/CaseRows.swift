// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The cost of a whole test: it pushes a layer, makes its requests once or twice each, and ends.
enum CaseRows {
  static let byHand = "reference: a case by hand"

  static func all() -> [Row] {
    registerServices()
    return [
      Row(byHand) { for _ in 0..<$0 { caseByHand() } },
      Row("a case, by type", atMost: 12, of: byHand, weight: 100) {
        for _ in 0..<$0 { try caseByType(asking: 1) }
      },
      Row("a case, declared", atMost: 12, of: byHand, weight: 100) {
        for _ in 0..<$0 { caseDeclared(asking: 1) }
      },
      Row("a case, by type, asked twice", atMost: 15.6, of: byHand, weight: 100) {
        for _ in 0..<$0 { try caseByType(asking: 2) }
      },
      Row("a case, declared, asked twice", atMost: 15.6, of: byHand, weight: 100) {
        for _ in 0..<$0 { caseDeclared(asking: 2) }
      },
      Row("a case, nothing asked", atMost: 1.7, of: byHand, weight: 100) {
        for _ in 0..<$0 {
          withOverrides {
            overridesByType($0)
          } operation: {
            nothing()
          }
        }
      },
    ]
      + [1, 4, 16, 64].map { depth in
        Row(layer(depth), atMost: 1.2, of: layer(1), weight: 100) { count in
          try under(depth - 1) {
            for _ in 0..<count { try askedUnderALayer() }
          }
        }
      }
  }

  private static func layer(_ depth: Int) -> String {
    "a layer pushed, asked 20 times and ended, depth \(depth)"
  }

  /// The services of an app, in its resolver.
  private static func registerServices() {
    let main = Resolver.main
    main.register(lifecycle: .cached) { Service0() }
    main.register { Service1() }
    main.register(lifecycle: .cached) { Service2() }
    main.register { Service3() }
    main.register(lifecycle: .cached) { Service4() }
    main.register { Service5() }
    main.register(lifecycle: .cached) { Service6() }
    main.register { Service7() }
    main.register(lifecycle: .cached) { Service8() }
    main.register { Service9() }
    main.register(lifecycle: .cached) { Service10() }
    main.register { Service11() }
    main.register(lifecycle: .cached) { Service12() }
    main.register { Service13() }
    main.register(lifecycle: .cached) { Service14() }
    main.register { Service15() }
    main.register(lifecycle: .cached) { Service16() }
    main.register { Service17() }
    main.register(lifecycle: .cached) { Service18() }
    main.register { Service19() }
  }

  private static func caseByHand() {
    var world = World.current
    let doubles = (Service0(), Service3(), Service6(), Service9(), Service12())
    world.service0 = { doubles.0 }
    world.service3 = { doubles.1 }
    world.service6 = { doubles.2 }
    world.service9 = { doubles.3 }
    world.service12 = { doubles.4 }
    World.$current.withValue(world) {
      use(
        ModelByHand0().sum + ModelByHand1().sum + ModelByHand2().sum + ModelByHand3().sum
          + ModelByHand4().sum)
      let world = World.current
      use(
        world.service15().number + world.service16().number + world.service17().number
          + world.service18().number + world.service19().number)
    }
  }

  private static func overridesByType(_ layer: OverrideLayer) {
    layer.register(Service0())
    layer.register(Service3())
    layer.register(Service6())
    layer.register(Service9())
    layer.register(Service12())
  }

  private static func caseByType(asking times: Int) throws {
    try withOverrides {
      overridesByType($0)
    } operation: {
      for _ in 0..<times {
        use(Model0().sum + Model1().sum + Model2().sum + Model3().sum + Model4().sum)
        let main = Resolver.main
        use(try main.resolve(Service15.self).number)
        use(try main.resolve(Service16.self).number)
        use(try main.resolve(Service17.self).number)
        use(try main.resolve(Service18.self).number)
        use(try main.resolve(Service19.self).number)
      }
    }
  }

  private static func caseDeclared(asking times: Int) {
    withOverrides {
      $0.override(\.service0, with: Service0())
      $0.override(\.service3, with: Service3())
      $0.override(\.service6, with: Service6())
      $0.override(\.service9, with: Service9())
      $0.override(\.service12, with: Service12())
    } operation: {
      for _ in 0..<times {
        use(
          DeclaredModel0().sum + DeclaredModel1().sum + DeclaredModel2().sum + DeclaredModel3().sum
            + DeclaredModel4().sum)
        let main = Resolver.main
        use(main.resolve(\.service15).number)
        use(main.resolve(\.service16).number)
        use(main.resolve(\.service17).number)
        use(main.resolve(\.service18).number)
        use(main.resolve(\.service19).number)
      }
    }
  }

  private static func askedUnderALayer() throws {
    try withOverrides {
      $0.register(Service0())
    } operation: {
      let main = Resolver.main
      for _ in 0..<10 {
        use(try main.resolve(Service0.self).number)
        use(try main.resolve(Service2.self).number)
      }
    }
  }

  /// Runs `body` under `depth` layers that override an unrelated key.
  private static func under(_ depth: Int, _ body: () throws -> Void) rethrows {
    guard depth > 0 else { return try body() }
    try withOverrides {
      $0.register(Service4())
    } operation: {
      try under(depth - 1, body)
    }
  }
}

@inline(never) @_optimize(none)
private func use(_ number: Int) {}
