// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// A named set of overrides for a whole process. Use it for UI tests, demos, and servers that a
/// test starts.
///
/// A program opts in by naming the profiles that it offers, before anything else:
///
/// ```swift
/// var words = Array(CommandLine.arguments.dropFirst())
/// try OverrideProfile.start(oneOf: [rehearsal], arguments: &words)
/// ```
///
/// Then `UNDERSTUDY_PROFILE=rehearsal program`, or `program --understudy-profile rehearsal`, runs
/// it with that layer. Every task, thread, queue and event loop sees the layer, and every other
/// layer is pushed on it. A program that offers no profile has none, also if the environment names
/// one.
public struct OverrideProfile: Sendable {
  /// The variable of the environment that chooses a profile.
  public static let variable = "UNDERSTUDY_PROFILE"
  /// The argument that chooses a profile. It outranks the variable.
  public static let option = "--understudy-profile"

  /// The name that chooses the profile.
  public let name: String
  let configure: @Sendable (OverrideLayer) throws -> Void

  /// Names a set of overrides.
  ///
  /// - Parameters:
  ///   - name: The name that chooses the profile.
  ///   - configure: Registers the overrides. It runs only if the profile is chosen.
  public init(
    _ name: String, _ configure: @escaping @Sendable (OverrideLayer) throws -> Void
  ) {
    self.name = name
    self.configure = configure
  }

  /// Pushes the chosen profile's layer under everything that the process does from now on.
  ///
  /// The layer lasts as long as the process. Nothing of it is disposed of, and it reports nothing
  /// at an end. Call this first: after the first look for a layer, it is an error.
  ///
  /// - Parameters:
  ///   - profiles: The profiles that the program offers.
  ///   - resolver: The overridden resolver.
  ///   - arguments: The program's arguments. The option is removed from them.
  /// - Returns: The layer, or `nil` if no profile was chosen.
  /// - Throws: `OverrideProfileError` if the name is unknown or missing, if it is too late, or if
  ///   the profile threw. End the program then.
  @discardableResult
  public static func start(
    oneOf profiles: [OverrideProfile], of resolver: Resolver = .main, arguments: inout [String],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(OverrideProfileError) -> OverrideLayer? {
    let chosen = try ProfileChoice(&arguments, variable: environmentValue(of: variable))
    guard let profile = try chosen.profile(of: profiles) else { return nil }
    let layer = OverrideLayer(
      LayerTraits(
        of: resolver, named: profile.name, on: nil, at: CallSite(fileID, filePath, line, column)))
    guard ProcessLayer.start(layer) else { throw .tooLate(profile.name) }
    do {
      try profile.configure(layer)
      return layer
    } catch {
      ProcessLayer.withdraw()
      throw .failed(profile.name, error)
    }
  }

  /// Pushes the profile that the environment chooses under everything that the process does.
  ///
  /// - Parameters:
  ///   - profiles: The profiles that the program offers.
  ///   - resolver: The overridden resolver.
  /// - Returns: The layer, or `nil` if no profile was chosen.
  /// - Throws: `OverrideProfileError` if the name is unknown, if it is too late, or if the profile
  ///   threw. End the program then.
  @discardableResult
  public static func start(
    oneOf profiles: [OverrideProfile], of resolver: Resolver = .main,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(OverrideProfileError) -> OverrideLayer? {
    var none: [String] = []
    return try start(
      oneOf: profiles, of: resolver, arguments: &none, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }
}

/// The requested profile, and the source of the request.
struct ProfileChoice: Hashable {
  let name: String?
  let source: String

  /// Removes the option from the arguments. The last one counts. Without the option, the variable
  /// counts unless it is empty.
  init(_ arguments: inout [String], variable: String?) throws(OverrideProfileError) {
    var rest: [String] = []
    var words = arguments[...]
    var found: String?
    while let word = words.popFirst() {
      if word == "--" {
        rest += [word] + words
        break
      } else if word == OverrideProfile.option {
        guard let value = words.popFirst() else { throw .nameMissing }
        found = value
      } else if word.hasPrefix("\(OverrideProfile.option)=") {
        found = String(word.dropFirst(OverrideProfile.option.count + 1))
      } else {
        rest.append(word)
      }
    }
    if found?.isEmpty == true { throw .nameMissing }
    arguments = rest
    name = found ?? variable.flatMap { $0.isEmpty ? nil : $0 }
    source = found == nil ? OverrideProfile.variable : OverrideProfile.option
  }

  /// The profile with the requested name, or `nil` if none was requested, or if none is offered.
  func profile(of offered: [OverrideProfile]) throws(OverrideProfileError) -> OverrideProfile? {
    guard let name, !offered.isEmpty else { return nil }
    guard let profile = offered.first(where: { $0.name == name }) else {
      throw .unknown(name, askedForBy: source, offered: offered.map(\.name))
    }
    return profile
  }
}

/// The error of a profile that was not started.
public enum OverrideProfileError: Error, Sendable, CustomStringConvertible {
  /// The program offers no profile of that name.
  case unknown(String, askedForBy: String, offered: [String])
  /// The option stands without a name.
  case nameMissing
  /// Some code has looked for a layer before, or a profile was started before.
  case tooLate(String)
  /// The profile threw.
  case failed(String, any Error)

  /// The whole message.
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
        remedies: ["Choose an offered profile, or none."], hint: hint(for: name, offered))
    case .nameMissing:
      Message(
        "'\(OverrideProfile.option)' names no profile.",
        remedies: ["Write a name after it:  \(OverrideProfile.option) NAME"])
    case .tooLate(let name):
      Message(
        "The profile '\(name)' is started too late: code has already looked for a layer.",
        remedies: ["Start one profile, before any other code of the program."])
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
