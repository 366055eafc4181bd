// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing
import UnderstudyTesting

/// The suite's layer is pushed for each test anew, so tests share no instances.
@Suite(
  .overrides {
    $0.register { SeasonStub() as any SeasonSource }
    $0.register(lifecycle: .cached) { MemoryStore() as any SalesStore }
    $0.register { LetterBox() as any Mailer }
    $0.override(\.clock) { StoppedClock(at: .dayBefore) }
  })
struct `The till` {
  @Test func `a sale is stored`() throws {
    let sale = try Till().sell([.a1, .b1], for: "godot", to: "Ada")
    let store = try Resolver.main.resolve((any SalesStore).self)
    #expect(try store.sales() == [sale])
    #expect(
      sale
        == Sale(
          number: 1, performance: "godot", seats: [.a1, .b1], patron: "Ada",
          total: Money(minorUnits: 5000), soldAt: .dayBefore))
  }

  @Test(.overrides { $0.register { MemoryStore([.earlier]) as any SalesStore } })
  func `the layer of a test is on top of the layer of its suite`() throws {
    let sale = try Till().sell([.a2], for: "godot", to: "Ada")
    #expect(sale.number == 2)
  }

  @Test func `all dependencies of a till are resolved once, when it is created`() throws {
    _ = try Till().sell([.a1, .a2, .b1], for: "godot", to: "Ada")
    assertResolved((any SeasonSource).self, count: 1)
    assertResolved((any SalesStore).self, count: 1)
    assertResolved((any Mailer).self, count: 1)
    assertResolved(\.pricing, count: 1)
    assertResolved(\.clock, count: 1)
    assertNeverResolved(\.console)
  }

  @Test func `two tills share a cached store, and have a mailer each`() throws {
    _ = try Till().sell([.a1], for: "godot", to: "Ada")
    _ = try Till().sell([.a2], for: "godot", to: "Ben")
    assertResolved((any SalesStore).self, count: 2)
    assertCreated((any SalesStore).self, count: 1)
    assertCreated((any Mailer).self, count: 2)
  }

  @Test func `a decorator spies on the working store below it`() throws {
    let till = try withOverrides {
      $0.decorate((any SalesStore).self) { StoreSpy($0) }
    } operation: {
      let spy = try #require(try Resolver.main.resolve((any SalesStore).self) as? StoreSpy)
      let sale = try Till().sell([.a1], for: "godot", to: "Ada")
      #expect(spy.adds.calls == [sale])
      return Till()
    }
    // The layer and its spy are gone. The store below the spy has the sale.
    #expect(try Resolver.main.resolve((any SalesStore).self) is MemoryStore)
    #expect(throws: BoxOfficeError.seatsTaken(["A1"], performance: "godot")) {
      try till.sell([.a1], for: "godot", to: "Ben")
    }
  }

  @Test(arguments: [
    (
      ["A1", "A3"], "godot",
      BoxOfficeError.noSuchSeats(["A3"], performance: "godot", rows: ["A1 to A2", "B1"])
    ),
    (["A1"], "godod", .noSuchPerformance("godod", known: ["godot"])),
    (["A1"], "godot", .seatsTaken(["A1"], performance: "godot")),
    (["A2", "A1"], "godot", .seatsTaken(["A1"], performance: "godot")),
  ])
  func `a refused sale is not stored and not mailed`(
    seats: [String], performance: String, refusal: BoxOfficeError
  ) {
    let mailer = MailerSpy()
    let store = MemoryStore([.earlier])
    withOverrides {
      $0.register { mailer as any Mailer }
      $0.register { store as any SalesStore }
    } operation: {
      _ = #expect(throws: refusal) {
        try Till().sell(Seat.list(seats.joined(separator: ",")), for: performance, to: "Ada")
      }
    }
    #expect(store.sales() == [.earlier])
    #expect(mailer.sends.calls.isEmpty)
  }

  @Test func `nothing is sold once the curtain is up`() {
    withOverrides {
      $0.override(\.clock) { StoppedClock(at: .curtain) }
    } operation: {
      _ = #expect(
        throws: BoxOfficeError.begun(performance: "godot", at: "2033-05-18 03:33 UTC")
      ) {
        try Till().sell([.a1], for: "godot", to: "Ada")
      }
    }
  }
}

extension Sale {
  /// An earlier sale of A1.
  static let earlier = Sale(
    number: 1, performance: "godot", seats: [.a1], patron: "Zoe", total: Money(minorUnits: 3000),
    soldAt: .dayBefore)
}
