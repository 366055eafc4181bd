// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing
import UnderstudyTesting

/// Settings and services from the user's files.
struct `The settings of the program` {
  @Test func `come from a file, JSON or a property list, over the defaults`() throws {
    try Scene.play { scene in
      try scene.write(
        #"{"store": "cash", "outbox": "letters"}"#, to: "mine.json")
      let sale = try scene.run(
        "sell", "--performance", "ghost-light", "--seats", "A1", "--settings", "mine.json")
      #expect(sale.complaint == "")
      #expect(sale.output.hasSuffix("The receipt is in cash/letters.\n"))
      #expect(
        try Set(scene.contents(of: "cash").keys)
          == ["letters/receipt-1.txt", "sales.json", "sales.lock"])

      try scene.write(
        "<plist><dict><key>store</key><string>cash</string></dict></plist>", to: "mine.plist")
      let report = try scene.run("report", "--settings", "mine.plist")
      #expect(report.output.contains("ghost-light      1 of 4   12.50 GBP"))
    }
  }

  @Test func `of an option win over settings of a file`() throws {
    try Scene.play { scene in
      try scene.write(#"{"store": "cash"}"#, to: "mine.json")
      _ = try scene.run(
        "sell", "--performance", "ghost-light", "--seats", "A1", "--settings", "mine.json",
        "--store", "other")
      #expect(try scene.contents(of: "").keys.contains("other/sales.json"))
      #expect(!(try scene.contents(of: "").keys.contains("cash/sales.json")))
    }
  }

  /// The price of a seat of 32.00, ninety minutes before the curtain.
  @Test(arguments: [
    (#"{}"#, 3200), (#"{"pricing": {"standby": {"minutes": 90}}}"#, 1600),
    (#"{"pricing": {"standby": {"minutes": 90, "percent": 25}}}"#, 2400),
  ])
  func `determine the price of a seat before the curtain`(json: String, price: Int) throws {
    try Scene.play { scene in
      try scene.write(json, to: "mine.json")
      let house = Resolver(named: "house")
      let now = try Date.friday - 90 * 60
      let console = ConsoleSpy()
      let store = MemoryStore()
      withOverrides(of: house) {
        $0.override(\.console) { console }
        $0.override(\.clock) { StoppedClock(at: now) }
        $0.register { store as any SalesStore }
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        let status = Program.run(
          [
            "sell", "--performance", "hamlet-fri", "--seats", "A1",
            "--store", scene.file("store").path, "--settings", scene.file("mine.json").path,
          ], on: house)
        #expect(status == .done)
      }
      #expect(console.complains.calls == [])
      #expect(store.sales().map(\.total) == [Money(minorUnits: price)])
    }
  }

  @Test(arguments: [
    (
      #"{"stor": "cash"}"#,
      "Setting `stor` from mine.json line 1: there is no such setting. Did you mean 'store'?"
    ),
    (
      #"{"store": ""}"#,
      "Setting `store` from mine.json line 1, over settings.json: it is empty."
    ),
    (
      #"{"store": null, "season": null}"#,
      "Setting `store` from mine.json line 1, over settings.json: it is empty."
    ),
    (
      #"{"store": 7}"#,
      "Setting `store` from mine.json line 1, over settings.json: it is an integer, and not a path."
    ),
    (
      #"{"outbox": null}"#,
      "Setting `outbox` from mine.json line 1, over settings.json: it is empty."
    ),
    (
      "{\"pricing\": {\"standby\":\n {\"minutes\": -1}}}",
      "Setting `pricing.standby.minutes` from mine.json line 2, over settings.json: "
        + "-1 is not a number of minutes from 0 to 1000000."
    ),
    (
      #"{"pricing": {"standby": {"minutes": "soon"}}}"#,
      "Expected 'Int', found a string. "
        + "(Property 'pricing.standby.minutes'; At mine.json:1:37)"
    ),
    (
      #"{"pricing": 5}"#,
      "Setting `pricing` from mine.json line 1, over settings.json: "
        + "it is an integer, and not an object."
    ),
    (
      "{\"pricing\":\n {\"standby\": [1, 2]}}",
      "Setting `pricing.standby` from mine.json line 2, over settings.json: "
        + "it is an array, and not an object."
    ),
    (
      "{\"store\": \"a\",\n \"store\": \"b\"}",
      "The key \"store\" is there twice. (At mine.json:2:2)"
    ),
  ])
  func `that are wrong are reported with their place, and nothing is done`(
    json: String, complaint: String
  ) throws {
    try Scene.play { scene in
      try scene.write(json, to: "mine.json")
      let outcome = try scene.run("report", "--settings", "mine.json")
      #expect(outcome.status == ProgramStatus.file.rawValue)
      #expect(outcome.complaint == "box-office: \(complaint)\n")
      #expect(outcome.output == "")
      #expect(try scene.contents(of: "").keys.sorted() == ["mine.json"])
    }
  }
}

struct `The mailer of the program` {
  @Test func `is the one in a file of services`() throws {
    try Scene.play { scene in
      try scene.write(
        #"{"services": {"mailer": {"class": "BoxOffice.LetterBox"}}}"#, to: "services.json")
      let sale = try scene.run(
        "sell", "--performance", "ghost-light", "--seats", "A1", "--services", "services.json")
      #expect(sale.complaint == "")
      #expect(sale.output == "Sold A1 for 'ghost-light' to a patron: 12.50 GBP, sale 1.\n")
      #expect(
        try scene.contents(of: "box-office-data").keys.sorted() == ["sales.json", "sales.lock"])
    }
  }

  @Test func `may not be misspelt in a file of services`() throws {
    try Scene.play { scene in
      try scene.write(
        #"{"services": {"mailr": {"class": "BoxOffice.LetterBox"}}}"#, to: "mine.json")
      let outcome = try scene.run("report", "--services", "mine.json")
      #expect(outcome.status == ProgramStatus.file.rawValue)
      #expect(
        outcome.complaint == """
          box-office: Services file 'mine.json' defines 'mailr', and the program has no such \
          service. Did you mean 'mailer'?

          """)
      #expect(try scene.contents(of: "").keys.sorted() == ["mine.json"])
    }
  }

  @Test func `may only be one that the program offers`() throws {
    try Scene.play { scene in
      try scene.write(
        #"{"services": {"mailer": {"class": "BoxOffice.LeterBox"}, "x": "@nobody"}}"#,
        to: "services.json")
      let outcome = try scene.run("report", "--services", "services.json")
      #expect(outcome.status == ProgramStatus.file.rawValue)
      #expect(
        outcome.complaint == """
          box-office: Nothing is named 'nobody'. (Service 'x'; At services.json:1:63)
          box-office: The catalogue does not offer 'BoxOffice.LeterBox'. (Service 'mailer'; \
          At services.json:1:35; Did you mean 'BoxOffice.LetterBox'?)

          """)
    }
  }
}

extension Date {
  /// The start of 'hamlet-fri'.
  fileprivate static var friday: Date {
    get throws { try Date("2039-10-07T19:30:00Z", strategy: .iso8601) }
  }
}
