// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// Records what a real dependency answers, and plays it back without it.
///
/// ```swift
/// let tape = try Cassette(named: "users")
/// repo.fetches.plays(tape) { try await real.fetch($0) }
/// ```
///
/// The file is JSON with sorted keys, made to be read in a review. It is replaced as a whole, under a
/// lock between processes: parallel test runs may share it, and nothing that happens to a process
/// damages it. A file that is not a whole cassette of a known version is never written to.
///
/// With the environment variable `CI` set nothing is ever written: what is missing is an error.
public final class Cassette: Sendable {
  /// When it plays and when it records, with `CI` taken into account.
  public let mode: Mode
  /// The file.
  public var path: String { file.path }

  private let file: CassetteFile
  private let redactions: [Redaction]
  private let tape: Lock<Tape>
  // Held while the file is changed, so that the tape and the file agree on what was written.
  private let writing = Lock(())

  /// Opens a cassette in the folder `Cassettes` beside the test's source file.
  ///
  /// - `name`: The name of the file without `.json`.
  /// - `mode`: When it plays and when it records; by default `.once`.
  /// - `matching`: How a call finds its recording.
  /// - `redact`: What must not be written.
  ///
  /// - Throws: If the file is there and is not a whole cassette of a known version.
  public convenience init(
    named name: String, mode: Mode = .once, matching: Matching = .arguments,
    redact: Redaction..., filePath: StaticString = #filePath
  ) throws(CassetteError) {
    let folder = ("\(filePath)" as NSString).deletingLastPathComponent
    try self.init(
      "\(folder)/Cassettes/\(name).json", mode, matching, redact,
      environment: ProcessInfo.processInfo.environment)
  }

  /// Opens a cassette.
  ///
  /// - Parameters:
  ///   - path: The file; it is made when something is recorded.
  ///   - mode: When it plays and when it records; by default `.once`.
  ///   - matching: How a call finds its recording.
  ///   - redact: What must not be written.
  /// - Throws: If the file is there and is not a whole cassette of a known version.
  public convenience init(
    at path: String, mode: Mode = .once, matching: Matching = .arguments, redact: Redaction...
  ) throws(CassetteError) {
    try self.init(
      path, mode, matching, redact, environment: ProcessInfo.processInfo.environment)
  }

  init(
    _ path: String, _ mode: Mode, _ matching: Matching, _ redactions: [Redaction],
    environment: [String: String]
  ) throws(CassetteError) {
    file = CassetteFile(path: URL(fileURLWithPath: path).path)
    self.mode = Mode(mode, environment: environment)
    self.redactions = redactions
    let loaded = self.mode == .live ? [] : try file.read()
    tape = Lock(Tape(loaded, mode: self.mode, matching: matching))
  }

  func step(for request: Interaction.Request) -> Tape.Step {
    tape.withLock { $0.step(for: request) }
  }

  /// Writes what the real thing answered to a call.
  func record(
    _ outcome: Interaction.Outcome, for ticket: Tape.Ticket
  ) throws(CassetteError) {
    try writing.withLock { (_) throws(CassetteError) in
      do throws(CassetteError) {
        try file.update { contents in
          tape.withLock { $0.merge(outcome, for: ticket, into: contents) }
        }
      } catch {
        tape.withLock { $0.takeBack(ticket) }
        throw error
      }
    }
  }

  /// An argument, which may have labels, a value or an error without its secrets.
  func redact(_ json: JSON, labelled labels: [String] = []) -> JSON {
    redactions.reduce(json) { json, redaction in redaction(json, labelled: labels) }
  }

  /// The error of a call that is not on the cassette.
  func missing(_ call: String, _ request: Interaction.Request, recordedTimes: Int) -> CassetteError
  {
    let (nearest, members) = tape.withLock { ($0.nearest(to: request), $0.members) }
    var facts = [Message.Fact("Cassette", path)]
    facts.append(Message.Fact("Asked", JSON.array(request.arguments).line))
    if recordedTimes > 0 {
      facts.append(
        Message.Fact("Recorded", "\(CallCount.times(recordedTimes)), and all of it was played"))
    } else if let (nearest, differences) = nearest {
      facts.append(Message.Fact("Nearest", JSON.array(nearest.arguments).line))
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
          "Record it:  run once without CI set, with mode: .once",
          "Stub it:    .when(…).returns(…)",
        ]))
  }
}
