// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Recognises code that prepares several tests. A single test need not use all that it prepares.
package enum SharedSetUp {
  /// True while overrides are registered that the tests of a suite share.
  @TaskLocal package static var isRunning = false

  /// True if the calling code prepares several tests: it registers their overrides, or runs in a
  /// block of such an override.
  package static var isCalling: Bool {
    if isRunning { return true }
    guard let layer = OverrideLayer.current else { return false }
    let path = Resolver.blocksOfCaller
    if path.isEmpty { return false }
    return layer.stack.contains { layer in
      layer.sharedOverrides.contains { shared in path.contains { $0 === shared } }
    }
  }

  /// True for a function that prepares each test of a suite, as `#function` spells it: an
  /// initialiser or `setUp`.
  package static func isName(_ function: StaticString) -> Bool {
    let name = function.description
    return name.hasPrefix("init(") || name == "setUp()" || name == "setUpWithError()"
  }
}
