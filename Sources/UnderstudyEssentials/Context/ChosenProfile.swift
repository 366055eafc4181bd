// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
public import Understudy
public import UnderstudyCompatibility

/// A profile with the condition under which it is chosen.
///
/// ```swift
/// try OverrideProfile.start(.onPreview(demo), .onArgument("--demo", demo))
/// ```
public struct ChosenProfile: Sendable {
  private let profile: OverrideProfile
  private let isChosen: @Sendable (ProcessEnvironment, ProcessArguments) -> Bool

  /// Creates a profile. It is chosen if `isChosen` returns true for the variables and the arguments
  /// of the process.
  public init(
    _ profile: OverrideProfile,
    when isChosen: @escaping @Sendable (ProcessEnvironment, ProcessArguments) -> Bool
  ) {
    self.profile = profile
    self.isChosen = isChosen
  }

  /// Chosen in a preview of Xcode.
  public static func onPreview(_ profile: OverrideProfile) -> ChosenProfile {
    ChosenProfile(profile) { environment, _ in environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }
  }

  /// Chosen in a process that runs tests, under Xcode or the package manager.
  public static func onTest(_ profile: OverrideProfile) -> ChosenProfile {
    ChosenProfile(profile) { environment, arguments in
      TestProcess.isStarted(with: arguments) { environment[$0] }
    }
  }

  /// Chosen in a simulator.
  public static func onSimulator(_ profile: OverrideProfile) -> ChosenProfile {
    ChosenProfile(profile) { environment, _ in environment["SIMULATOR_UDID"] != nil }
  }

  /// Chosen if the process has this argument.
  public static func onArgument(_ word: String, _ profile: OverrideProfile) -> ChosenProfile {
    ChosenProfile(profile) { _, arguments in arguments.dropFirst().contains(word) }
  }

  /// The first profile that is chosen.
  package static func first(
    of profiles: [ChosenProfile], _ environment: ProcessEnvironment, _ arguments: ProcessArguments
  ) -> OverrideProfile? {
    profiles.first { $0.isChosen(environment, arguments) }?.profile
  }
}

extension OverrideProfile {
  /// Starts the first chosen profile for the whole process, if there is one.
  ///
  /// - Returns: The profile's layer.
  /// - Throws: The errors of `start(oneOf:)`.
  @discardableResult
  public static func start(
    _ profiles: ChosenProfile..., of resolver: Resolver = .main, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(OverrideProfileError) -> OverrideLayer? {
    let process = ProcessInfo.processInfo
    guard
      let profile = ChosenProfile.first(
        of: profiles, ProcessEnvironment(process.environment), ProcessArguments(process.arguments))
    else { return nil }
    var words = [option, profile.name]
    return try start(
      oneOf: [profile], of: resolver, arguments: &words, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }
}
