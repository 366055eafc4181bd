// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy
internal import UnderstudyCompatibility
internal import UnderstudyDefinitions

extension Program {
  /// Runs one command, under the profile that the process was asked for, if any.
  ///
  /// - Parameter words: The command line, without the program's name.
  /// - Returns: The exit status of the process.
  public static func main(_ words: [String]) -> ProgramStatus {
    var words = words
    do throws(OverrideProfileError) {
      try OverrideProfile.start(oneOf: profiles, arguments: &words)
    } catch {
      let error = BoxOfficeError(error)
      StandardConsole().complain(error.description)
      return error.status
    }
    return run(words)
  }

  /// The profiles that the program offers, for demonstrations and for tests that start it.
  static let profiles = [
    // Only the settings are overridden. Their users are created from these settings.
    OverrideProfile("rehearsal") { layer in
      let folder = "box-office-rehearsal-\(ProcessInfo.processInfo.processIdentifier)"
      let store = FileManager.default.temporaryDirectory.appending(path: folder)
      layer.set("store", .string(store.path))
      layer.decorate(Settings.self) { $0.keeping(in: store) }
    }
  ]
}

extension BoxOfficeError {
  fileprivate init(_ error: OverrideProfileError) {
    switch error {
    case .unknown(let name, _, let offered): self = .unknownProfile(name, known: offered)
    case .nameMissing: self = .valueMissing(option: OverrideProfile.option)
    default: self = .profile(error.description)
    }
  }
}
