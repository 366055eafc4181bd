// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The state of a cassette during a session: its recordings, and the calls so far.
///
/// This is a pure state machine. It returns the action for a call, and the caller performs the
/// action. A live call needs none.
struct Tape: Sendable {
  /// The action for a call.
  enum Step: Hashable, Sendable {
    case play(Interaction.Outcome)
    /// Call the real dependency, and record the result under this ticket.
    case record(Ticket)
    case missing(recordedTimes: Int)
  }

  /// A call to record: its request, its number among equal requests, and its position.
  struct Ticket: Hashable, Sendable {
    let request: Interaction.Request
    let occurrence: Int
    let place: Int
  }

  let mode: Cassette.Mode
  let matching: Cassette.Matching
  /// The contents of the cassette at the start of the session.
  let loaded: [Interaction]
  /// The positions of equal requests in `loaded`.
  private let recordings: [Interaction.Request: [Int]]
  private var asked: [Interaction.Request: Int] = [:]
  private var places = 0
  // The positions of played recordings in `loaded`.
  private var played: Set<Int> = []
  private var written: [(place: Int, interaction: Interaction)] = []

  init(_ loaded: [Interaction], mode: Cassette.Mode, matching: Cassette.Matching) {
    self.loaded = loaded
    self.mode = mode
    self.matching = matching
    recordings = Dictionary(grouping: loaded.indices) {
      Tape.kind(of: loaded[$0].request, matching)
    }
  }

  mutating func step(for request: Interaction.Request) -> Step {
    let key = kind(of: request)
    let occurrence = asked[key, default: 0]
    asked[key] = occurrence + 1
    defer { places += 1 }
    let ticket = Ticket(request: request, occurrence: occurrence, place: places)
    if mode == .all { return .record(ticket) }
    let recordings = recordings[key] ?? []
    if occurrence < recordings.count { return play(recordings[occurrence]) }
    if matching == .repeatingArguments, let last = recordings.last { return play(last) }
    return mode == .once ? .record(ticket) : .missing(recordedTimes: recordings.count)
  }

  private mutating func play(_ index: Int) -> Step {
    played.insert(index)
    return .play(loaded[index].outcome)
  }

  /// The recordings that were not played.
  var unplayed: [Interaction.Request] {
    loaded.indices.filter { !played.contains($0) }.map { loaded[$0].request }
  }

  /// The unplayed recording of the same member with the fewest differences to a call.
  func unplayed(like ticket: Ticket) -> (Interaction.Request, [String])? {
    nearest(to: ticket.request, among: unplayed)
  }

  /// The new contents of the file, with a recording.
  ///
  /// Recordings of other processes stay. Mode `.all` removes the contents from the start of the
  /// session. Mode `.once` does not record a call again if another process has recorded it in the
  /// meantime.
  mutating func merge(
    _ outcome: Interaction.Outcome, for ticket: Ticket, into file: [Interaction]
  ) -> [Interaction] {
    var file = file
    // If the file does not start with the loaded contents, another session has replaced them, and
    // equal recordings are that session's.
    if mode == .all, written.isEmpty, file.starts(with: loaded) { file.removeFirst(loaded.count) }
    let interaction = Interaction(request: ticket.request, outcome: outcome)
    let later = written.filter { $0.place > ticket.place }
    if mode == .once {
      // Later calls of this session may have returned first. They leave this call its turn.
      let key = kind(of: ticket.request)
      let recorded = file.count { kind(of: $0.request) == key }
      let ownLater = later.count { kind(of: $0.interaction.request) == key }
      if recorded - ownLater > ticket.occurrence { return file }
    }
    file.insert(interaction, at: index(before: later, in: file))
    written.append((ticket.place, interaction))
    return file
  }

  /// The position of a call before later calls of this session. Calls are stored in the order in
  /// which they were made, whichever returned first.
  private func index(
    before later: [(place: Int, interaction: Interaction)], in file: [Interaction]
  ) -> Int {
    guard let next = later.min(by: { $0.place < $1.place })?.interaction else {
      return file.endIndex
    }
    // Among equal recordings, this session's are the last ones.
    let equal = file.indices.filter { file[$0] == next }
    return equal.suffix(later.count { $0.interaction == next }).first ?? file.endIndex
  }

  /// Forgets that a recording was merged, since it could not be written.
  mutating func takeBack(_ ticket: Ticket) {
    written.removeAll { $0.place == ticket.place }
  }

  /// The recording of the same member with the fewest differences to a call, and the first of them.
  func nearest(to request: Interaction.Request) -> (Interaction.Request, [String])? {
    nearest(to: request, among: loaded.map(\.request))
  }

  private func nearest(
    to request: Interaction.Request, among recorded: [Interaction.Request]
  ) -> (Interaction.Request, [String])? {
    let asked = JSON.array(request.arguments)
    return recorded.filter { $0.member == request.member }
      .map { recorded in
        let arguments = JSON.array(recorded.arguments)
        return (recorded, JSON.differences(from: arguments, to: asked, at: "arguments"))
      }
      .min { $0.1.count < $1.1.count }
      .map { recorded, differences in
        let rest = differences.count - 20
        return (recorded, differences.prefix(20) + (rest > 0 ? ["and \(rest) more"] : []))
      }
  }

  /// The members on the cassette.
  var members: [String] { Set(loaded.map(\.request.member)).sorted() }

  private func kind(of request: Interaction.Request) -> Interaction.Request {
    Tape.kind(of: request, matching)
  }

  private static func kind(
    of request: Interaction.Request, _ matching: Cassette.Matching
  ) -> Interaction.Request {
    guard matching == .sequence else { return request }
    return Interaction.Request(member: request.member, arguments: [])
  }
}
