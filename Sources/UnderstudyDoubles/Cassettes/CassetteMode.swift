// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

extension Cassette {
  /// When a cassette plays and when it records.
  public enum Mode: Hashable, Sendable, CaseIterable {
    /// Plays the recorded calls, and records the others.
    case once
    /// Plays only. A call without a recording is an error. Nothing is called, and nothing is
    /// written.
    case none
    /// Calls the real object for every call, and replaces all recordings.
    case all
    /// Calls the real object for every call, and records nothing.
    case live
  }

  /// How a call finds its recording.
  ///
  /// A text or data that is a JSON object or array, such as the body of an HTTP request, is
  /// compared as JSON: the order of its keys and its spaces make no difference.
  public enum Matching: Hashable, Sendable {
    /// By member and arguments. The second call with the same arguments plays their second
    /// recording, and so on. A call after the last recording counts as not recorded.
    case arguments
    /// By member and arguments. After all recordings of the arguments were played, the last one is
    /// played again.
    case repeatingArguments
    /// By member and order: the third call of a member plays its third recording.
    case sequence
  }
}

extension Cassette.Mode {
  /// The variable of the environment that chooses the mode of all cassettes.
  static let variable = "UNDERSTUDY_CASSETTES"

  /// The effective mode. The environment may choose another mode than the test. With `CI` set,
  /// nothing is ever recorded.
  ///
  /// - Throws: If the environment names an unknown mode.
  init(_ wanted: Cassette.Mode, environment: [String: String]) throws(CassetteError) {
    let ci = environment["CI"]?.lowercased() ?? ""
    let isCI = !["", "0", "false", "no"].contains(ci)
    let wanted = try Cassette.Mode.chosen(by: environment) ?? wanted
    switch wanted {
    case .once, .all: self = isCI ? .none : wanted
    case .none, .live: self = wanted
    }
  }

  /// The mode that the environment chooses, or `nil` if it chooses none.
  private static func chosen(by environment: [String: String]) throws(CassetteError)
    -> Cassette.Mode?
  {
    let text = environment[variable] ?? ""
    if text.isEmpty { return nil }
    if let mode = allCases.first(where: { "\($0)" == text.lowercased() }) { return mode }
    let modes = allCases.map { "\($0)" }.joined(separator: ", ")
    throw CassetteError(
      .unknownMode,
      Message(
        "The environment variable \(variable) names no mode of a cassette.",
        facts: [Message.Fact("Value", text), Message.Fact("Modes", modes)],
        remedies: ["Set it to one of the modes.", "Remove it:  unset \(variable)"]))
  }

  /// True if the environment chooses the mode of all cassettes.
  static func isChosen(by environment: [String: String]) -> Bool {
    !(environment[variable] ?? "").isEmpty
  }
}
