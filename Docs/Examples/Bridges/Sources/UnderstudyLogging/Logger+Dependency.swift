// Part of Understudy: a bridge to swift-log.
// SPDX-License-Identifier: MIT

import InMemoryLogging
import Logging
import Understudy

extension Dependencies {
  /// The program's logger.
  public static var logger: Dependency<Logger> { declaredLogger }
}

private let declaredLogger = Dependency<Logger> { Logger(label: "program") }

extension Logger {
  /// A logger whose entries a test can read, from the level `trace` up.
  ///
  /// ```swift
  /// let log = InMemoryLogHandler()
  /// layer.override(\.logger) { .recorded(by: log) }
  /// ```
  public static func recorded(by handler: InMemoryLogHandler) -> Logger {
    var logger = Logger(label: "recorded") { _ in handler }
    logger.logLevel = .trace
    return logger
  }
}
