// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Code that prepares several tests: what it prepares need not be used by each of them.
package enum SharedSetUp {
  /// True while overrides are registered that are shared by the tests of a suite.
  @TaskLocal package static var isRunning = false

  /// True if the calling code prepares several tests: it registers their overrides, or runs in the
  /// block of one.
  package static var isCalling: Bool {
    if isRunning { return true }
    guard let layer = OverrideLayer.current, let construction = Construction.current else {
      return false
    }
    let path = construction.path
    return layer.stack.contains { layer in
      layer.scope.sharedOverrides.contains { shared in path.contains { $0 === shared } }
    }
  }

  /// True for a function that prepares each test of a suite, as `#function` spells it: an
  /// initialiser or `setUp`.
  package static func isName(_ function: StaticString) -> Bool {
    let name = function.description
    return name.hasPrefix("init(") || name == "setUp()" || name == "setUpWithError()"
  }
}
