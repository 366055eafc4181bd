// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import UnderstudyTesting
import XCTest

/// The whole program in the test's process, with a fake console as the only double.
final class ProgramCase: OverridesTestCase {
  private let house = Resolver(named: "house")
  private let console = ConsoleSpy()

  override var overriddenResolver: Resolver { house }

  /// The mailer writes into a folder of the case. Elsewhere the live guard forbids it.
  override var allowedTypes: [any Any.Type] { [(any Mailer).self] }

  override func overrides(_ layer: OverrideLayer) {
    layer.override(\.console) { [console] in console }
  }

  func testHelpIsSaidWhereverItIsAskedFor() {
    XCTAssertEqual(Program.run(["help"], on: house), .done)
    XCTAssertEqual(Program.run(["sell", "--help"], on: house), .done)
    XCTAssertEqual(console.says.calls.count, 2)
    XCTAssertEqual(Set(console.says.calls).count, 1)
    XCTAssertEqual(console.complains.calls, [])
  }

  func testASaleIsReported() throws {
    try Scene.play { scene in
      let store = scene.file("store").path
      XCTAssertEqual(
        Program.run(
          [
            "sell", "--performance", "ghost-light", "--seats", "A1,a2", "--patron=Ada",
            "--discount", "50", "--store", store,
          ], on: house), .done)
      XCTAssertEqual(Program.run(["report", "--store", store], on: house), .done)
      XCTAssertEqual(
        console.says.calls,
        [
          "Sold A1 and A2 for 'ghost-light' to Ada: 12.50 GBP, sale 1.",
          "The receipt is in \(store)/outbox.",
          """
          Performance      Sold       Takings
          hamlet-fri       0 of 18   0.00 GBP
          hamlet-sat       0 of 18   0.00 GBP
          seagull-matinee  0 of 18   0.00 GBP
          ghost-light      2 of 4   12.50 GBP
          Total            2        12.50 GBP
          """,
        ])
      assertResolved(\.console, count: 2)
      assertResolved((any Mailer).self, count: 1)
    }
  }

  func testAReportLeavesOutNoSaleOfAnotherSeason() throws {
    overrides.register { SeasonStub() as any SeasonSource }
    overrides.register {
      MemoryStore([
        .earlier,
        Sale(
          number: 2, performance: "endgame", seats: [.a1, .a2], patron: "Ada",
          total: Money(minorUnits: 12345), soldAt: .dayBefore),
      ]) as any SalesStore
    }
    XCTAssertEqual(Program.run(["report"], on: house), .done)
    XCTAssertEqual(
      console.says.calls,
      [
        """
        Performance  Sold                 Takings
        godot        1 of 3             30.00 GBP
        endgame      2, not in season  123.45 GBP
        Total        3                 153.45 GBP
        """
      ])
  }

  func testAProductionThatIsOverriddenIsNotTouched() throws {
    try Scene.play { scene in
      let store = MemoryStore()
      let mailer = MailerSpy()
      overrides.register { store as any SalesStore }
      overrides.register { mailer as any Mailer }
      let words = [
        "sell", "--performance", "hamlet-fri", "--seats", "B10",
        "--store", scene.file("store").path,
      ]
      XCTAssertEqual(Program.run(words, on: house), .done)
      XCTAssertEqual(store.sales().count, 1)
      XCTAssertEqual(mailer.sends.calls.map(\.sale), [1])
      XCTAssertEqual(try scene.contents(of: ""), [:])
    }
  }
}
