// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Whom a double's violations are reported to.
enum DoubleOwner {
  /// No layer so far; the outermost one adopts it under which the double is used first.
  case none
  /// The layer that finishes the double, unless what it is made for turns out to be another's.
  case layer(WeakLayer)
  /// The double was finished; whatever comes now is late. That was early if the layer which did it is of a test that has
  /// no layer of its own, and goes on.
  case finished(isEarly: Bool)

  var isFinishedEarly: Bool { if case .finished(isEarly: true) = self { true } else { false } }

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

extension OverrideLayer {
  /// True if it ends before its test: that has no layer of its own, which would be a boundary.
  var isOfScopeInTest: Bool { test != nil && boundaryLevel == 0 }
}
