// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Whom a double's violations are reported to.
enum DoubleOwner {
  /// No layer so far; the first one that is current when the double is used adopts it.
  case none
  /// The layer that finishes the double.
  case layer(WeakLayer)
  /// The double was finished; whatever comes now is late.
  case finished

  var isSettled: Bool {
    if case .finished = self { false } else { true }
  }

  var isFinished: Bool { !isSettled }

  /// The layer that will finish the double.
  var layer: OverrideLayer? {
    if case .layer(let weak) = self { weak.layer } else { nil }
  }
}

/// A layer that is not kept alive.
struct WeakLayer {
  weak var layer: OverrideLayer?
}
