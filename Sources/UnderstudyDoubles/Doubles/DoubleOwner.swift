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

  var isFinished: Bool { if case .finished = self { true } else { false } }

  /// True if a call has a layer finish the double, if it sees one.
  var mayChange: Bool { if case .none = self { TestHosts.areAny } else { false } }

  /// The layer that will finish the double.
  var layer: OverrideLayer? {
    if case .layer(let weak) = self { weak.layer } else { nil }
  }
}

/// A layer that is not kept alive.
struct WeakLayer {
  weak var layer: OverrideLayer?
}
