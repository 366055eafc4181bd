// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The live guard of work that lost its context: each live layer forbids production to answer.
///
/// The work may belong to any running test, so this guard holds only if all of them agree.
final class EscapedWorkGuard: Sendable {
  /// The outermost layers of the running tests.
  let roots: [OverrideLayer]
  /// The running tests, in words.
  let guardian: String
  private let layers: [OverrideLayer]

  /// The guard of the calling work. `nil` if the work belongs to a test, or a live layer has no
  /// guard.
  ///
  /// - Parameter layer: The layer of the work. Work that lost its context may push one of its own.
  @inline(never)
  static func ofCaller(under layer: OverrideLayer?) -> EscapedWorkGuard? {
    guard layer?.test == nil, OverrideLayer.areAnyAlive, let host = TestHosts.current else {
      return nil
    }
    let roots = LiveLayers.all
    let layers = roots.flatMap(\.withInner)
    guard !layers.isEmpty, layers.allSatisfy({ $0.options.live == .mustBeOverridden }),
      host.testOfCallingTask() == nil,
      // A case of XCTest runs alone, so the work belongs to it.
      host.runningCase()?.adoptsEscapedWork != true
    else { return nil }
    return EscapedWorkGuard(roots, layers)
  }

  private init(_ roots: [OverrideLayer], _ layers: [OverrideLayer]) {
    self.roots = roots
    self.layers = layers
    guardian = Set(roots.map { "the test '\($0.test?.name ?? $0.name)'" }).sorted()
      .joined(separator: "\n")
  }

  /// True if one of the layers allows a key.
  func allows(_ key: AnyKey) -> Bool { layers.contains { $0.allows(key) } }
}
