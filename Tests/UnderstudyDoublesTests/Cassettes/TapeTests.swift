// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDoubles

/// The state machine of a cassette, as tables. `f12` is a call of `f` with the arguments 1 and 2.
@Suite struct TapeTests {
  struct Session: Sendable {
    var loaded: String
    var mode: Cassette.Mode
    var matching: Cassette.Matching
    var calls: String
    var steps: [String]
    var unplayed: String

    init(
      _ loaded: String, _ mode: Cassette.Mode, _ matching: Cassette.Matching, _ calls: String,
      _ steps: [String], unplayed: String
    ) {
      (self.loaded, self.mode, self.matching) = (loaded, mode, matching)
      (self.calls, self.steps, self.unplayed) = (calls, steps, unplayed)
    }

    static func request(_ call: Substring) -> Interaction.Request {
      Interaction.Request(
        member: String(call.prefix(1)),
        arguments: call.dropFirst().compactMap { $0.wholeNumberValue.map { .integer(Int64($0)) } })
    }

    static func requests(_ calls: String) -> [Interaction.Request] {
      calls.split(separator: " ").map(request)
    }

    static func interactions(_ calls: String) -> [Interaction] {
      requests(calls).enumerated().map { index, request in
        Interaction(request: request, outcome: .value(.integer(Int64(index))))
      }
    }

    static func text(_ requests: [Interaction.Request]) -> String {
      requests.map { $0.member + $0.arguments.map(\.line).joined() }.joined(separator: " ")
    }

    /// The steps of a tape with the loaded calls, one for each call, and the calls that were not
    /// played.
    func run() -> (steps: [String], unplayed: String) {
      var tape = Tape(Self.interactions(loaded), mode: mode, matching: matching)
      let steps = Self.requests(calls).map { request in
        switch tape.step(for: request) {
        case .play(.value(let value)): "play \(value.line)"
        case .play(.error(let error)): "throw \(error.type)"
        case .record(let ticket): "record \(ticket.occurrence) at \(ticket.place)"
        case .missing(let times): "missing \(times)"
        }
      }
      return (steps, Self.text(tape.unplayed))
    }

    /// The calls of a file after recordings that end in the given order of places in `calls`.
    func merged(_ order: [Int], into file: String, takingBack failed: Set<Int> = []) -> String {
      var tape = Tape(Self.interactions(loaded), mode: mode, matching: matching)
      var contents = Self.interactions(file)
      var tickets: [Int: Tape.Ticket] = [:]
      for (place, request) in Self.requests(calls).enumerated() {
        if case .record(let ticket) = tape.step(for: request) { tickets[place] = ticket }
      }
      for place in order {
        guard let ticket = tickets[place] else { continue }
        let after = tape.merge(.value(.null), for: ticket, into: contents)
        if failed.contains(place) { tape.takeBack(ticket) } else { contents = after }
      }
      return Self.text(contents.map(\.request))
    }
  }

  static let sessions: [Session] = [
    Session(
      "f1 f1 f2", .once, .arguments, "f1 f1 f1 f2 f3",
      ["play 0", "play 1", "record 2 at 2", "play 2", "record 0 at 4"], unplayed: ""),
    Session(
      "f1 f1 f2", .none, .arguments, "f1 f2 f2 f3", ["play 0", "play 2", "missing 1", "missing 0"],
      unplayed: "f1"),
    Session(
      "f1 f1", .none, .repeatingArguments, "f1 f1 f1 f3",
      ["play 0", "play 1", "play 1", "missing 0"], unplayed: ""),
    Session(
      "f1", .once, .repeatingArguments, "f1 f1 f3 f3",
      ["play 0", "play 0", "record 0 at 2", "record 1 at 3"], unplayed: ""),
    Session(
      "f1 f2 g1", .none, .sequence, "f9 g7 f9 f1 g1",
      ["play 0", "play 2", "play 1", "missing 2", "missing 1"], unplayed: ""),
    Session("f1", .once, .sequence, "f5 f6", ["play 0", "record 1 at 1"], unplayed: ""),
    Session("f1", .all, .arguments, "f1 f1", ["record 0 at 0", "record 1 at 1"], unplayed: "f1"),
  ]

