// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Testing
import UnderstudyTesting

private let reportOptions = ["--season", "--store", "--settings", "--services"]

struct `A wrong command line` {
  @Test(
    arguments: [
      ([], .noCommand(known: ["sell", "report", "rehearse", "help"])),
      (["sel"], .unknownCommand("sel", known: ["sell", "report", "rehearse", "help"])),
      (
        ["report", "--stor", "x"],
        .unknownOption("--stor", command: "report", known: reportOptions)
      ),
      (
        ["report", "--patron=x"],
        .unknownOption("--patron", command: "report", known: reportOptions)
      ),
      (["help", "-v"], .unknownOption("-v", command: "help", known: [])),
      (["sell", "A1"], .unexpectedWord("A1", command: "sell")),
      (["sell", "--seats"], .valueMissing(option: "--seats")),
      (["sell", "--seats", "--patron", "Ada"], .valueMissing(option: "--seats")),
      (["sell", "--seats="], .valueMissing(option: "--seats")),
      (["sell", "--seats", "A1", "--seats", "A2"], .optionRepeated("--seats")),
      (["sell", "--seats", "A1"], .optionMissing("--performance", command: "sell")),
      (["sell", "--performance", "x"], .optionMissing("--seats", command: "sell")),
      (["sell", "--performance", "x", "--seats", "A1,7"], .notASeat("7")),
      (["sell", "--performance", "x", "--seats", "A1,"], .notASeat("A1,")),
      (["sell", "--performance", "x", "--seats", "A0"], .notASeat("A0")),
      (["sell", "--performance", "x", "--seats", "A1,a1"], .seatRepeated("A1")),
      (
        ["sell", "--performance", "x", "--seats", "A1", "--discount", "101"],
        .notADiscount("101")
      ),
    ] as [([String], BoxOfficeError)])
  func `is reported once, and nothing else is done`(
    words: [String], error: BoxOfficeError
  ) throws {
    let console = ConsoleSpy()
    let house = Resolver()
    withOverrides(of: house) {
      $0.override(\.console) { console }
    } operation: {
      #expect(Program.run(words, on: house) == .usage)
      #expect(OverrideLayer.current?.log.count(of: (any SalesStore).self) == 0)
    }
    #expect(console.complains.calls == [error.description])
    #expect(console.says.calls.isEmpty)
  }
}

struct `An error message` {
  @Test(arguments: [
    (
      BoxOfficeError.noSuchPerformance("hamlet-fry", known: ["hamlet-fri", "hamlet-sat"]),
      "No performance 'hamlet-fry'. Did you mean 'hamlet-fri'?"
    ),
    (
      .noSuchPerformance("hamlet", known: ["lear", "hamlet-fri", "hamlet-sat"]),
      "No performance 'hamlet'. Did you mean 'hamlet-fri' or 'hamlet-sat'?"
    ),
    (
      .noSuchPerformance("lear", known: ["godot"]),
      "No performance 'lear'. There is only godot."
    ),
    (
      .seatsTaken(["A1", "A2"], performance: "godot"),
      "Seats A1 and A2 for 'godot' are sold already."
    ),
    (.seatsTaken(["A1"], performance: "godot"), "Seat A1 for 'godot' is sold already."),
    (
      .noSuchSeats(["Z1"], performance: "godot", rows: ["A1 to A2", "B1"]),
      "No seat Z1 for 'godot'. The house has A1 to A2 and B1."
    ),
    (
      .unknownOption("-v", command: "help", known: []),
      "'help' has no option '-v'. There is none."
    ),
    (.soldOut(performance: "godot"), "'godot' is sold out."),
    (
      .unwritable(path: "x/y", reason: "Not a directory"),
      "Cannot keep sales in 'x/y': Not a directory. Nothing was sold."
    ),
    (
      .malformedSeason(file: "s.json", place: "performances[1].id", problem: "it is empty"),
      "Season file 's.json' is malformed at performances[1].id: it is empty."
    ),
    (
      .badSetting("`store` from a.json line 2, over settings.json", problem: "it is empty"),
      "Setting `store` from a.json line 2, over settings.json: it is empty."
    ),
    (
      .damagedSales(file: "sales.json", place: nil, problem: "it is empty"),
      "Sales file 'sales.json' is damaged: it is empty. It was left as it is."
    ),
  ])
  func `explains the mistake and lists the choices`(error: BoxOfficeError, text: String) {
    #expect(error.description == text)
  }
}
