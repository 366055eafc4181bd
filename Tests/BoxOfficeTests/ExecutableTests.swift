// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing

struct `The executable` {
  /// The mangled name of a Swift symbol contains its module's name after the length of that name.
  @Test func `links only modules that it imports`() throws {
    let program = try Data(contentsOf: Scene.executable, options: .alwaysMapped)
    func isLinked(_ module: String) -> Bool {
      program.range(of: Data("\(module.utf8.count)\(module)".utf8)) != nil
    }
    let own = ["Understudy", "UnderstudyCompatibility", "UnderstudyDefinitions"]
    #expect(own.filter(isLinked) == own)
    let others = ["Essentials", "Doubles", "Graph", "Testing", "Tool"].map { "Understudy\($0)" }
    #expect(others.filter(isLinked) == [])
  }

  @Test func `rehearses and leaves the store unchanged, byte for byte`() throws {
    try Scene.play { scene in
      let sale = try scene.run("sell", "--performance", "ghost-light", "--seats", "A1")
      #expect(sale.status == 0)
      let before = try scene.contents(of: "box-office-data")
      let rehearsal = try scene.run("rehearse", "--performance", "ghost-light")
      #expect(rehearsal.status == 0)
      #expect(rehearsal.complaint == "")
      #expect(rehearsal.output.contains("Sold A2 and A3 for 'ghost-light'"))
      #expect(rehearsal.output.contains("any Mailer  made by layer 'rehearsal'"))
      #expect(try scene.contents(of: "box-office-data") == before)
      #expect(Set(before.keys).isSuperset(of: ["sales.json", "outbox/receipt-1.txt"]))
    }
  }

  @Test func `rehearses without earlier sales and creates no file`() throws {
    try Scene.play { scene in
      try #expect(scene.run("rehearse").status == 0)
      try #expect(scene.contents(of: "") == [:])
    }
  }

  @Test(arguments: Try.all)
  func `reports an error in one line, and with its status`(attempt: Try) throws {
    try Scene.play { scene in
      try scene.write("{}", to: "bad.json")
      try scene.write("{}", to: "damaged/sales.json")
      let first = try scene.run("sell", "--performance", "ghost-light", "--seats", "A1")
      #expect(first.status == 0)
      let sales = try Data(contentsOf: scene.file("box-office-data/sales.json"))
      let outcome = try scene.start(attempt.words).outcome()
      #expect(outcome.status == attempt.status.rawValue)
      #expect(outcome.complaint == attempt.complaint.map { "box-office: \($0)\n" } ?? "")
      guard attempt.status != .done else { return }
      #expect(outcome.output == "")
      #expect(try Data(contentsOf: scene.file("box-office-data/sales.json")) == sales)
      #expect(try scene.contents(of: "damaged")["sales.json"] == Data("{}".utf8))
    }
  }

  @Test func `says that a performance is sold out, and leaves the sales unchanged`() throws {
    try Scene.play { scene in
      let all = try scene.run("sell", "--performance", "ghost-light", "--seats", "A1,A2,A3,A4")
      #expect(all.status == 0)
      let before = try scene.contents(of: "box-office-data")
      let refused = try scene.run("sell", "--performance", "ghost-light", "--seats", "A1")
      #expect(refused.status == ProgramStatus.refused.rawValue)
      #expect(refused.complaint == "box-office: 'ghost-light' is sold out.\n")
      #expect(refused.output == "")
      #expect(before["sales.json"] != nil)
      #expect(try scene.contents(of: "box-office-data") == before)
    }
  }

  @Test func `keeps a sale whose receipt cannot be written`() throws {
    try Scene.play { scene in
      try scene.write("", to: "box-office-data/outbox")
      let outcome = try scene.run("sell", "--performance", "ghost-light", "--seats", "A1")
      #expect(outcome.status == ProgramStatus.file.rawValue)
      #expect(
        outcome.complaint
          == "box-office: Sale 1 is made and kept, but its receipt could not be written: "
          + "File exists.\n")
      let store = FileStore(directory: scene.file("box-office-data"))
      #expect(try store.sales().map(\.number) == [1])
    }
  }

  @Test func `sells a seat once, to one of many concurrent buyers`() throws {
    try Scene.play { scene in
      let running = try (1...12).map {
        try scene.start(
          ["sell", "--performance", "ghost-light", "--seats", "A1", "--patron", "\($0)"])
      }
      let outcomes = try running.map { try $0.outcome() }
      #expect(outcomes.map(\.status).sorted() == [0] + Array(repeating: 1, count: 11))
      let sales = try FileStore(directory: scene.file("box-office-data")).sales()
      #expect(sales.map(\.seats) == [[Seat(row: "A", number: 1)]])
    }
  }

  @Test func `loses none of many concurrent sales`() throws {
    try Scene.play { scene in
      let running = try (1...10).map {
        try scene.start(["sell", "--performance", "hamlet-fri", "--seats", "B\($0)"])
      }
      for process in running { #expect(try process.outcome().status == 0) }
      let sales = try FileStore(directory: scene.file("box-office-data")).sales()
      #expect(sales.map(\.number) == Array(1...10))
      #expect(
        sales.soldSeats(for: "hamlet-fri") == Set((1...10).map { Seat(row: "B", number: $0) }))
    }
  }
}

/// A command line, and its outcome if A1 of 'ghost-light' is sold.
struct Try: CustomTestStringConvertible, Sendable {
  let words: [String]
  let status: ProgramStatus
  let complaint: String?

  var testDescription: String { words.joined(separator: " ") }

  private init(_ line: String, is status: ProgramStatus, _ complaint: String? = nil) {
    words = line.split(separator: " ").map(String.init)
    self.status = status
    self.complaint = complaint
  }

  private init(seat: String, of performance: String, _ complaint: String) {
    words = ["sell", "--performance", performance, "--seats", seat]
    status = .refused
    self.complaint = complaint
  }

  static let all = [
    Try("help", is: .done),
    Try("sell --performance ghost-light --seats A4", is: .done),
    Try(seat: "A1", of: "ghost-light", "Seat A1 for 'ghost-light' is sold already."),
    Try(seat: "A5", of: "ghost-light", "No seat A5 for 'ghost-light'. The house has A1 to A4."),
    Try(
      seat: "A2", of: "ghost-lite", "No performance 'ghost-lite'. Did you mean 'ghost-light'?"),
    Try(
      seat: "A2", of: "two\nlines",
      #"No performance 'two\nlines'. "#
        + "There are hamlet-fri, hamlet-sat, seagull-matinee and ghost-light."),
    Try("sall", is: .usage, "No command 'sall'. Did you mean 'sell'?"),
    Try(
      "report --season none.json", is: .file,
      "Cannot read 'none.json': No such file or directory."),
    Try(
      "report --season bad.json", is: .file,
      "Season file 'bad.json' is malformed: 'house' is missing."),
    Try(
      "sell --performance ghost-light --seats A2 --store bad.json", is: .file,
      "Cannot keep sales in 'bad.json': File exists. Nothing was sold."),
    Try(
      "sell --performance ghost-light --seats A2 --store damaged", is: .file,
      "Sales file 'damaged/sales.json' is damaged: 'version' is missing. It was left as it is."),
  ]
}
