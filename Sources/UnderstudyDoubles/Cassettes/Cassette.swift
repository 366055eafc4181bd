// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// Records the answers of a real dependency, and plays them back without it.
///
/// ```swift
/// let tape = try Cassette(named: "users")
/// repo.fetches.plays(tape) { try await real.fetch($0) }
/// ```
///
/// Unplayed recordings are a warning at the end of the layer under which the cassette was opened,
/// or else of the test's own layer under which it is first played. Without such a layer, the
/// warning comes at the end of a case of XCTest, or when the last reference to the cassette goes.
/// The layer of a `withOverrides` does not count, since its test goes on.
///
/// The file is JSON with sorted keys, so you can read it in a review. Data that is text in UTF-8 is
/// a text in it, and other data is in base64. The file is replaced as a whole, under a lock between
/// processes. So parallel test runs may share it, and a process that ends in the middle does not
/// damage it. A file that is not a whole cassette of a known version is never overwritten.
///
/// If the environment variable `CI` is set, and not to `0`, `false` or `no`, the modes `.once` and
/// `.all` act as `.none`: nothing is written, and a missing recording is an error. The environment
/// variable `UNDERSTUDY_CASSETTES` chooses the mode of all cassettes: `once`, `none`, `all` or
/// `live`.
public final class Cassette: Sendable {
  /// The mode in force. The environment variables `UNDERSTUDY_CASSETTES` and `CI` can change the
  /// mode that the test asks for.
  public let mode: Mode
  /// The file.
  public var path: String { file.path }

  private let isModeOfEnvironment: Bool
  private let file: CassetteFile
  private let redactions: [Redaction]
  private let tape: Lock<Tape>
  // Locked while the file is changed, so that the tape and the file agree.
  private let writing = Lock(())
  private let end: LayerEnd?
  // The place of the first double that makes a call.
  private let doubles = Lock<[Interaction.Request: CallSite]>([:])
  // The members for which two doubles were already reported.
  private let sharedMembers = Lock<Set<String>>([])

