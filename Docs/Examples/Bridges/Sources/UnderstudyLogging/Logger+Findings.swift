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

  /// Logs each resolution that a layer's log keeps, at the level `trace`, with the path from the
  /// first requester.
  public func log(_ resolutions: ResolutionLog) {
    let events = resolutions.events
    let byOrder = Dictionary(events.map { ($0.order, $0) }, uniquingKeysWith: { $1 })
    for event in events {
      var path = [event.key]
      var next = event.parent.flatMap { byOrder[$0] }
      while let event = next {
        path.append(event.key)
        next = event.parent.flatMap { byOrder[$0] }
      }
      trace(
        "\(event.key) was \(event.outcome.word)",
        metadata: [
          "path": .array(path.reversed().map { "\($0)" }),
          "layer": "\(event.layer ?? "production")",
          "at": "\(event.callSite)",
        ])
    }
  }
}

extension DependencyGraph.Finding.Kind {
  /// How much a finding weighs.
  fileprivate var level: Logger.Level {
    switch self {
    case .missing, .ambiguous, .cycle, .argumentNeeded: .error
    case .captive, .duplicate, .shadowed: .warning
    }
  }
}

extension ResolutionEvent.Outcome {
  fileprivate var word: String {
    switch self {
    case .made: "created"
    case .reused: "reused"
    case .missed: "missing"
    case .failed: "not created"
    }
  }
}
