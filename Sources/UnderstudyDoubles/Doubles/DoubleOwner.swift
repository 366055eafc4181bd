// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Whom a double's violations are reported to.
enum DoubleOwner {
  /// No layer so far; the outermost one adopts it under which the double is used first.
  case none
  /// The layer that finishes the double, unless what it is made for turns out to be another's.
  case layer(WeakLayer)
  /// The double was finished; whatever comes now is late.
  case finished

  /// True if no call changes it: a layer finishes the double, or there are no tests that could have one do so.
  var isSettled: Bool {
    switch self {
    case .none: !TestHosts.areAny
    case .layer: true
    case .finished: false
    }
  }

  var isFinished: Bool { if case .finished = self { true } else { false } }

  /// The layer that will finish the double.
  var layer: OverrideLayer? {
    if case .layer(let weak) = self { weak.layer } else { nil }
  }
}

/// A layer that is not kept alive.
struct WeakLayer {
  weak var layer: OverrideLayer?
}