  /// Opens a cassette in the folder `.cassettes` beside the test's source file.
  ///
  /// The package manager ignores a folder whose name begins with a dot, so the manifest does not
  /// name it. A process that creates the folder prints where it is.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`.
  ///   - mode: When it plays and when it records, `.once` by default.
  ///   - matching: How a call finds its recording.
  ///   - redact: The secrets that must not be written.
  ///
  /// - Throws: If the file is there and is not a whole cassette of a known version, or if
  ///   `UNDERSTUDY_CASSETTES` names no mode.
  public convenience init(
    named name: String, mode: Mode = .once, matching: Matching = .arguments,
    redact: Redaction..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(CassetteError) {
    let folder = ("\(filePath)" as NSString).deletingLastPathComponent
    try self.init(
      "\(folder)/.cassettes/\(name).json", mode, matching, redact,
      environment: ProcessInfo.processInfo.environment,
      openedAt: CallSite(fileID, filePath, line, column),
      announcing: { try? FileHandle.standardError.write(contentsOf: Data("\n\($0)\n".utf8)) })
  }

  /// Opens a cassette.
  ///
  /// - Parameters:
  ///   - path: The file. The first recording creates it.
  ///   - mode: When it plays and when it records, `.once` by default.
  ///   - matching: How a call finds its recording.
  ///   - redact: The secrets that must not be written.
  ///
  /// - Throws: If the file is there and is not a whole cassette of a known version, or if
  ///   `UNDERSTUDY_CASSETTES` names no mode.
  public convenience init(
    at path: String, mode: Mode = .once, matching: Matching = .arguments, redact: Redaction...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(CassetteError) {
    try self.init(
      path, mode, matching, redact, environment: ProcessInfo.processInfo.environment,
      openedAt: CallSite(fileID, filePath, line, column))
  }

  // Without a place, unplayed recordings are not reported.
  init(
    _ path: String, _ mode: Mode, _ matching: Matching, _ redactions: [Redaction],
    environment: [String: String], openedAt callSite: CallSite? = nil,
    announcing announce: (@Sendable (Message) -> Void)? = nil
  ) throws(CassetteError) {
    file = CassetteFile(path: URL(fileURLWithPath: path).path, announcing: announce)
    self.mode = try Mode(mode, environment: environment)
    isModeOfEnvironment = Mode.isChosen(by: environment)
    self.redactions = redactions
    let loaded = self.mode == .live ? [] : try file.read()
    tape = Lock(Tape(loaded, mode: self.mode, matching: matching))
    guard let callSite, self.mode == .once || self.mode == .none else {
      end = nil
      return
    }
    // The layer retains the tape until its end, since the doubles that play it may be finished
    // first.
    end = LayerEnd.adopt(checkedWithoutLayer: true) { [tape, file, redactions] in
      Cassette.leaked(Cassette.secrets(of: redactions), by: file, openedAt: callSite)
        + Cassette.unplayed(tape.withLock { $0.unplayed }, of: file, openedAt: callSite)
    }
  }

  func step(for request: Interaction.Request) -> Tape.Step {
    end?.adoptIfNeeded()
    return tape.withLock { $0.step(for: request) }
  }

  /// The place of another double that has made the same call, at the first such call of its member.
  /// Two doubles from one place are of one type, so they may share their recordings.
  func otherDouble(of request: Interaction.Request, than place: CallSite) -> CallSite? {
    let first = doubles.withLock { doubles in
      let first = doubles[request, default: place]
      doubles[request] = first
      return first
    }
    guard first != place, sharedMembers.withLock({ $0.insert(request.member).inserted })
    else { return nil }
    return first
  }

  /// A warning for a call that another double has also made: each may get the other one's answer.
  func sharedCall(_ call: String, of other: CallSite, and place: CallSite) -> Violation {
    Violation(
      Message(
        "Two doubles make the call \(call) on the cassette '\(file.name)', and share its recordings.",
        facts: [
          Message.Fact("Cassette", path), Message.Fact("Doubles", "\(other)\n\(place)"),
        ],
        remedies: [
          "Give each double a cassette of its own.",
          "If both are doubles of one object, create them in one function.",
          "Give each spy a name of its own, as in Spy(\"Users.fetch(_:)\").",
        ]),
      severity: .warning, at: place)
  }

  /// Writes the real dependency's answer to a call.
  func record(
    _ outcome: Interaction.Outcome, for ticket: Tape.Ticket
  ) throws(CassetteError) {
    try writing.withLock { (_) throws(CassetteError) in
      do throws(CassetteError) {
        try file.update(without: Cassette.secrets(of: redactions)) { contents in
          tape.withLock { $0.merge(outcome, for: ticket, into: contents) }
        }
      } catch {
        tape.withLock { $0.takeBack(ticket) }
        throw error
      }
    }
  }

  /// An argument, a value or an error without its secrets. An argument may have labels.
  func redact(_ json: JSON, labelled labels: [String] = []) -> JSON {
    redactions.reduce(json) { json, redaction in redaction(json, labelled: labels) }
  }

  /// Whether anything is redacted.
  var hasRedactions: Bool { !redactions.isEmpty }

  private static func secrets(of redactions: [Redaction]) -> Secrets {
    redactions.reduce(into: Secrets()) { $0.formUnion($1.known) }
  }

  /// A violation if the file contains a secret that was not known when it was written.
  private static func leaked(
    _ secrets: Secrets, by file: CassetteFile, openedAt callSite: CallSite
  ) -> [Violation] {
    file.leak(of: secrets).map { [Violation($0, at: callSite)] } ?? []
  }

  /// A warning for a new recording of a member that has unplayed recordings, since the call may
  /// have changed.
  func changedRequest(_ call: String, for ticket: Tape.Ticket, at callSite: CallSite) -> Violation?
  {
    guard mode == .once, let (nearest, differences) = tape.withLock({ $0.unplayed(like: ticket) })
    else { return nil }
    return Violation(
      Message(
        "\(call) is not on the cassette '\(file.name)', which has other calls of it: it is recorded anew.",
        facts: [
          Message.Fact("Cassette", path),
          Message.Fact("Asked", ticket.request.text),
          Message.Fact("Nearest", nearest.text),
          Message.Fact("Differs", differences.joined(separator: "\n")),
        ],
        remedies: [
          "If the call is new, do nothing.",
          "If it has changed, delete the old recording from the cassette.",
        ]),
      severity: .warning, at: callSite)
  }

  /// A warning about the recordings that were not played, if there are any.
  private static func unplayed(
    _ unplayed: [Interaction.Request], of file: CassetteFile, openedAt callSite: CallSite
  ) -> [Violation] {
    guard !unplayed.isEmpty else { return [] }
    let calls = unplayed.map { "\($0.member) \($0.text)" }
    return [
      Violation(
        Message(
          "\(counted(unplayed.count, "recording")) on the cassette '\(file.name)' "
            + (unplayed.count == 1 ? "was" : "were") + " not played.",
          facts: [
            Message.Fact("Cassette", file.path), Message.Fact("Opened at", "\(callSite)"),
            Message.Fact("Not played", calls.joined(separator: "\n")),
          ],
          remedies: [
            "Give each test a cassette of its own.",
            "If no other test plays them, delete them, or make their calls.",
          ]),
        severity: .warning, ofOmission: true, at: callSite)
    ]
  }

  /// The error of a call that is not on the cassette.
  func missing(_ call: String, _ request: Interaction.Request, recordedTimes: Int) -> CassetteError
  {
    let (nearest, members) = tape.withLock { ($0.nearest(to: request), $0.members) }
    var facts = [Message.Fact("Cassette", path)]
    facts.append(Message.Fact("Asked", request.text))
    if recordedTimes > 0 {
      facts.append(
        Message.Fact("Recorded", "\(CallCount.times(recordedTimes)), and all of them were played"))
    } else if let (nearest, differences) = nearest {
      facts.append(Message.Fact("Nearest", nearest.text))
      facts.append(Message.Fact("Differs", differences.joined(separator: "\n")))
    } else if members.isEmpty {
      facts.append(Message.Fact("Recorded", "nothing"))
    } else {
      facts.append(Message.Fact("Recorded", members.joined(separator: ", ")))
    }
    return CassetteError(
      .missing,
      Message(
        "\(call) is not on the cassette '\(file.name)', and nothing may be recorded.",
        facts: facts,
        remedies: [
          isModeOfEnvironment
            ? "Record it:  run once without CI set, with \(Mode.variable)=once"
            : "Record it:  run once without CI set, with mode: .once",
          "Stub it:    .when(…).returns(…)",
        ]))
  }
}