  @Test(arguments: sessions.indices) func `finds a recording for each call`(index: Int) {
    let session = Self.sessions[index]
    let (steps, unplayed) = session.run()
    #expect(steps == session.steps)
    #expect(unplayed == session.unplayed)
  }

  struct Merge: Sendable {
    var loaded = ""
    var mode: Cassette.Mode
    var matching = Cassette.Matching.arguments
    var calls: String
    var order: [Int]
    var file = ""
    var failed: Set<Int> = []
    var result: String

    func run() -> String {
      Session(loaded, mode, matching, calls, [], unplayed: "").merged(
        order, into: file, takingBack: failed)
    }
  }

  static let merges: [Merge] = [
    Merge(mode: .once, calls: "f1 f2", order: [0, 1], result: "f1 f2"),
    // Calls are stored in the order in which they were made.
    Merge(mode: .once, calls: "f1 f2 f3", order: [2, 0, 1], result: "f1 f2 f3"),
    Merge(mode: .once, calls: "f1 f1", order: [1, 0], result: "f1 f1"),
    Merge(mode: .once, calls: "f1 f2", order: [1, 0], file: "g1", result: "g1 f1 f2"),
    Merge(mode: .once, calls: "g1 f1 f1", order: [1, 2, 0], result: "g1 f1 f1"),
    // Another process has recorded the call, or one of two, in the meantime.
    Merge(mode: .once, calls: "f1", order: [0], file: "f1", result: "f1"),
    Merge(mode: .once, calls: "f1 f1", order: [0, 1], file: "f1", result: "f1 f1"),
    Merge(mode: .once, matching: .sequence, calls: "f1", order: [0], file: "f2", result: "f2"),
    Merge(
      mode: .once, matching: .sequence, calls: "f1", order: [0], file: "g2", result: "g2 f1"),
    // A session of `.all` replaces the calls that it has loaded, once each.
    Merge(
      loaded: "f7 f8", mode: .all, calls: "f1 f2", order: [0, 1], file: "f7 f8", result: "f1 f2"),
    Merge(loaded: "f7 f8", mode: .all, calls: "f1", order: [0], file: "f8", result: "f8 f1"),
    Merge(loaded: "f7", mode: .all, calls: "f1", order: [0], file: "f7 f9", result: "f9 f1"),
    // A recording that could not be written holds back no other one. A written recording stays.
    Merge(mode: .once, calls: "f1 f2 f3", order: [2, 1, 0], failed: [1], result: "f1 f3"),
    Merge(
      mode: .once, calls: "f1 f2", order: [1, 0], file: "f2", failed: [1], result: "f2 f1"),
  ]

  @Test(arguments: merges.indices) func `keeps the recordings of others`(index: Int) {
    #expect(Self.merges[index].run() == Self.merges[index].result)
  }

  @Test func `names the recording with the fewest differences`() {
    let tape = Tape(
      Session.interactions("f15 f12 g13 f123"), mode: .none, matching: .arguments)
    let nearest = tape.nearest(to: Session.request("f13"))
    #expect(nearest?.0 == Session.request("f15"))
    #expect(nearest?.1 == ["arguments[1]: 5 → 3"])
    #expect(tape.nearest(to: Session.request("f1234"))?.1 == ["arguments[3]: nothing → 4"])
    #expect(tape.nearest(to: Session.request("h1")) == nil)
    #expect(tape.members == ["f", "g"])
  }

  @Test func `names the nearest recording that was not played yet`() {
    var tape = Tape(Session.interactions("f1 f2"), mode: .once, matching: .arguments)
    _ = tape.step(for: Session.request("f1"))
    guard case .record(let ticket) = tape.step(for: Session.request("f3")) else {
      Issue.record("f3 is on the tape")
      return
    }
    #expect(tape.unplayed(like: ticket)?.0 == Session.request("f2"))
  }
}
