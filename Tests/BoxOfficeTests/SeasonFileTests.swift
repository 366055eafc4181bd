// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing

struct `A season file` {
  @Test func `the program's sample is valid`() throws {
    let season = try SeasonFile(SeasonFile.sample).season()
    #expect(season.house == "The Prompt Corner")
    #expect(season.performances.map(\.seatCount) == [18, 18, 18, 4])
  }

  @Test(arguments: Malformed.all)
  func `a malformed value is reported with its place`(season: Malformed) throws {
    try Scene.play { scene in
      try scene.write(season.text, to: "season.json")
      let file = scene.file("season.json")
      #expect(
        throws: BoxOfficeError.malformedSeason(
          file: file.path, place: season.place, problem: season.problem)
      ) { try SeasonFile(file).season() }
    }
  }

  @Test func `invalid JSON is reported with its line`() throws {
    try Scene.play { scene in
      try scene.write("{\n  \"house\" \"The Fringe\"\n}", to: "season.json")
      let error = #expect(throws: BoxOfficeError.self) {
        try SeasonFile(scene.file("season.json")).season()
      }
      guard case .malformedSeason(_, let place, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(place?.hasPrefix("line 2, column ") == true)
    }
  }
}

/// A malformed season, and the expected message.
struct Malformed: CustomTestStringConvertible, Sendable {
  let text: String
  let place: String?
  let problem: String

  var testDescription: String { "\(place ?? "the file"): \(problem)" }

  static let all = [
    Malformed(text: "", place: nil, problem: "it is empty"),
    Malformed(text: "{}", place: nil, problem: "'house' is missing"),
    Malformed(performances: "", at: "", "there is none"),
    Malformed(
      starts: "tomorrow", at: "[0].starts",
      "'tomorrow' is not a moment such as 2039-10-07T19:30:00Z"),
    Malformed(
      starts: "2039-02-31T19:30:00Z", at: "[0].starts",
      "'2039-02-31T19:30:00Z' is not a moment such as 2039-10-07T19:30:00Z"),
    Malformed(rows: "", at: "[0].rows", "there is none"),
    Malformed(
      rows: #"{"name":"a","seats":1,"price":1}"#, at: "[0].rows[0].name",
      "'a' is not made of capital letters A to Z"),
    Malformed(
      rows: #"{"name":"A","seats":0,"price":1}"#, at: "[0].rows[0].seats",
      "0 is not a number of seats from 1 to 10000"),
    Malformed(
      rows: #"{"name":"A","seats":1.5,"price":1}"#, at: "[0].rows[0].seats",
      "it is not a whole number, or is too large"),
    Malformed(
      rows: #"{"name":"A","seats":1,"price":-1}"#, at: "[0].rows[0].price",
      "-1 is not a price from 0 to 100000000"),
    Malformed(
      rows: #"{"name":"A","seats":1,"price":null}"#, at: "[0].rows[0].price", "it is null"),
    Malformed(rows: #"{"name":"A","seats":1}"#, at: "[0].rows[0]", "'price' is missing"),
    Malformed(
      rows: #"{"name":"A","seats":1,"price":1},{"name":"A","seats":1,"price":1}"#,
      at: "[0].rows[1].name", "row 'A' is there twice"),
  ]
}

extension Malformed {
  private init(performances: String, at place: String, _ problem: String) {
    self.init(
      text: #"{"house":"H","currency":"GBP","performances":[\#(performances)]}"#,
      place: "performances\(place)", problem: problem)
  }

  private init(
    starts: String = "2039-10-07T19:30:00Z", rows: String = "", at place: String,
    _ problem: String
  ) {
    self.init(
      performances: #"{"id":"h","title":"H","starts":"\#(starts)","rows":[\#(rows)]}"#,
      at: place, problem)
  }
}
