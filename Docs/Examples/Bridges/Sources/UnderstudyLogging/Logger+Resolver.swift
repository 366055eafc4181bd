// Part of Understudy: a bridge to swift-log.
// SPDX-License-Identifier: MIT

import Logging
import Understudy

extension Logger {
  /// Logs each finding of a dependency graph: as an error if something cannot be created, else as a
  /// warning.
  public func log(_ graph: DependencyGraph) {
    for finding in graph.findings {
      var metadata: Metadata = [
        "kind": "\(finding.kind.rawValue)", "path": .array(finding.path.map { "\($0)" }),
      ]
      if let callSite = finding.callSite { metadata["at"] = "\(callSite)" }
      log(level: finding.kind.level, "\(finding)", metadata: metadata)
    }
  }

  /// Logs each event of a resolver from now on, at the level `trace`, with the path from the first
  /// requested key.
  ///
  /// - Returns: The observation, to cancel it. `nil` if this logger does not log that level: then
  ///   the resolver is not observed.
  @discardableResult
  public func observe(_ resolver: Resolver) -> ResolverObservation? {
    guard logLevel <= .trace else { return nil }
    return resolver.observe { event in
      var metadata: Metadata = [
        "path": .array(event.path.map { "\($0)" }),
        "layer": "\(event.layer ?? "production")",
        "at": "\(event.callSite)",
      ]
      if let owner = event.owner { metadata["owner"] = "\(owner)" }
      if let error = event.error { metadata["error"] = "\(error)" }
      trace("\(event.key): \(event.kind.rawValue)", metadata: metadata)
    }
  }
}

extension DependencyGraph.Finding.Kind {
  /// The level for a finding.
  fileprivate var level: Logger.Level {
    switch self {
    case .missing, .ambiguous, .cycle, .argumentNeeded, .asynchronous: .error
    case .captive, .duplicate, .shadowed: .warning
    }
  }
}
