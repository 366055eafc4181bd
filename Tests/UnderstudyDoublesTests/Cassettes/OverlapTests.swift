// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDoubles

/// Calls that do not return in the order in which they were made.
@Suite(.strayViolationsKept) struct `Calls that overlap on a cassette` {
  @Test(arguments: [Cassette.Matching.arguments, .sequence])
  func `are all recorded`(matching: Cassette.Matching) async throws {
    let folder = try Folder()
    let recording = AsyncSpy<Int, Int, any Error>("fetch(_:)")
    let gate = Gate()
    let calls = KeyValueMemory<String, Int>()
    recording.plays(try folder.cassette(nil, matching)) { _ in
      let call = calls.update { values in
        values["made", default: 0] += 1
        return values["made", default: 0]
      }
      if call == 1 { try await gate.wait() }
      return call
    }
    async let first = recording(7)
    await gate.waiters(reach: 1)
    try await #expect(recording(7) == 2)
    gate.open()
    try await #expect(first == 1)

    let playing = AsyncSpy<Int, Int, any Error>("fetch(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none, matching)) { _ in throw Bounced() }
    try await #expect(playing(7) == 1)
    try await #expect(playing(7) == 2)
  }

  @Test func `are in the file in the order of the calls, even if they are equal`() throws {
    var tape = Tape([], mode: .once, matching: .sequence)
    let tickets = try [1, 2, 1].map { try ticket(for: $0, of: &tape) }
    var file: [Interaction] = []
    for ticket in [tickets[0], tickets[2], tickets[1]] {
      file = tape.merge(.value(.null), for: ticket, into: file)
    }
    #expect(file.map(\.request.arguments) == [[.integer(1)], [.integer(2)], [.integer(1)]])
  }

  @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]])
  func `are not recorded twice if another process has recorded one of them`(order: [Int]) throws {
    var tape = Tape([], mode: .once, matching: .arguments)
    let tickets = try (0..<3).map { _ in try ticket(for: 7, of: &tape) }
    var file = [Interaction(request: request(7), outcome: .value(.string("theirs")))]
    for index in order {
      file = tape.merge(.value(.integer(Int64(index))), for: tickets[index], into: file)
    }
    #expect(
      file.map(\.outcome) == [
        .value(.string("theirs")), .value(.integer(1)), .value(.integer(2)),
      ])
  }

  private func request(_ id: Int) -> Interaction.Request {
    Interaction.Request(member: "fetch(_:)", arguments: [.integer(Int64(id))])
  }

  private func ticket(for id: Int, of tape: inout Tape) throws -> Tape.Ticket {
    let step = tape.step(for: request(id))
    guard case .record(let ticket) = step else { throw Bounced() }
    return ticket
  }

  @Test func `of sessions that record again at once keep each other's new recordings`() throws {
    let folder = try Folder()
    func call(_ names: [String], on tape: Cassette) {
      for name in names {
        let spy = Spy<Int, Int, Never>(name)
        spy.plays(tape) { $0 * 2 }
        #expect(spy(1) == 2)
        #expect(spy.finish().isEmpty)
      }
    }
    call(["f(_:)", "g(_:)", "h(_:)"], on: try folder.cassette(.all))
    let (first, second) = (try folder.cassette(.all), try folder.cassette(.all))
    call(["f(_:)"], on: first)
    call(["g(_:)"], on: second)
    let kept = try CassetteFile(path: folder.file).read()
    #expect(kept.map(\.request.member) == ["f(_:)", "g(_:)"])
  }
}
