// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The innermost layer that the calling task sees; for work that lost its context, that of the only live test, if
  /// that takes such work (O3).
  package static var ofCaller: OverrideLayer? {
    guard areAnyAlive else { return nil }
    if let bound { return bound }
    guard let host = TestHosts.current, host.testOfCallingTask() == nil else { return nil }
    return LiveLayers.adopter
  }
}
