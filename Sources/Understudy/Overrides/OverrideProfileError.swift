// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Why no profile was started.
public enum OverrideProfileError: Error, Sendable, CustomStringConvertible {
  /// The program offers no profile of that name.
  case unknown(String, askedForBy: String, offered: [String])
  /// The option stands without a name.
  case nameMissing
  /// Something has looked for a layer before, or a profile was started before.
  case tooLate(String)
  /// The profile threw.
  case failed(String, any Error)

  /// What went wrong, and what to do.
  public var description: String { message.description }

  private var message: Message {
    switch self {
    case .unknown(let name, let source, let offered):
      Message(
        "No profile '\(name)'.",
        facts: [
          Message.Fact("Asked for by", source),
          Message.Fact("Offered", offered.isEmpty ? "none" : offered.joined(separator: ", ")),
        ],
        remedies: ["Name one that is offered, or none."], hint: hint(for: name, offered))
    case .nameMissing:
      Message(
        "'\(OverrideProfile.option)' names no profile.",
        remedies: ["Write the name after it:  \(OverrideProfile.option) NAME"])
    case .tooLate(let name):
      Message(
        "The profile '\(name)' is started too late: layers were looked for before.",
        remedies: ["Start it first in the program, and once."])
    case .failed(let name, let error):
      Message("The profile '\(name)' threw an error: \(error)")
    }
  }

  private func hint(for name: String, _ offered: [String]) -> String? {
    let near = offered.map { (name: $0, distance: $0.editDistance(to: name)) }
      .filter { $0.distance <= max(1, $0.name.count / 3) }
      .min { $0.distance < $1.distance }
    return near.map { "Did you mean '\($0.name)'?" }
  }
}
