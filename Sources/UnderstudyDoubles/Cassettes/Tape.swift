// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a cassette knows during a session: what was on it, and what was asked for so far.
///
/// A pure machine: it returns the action for a call, and the caller performs it.
struct Tape: Sendable {
  /// The action for a call.
  enum Step: Hashable, Sendable {
    case play(Interaction.Outcome)
    /// Call the real thing, and keep the result under this ticket.
    case record(Ticket)
    case callOnly
    case missing(recordedTimes: Int)
  }

  /// A call that is to be recorded: what was asked, which one of its kind it is, and its place.
  struct Ticket: Hashable, Sendable {
    let request: Interaction.Request
    let occurrence: Int
    let place: Int
  }

  let mode: Cassette.Mode
  let matching: Cassette.Matching
  /// What was on the cassette when the session began.
  private(set) var loaded: [Interaction]
  private var asked: [Interaction.Request: Int] = [:]
  private var places = 0
  // The places in `loaded` that were played.
  private var played: Set<Int> = []
  private var written: [(place: Int, interaction: Interaction)] = []

  init(_ loaded: [Interaction], mode: Cassette.Mode, matching: Cassette.Matching) {
    self.loaded = loaded
    self.mode = mode
    self.matching = matching
  }

  mutating func step(for request: Interaction.Request) -> Step {
    if mode == .live { return .callOnly }
    let key = kind(of: request)
    let occurrence = asked[key, default: 0]
    asked[key] = occurrence + 1
    defer { places += 1 }
    let ticket = Ticket(request: request, occurrence: occurrence, place: places)
    if mode == .all { return .record(ticket) }
    let recordings = loaded.indices.filter { kind(of: loaded[$0].request) == key }
    if occurrence < recordings.count { return play(recordings[occurrence]) }
    if matching == .repeatingArguments, let last = recordings.last { return play(last) }
    return mode == .once ? .record(ticket) : .missing(recordedTimes: recordings.count)
  }

  private mutating func play(_ index: Int) -> Step {
    played.insert(index)
    return .play(loaded[index].outcome)
  }

  /// The recordings that no call has played.
  var unplayed: [Interaction.Request] {
    loaded.indices.filter { !played.contains($0) }.map { loaded[$0].request }
  }

  /// The recording of the same member that differs least from a call, and was not played.
  func unplayed(like ticket: Ticket) -> (Interaction.Request, [String])? {
    nearest(to: ticket.request, among: unplayed)
  }

  /// What the file has to hold, after a recording, in place of what it holds now.
  ///
  /// Recordings of other processes stay. In mode `.all` what was there when the session began goes.
  /// In mode `.once` a call that another process recorded meanwhile is not recorded twice.
  mutating func merge(
    _ outcome: Interaction.Outcome, for ticket: Ticket, into file: [Interaction]
  ) -> [Interaction] {
    var file = file
    // Where it does not stand in front as a whole, another session has replaced it: what is equal
    // there is its.
    if mode == .all, written.isEmpty, file.starts(with: loaded) { file.removeFirst(loaded.count) }
    let interaction = Interaction(request: ticket.request, outcome: outcome)
    let later = written.filter { $0.place > ticket.place }
    if mode == .once {
      // Later calls of this session may have returned first; they leave this one its turn.
      let key = kind(of: ticket.request)
      let recorded = file.count { kind(of: $0.request) == key }
      let ownLater = later.count { kind(of: $0.interaction.request) == key }
      if recorded - ownLater > ticket.occurrence { return file }
    }
    file.insert(interaction, at: index(before: later, in: file))
    written.append((ticket.place, interaction))
    return file
  }

  /// Where a call stands that was made before some others of this session: calls are kept in the
  /// order in which they were made, whichever returned first.
  private func index(
    before later: [(place: Int, interaction: Interaction)], in file: [Interaction]
  ) -> Int {
    guard let next = later.min(by: { $0.place < $1.place })?.interaction else {
      return file.endIndex
    }
    // Of recordings that are equal, this session's are the last.
    let equal = file.indices.filter { file[$0] == next }
    return equal.suffix(later.count { $0.interaction == next }).first ?? file.endIndex
  }

  /// Forgets that a recording was merged: it could not be written.
  mutating func takeBack(_ ticket: Ticket) {
    written.removeAll { $0.place == ticket.place }
  }

  /// The recording of the same member that differs least from a call.
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
  }

  /// The members that are on the cassette.
  var members: [String] { Set(loaded.map(\.request.member)).sorted() }

  private func kind(of request: Interaction.Request) -> Interaction.Request {
    guard matching == .sequence else { return request }
    return Interaction.Request(member: request.member, arguments: [])
  }
}
