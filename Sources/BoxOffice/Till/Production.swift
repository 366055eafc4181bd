// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// Creates the dependencies that the command line chooses.
enum Production {
  /// The season of the requested file.
  ///
  /// - Understudy: component
  static func source(settings: Settings) -> any SeasonSource { SeasonFile(settings.season) }

  /// The sales of the requested directory.
  ///
  /// - Understudy: component
  static func store(settings: Settings) -> any SalesStore { FileStore(directory: settings.store) }
}
