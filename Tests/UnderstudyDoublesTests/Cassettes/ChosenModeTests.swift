// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

/// `UNDERSTUDY_CASSETTES` chooses the mode of all cassettes of a process.
@Suite struct `The environment of a cassette` {
  private static let variable = "UNDERSTUDY_CASSETTES"

  @Test(arguments: Cassette.Mode.allCases, Cassette.Mode.allCases)
  func `chooses its mode, whatever the test asks for`(
    mode: Cassette.Mode, asked: Cassette.Mode
  ) throws {
    let folder = try Folder()
    for text in ["\(mode)", "\(mode)".uppercased()] {
      #expect(try folder.cassette(asked, environment: [Self.variable: text]).mode == mode)
    }
  }

  @Test(arguments: Cassette.Mode.allCases)
  func `with an empty variable leaves the mode as it is`(asked: Cassette.Mode) throws {
    #expect(try Folder().cassette(asked, environment: [Self.variable: ""]).mode == asked)
  }

  @Test(arguments: [(Cassette.Mode.once, Cassette.Mode.none), (.all, .none), (.live, .live)])
  func `lets nothing be recorded in CI`(chosen: Cassette.Mode, mode: Cassette.Mode) throws {
    let environment = [Self.variable: "\(chosen)", "CI": "true"]
    #expect(try Folder().cassette(.live, environment: environment).mode == mode)
  }

  @Test func `that names no mode is an error of each cassette`() throws {
    let error = #expect(throws: CassetteError.self) {
      try Folder().cassette(environment: [Self.variable: "record"])
    }
    #expect(error?.kind == .unknownMode)
    #expect(
      error?.description == """
        The environment variable UNDERSTUDY_CASSETTES names no mode of a cassette.
          Value  record
          Modes  once, none, all, live
        To fix, do one of these:
          • Set it to one of the modes.
          • Remove it:  unset UNDERSTUDY_CASSETTES
        """)
  }

  @Test func `records all calls again in the mode all`() throws {
    let folder = try Folder()
    func fetch(_ number: Int, adding sum: Int, environment: [String: String]) throws -> Int {
      let fetches = Spy<Int, Int, any Error>("fetch(_:)")
      fetches.plays(try folder.cassette(Cassette.Mode.none, environment: environment)) { $0 + sum }
      defer { _ = fetches.finish() }
      return try fetches(number)
    }
    try #expect(fetch(1, adding: 1, environment: [Self.variable: "once"]) == 2)
    try #expect(fetch(1, adding: 2, environment: [Self.variable: "all"]) == 3)
    try #expect(fetch(1, adding: 4, environment: [:]) == 3)
  }

  @Test func `is named by the error of a missing recording`() throws {
    let cassette = try Folder().cassette(.once, environment: [Self.variable: "none"])
    let request = Interaction.Request(member: "fetch(_:)", arguments: [.integer(1)])
    let text = cassette.missing("fetch(1)", request, recordedTimes: 0).description
    #expect(text.contains("run once without CI set, with UNDERSTUDY_CASSETTES=once"))
  }

  @Test func `is the environment of the process`() async {
    await #expect(processExitsWith: .success) {
      setenv("CI", "", 1)
      setenv("UNDERSTUDY_CASSETTES", "live", 1)
      let cassettes = [
        try Cassette(at: try Folder().file), try Cassette(named: "nothing", mode: .none),
      ]
      #expect(cassettes.map(\.mode) == [.live, .live])
    }
  }
}
