// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The layer to which a double reports its violations.
enum DoubleOwner {
  /// No layer yet. The outermost layer adopts the double at its first use under a layer.
  case none
  /// The layer that finishes the double, unless the instance that contains the double turns out to
  /// belong to another layer. The double may be older than the layer, which is then the outermost
  /// one.
  case layer(WeakLayer, isOlder: Bool)
  /// A scope of a test, which may have more scopes, has checked the double. A further call is late,
  /// unless a later scope of the test adopts the double.
  indirect case left(RunningTest, by: String)
  /// The double was finished, and every further call is late. The end was early if the finishing
  /// layer is a scope in a test that continues.
  case finished(isEarly: Bool, by: String?)

  var isFinishedEarly: Bool {
    switch self {
    case .none, .layer: false
    case .left: true
    case .finished(let isEarly, _): isEarly
    }
  }

  /// True if no layer will finish the double, unless it adopts the double first.
  var isMissing: Bool {
    switch self {
    case .none, .left: true
    case .layer, .finished: false
    }
  }

  /// The description of the layer that finished the double.
  var finisher: String? {
    switch self {
    case .none, .layer: nil
    case .left(_, let layer): layer
    case .finished(_, let layer): layer
    }
  }

  var isFinished: Bool {
    switch self {
    case .none, .layer: false
    case .left, .finished: true
    }
  }

  /// True if an older double goes on under a layer of this test.
  func goesOn(in test: RunningTest?) -> Bool {
    if case .left(let owner, _) = self { test?.isSameRun(as: owner) == true } else { false }
  }

  /// True if a call under a layer makes that layer finish the double.
  var mayChange: Bool { if case .none = self { TestHosts.areAny } else { false } }

  /// The layer that will finish the double.
  var layer: OverrideLayer? {
    if case .layer(let weak, _) = self { weak.layer } else { nil }
  }
}

/// A layer that is not retained.
struct WeakLayer {
  weak var layer: OverrideLayer?
}

extension OverrideLayer {
  /// The outermost layer of the caller. `nil` under the layer of the process alone, which does not
  /// end.
  static var rootOfCaller: OverrideLayer? {
    guard let root = ofCaller?.root, root !== ProcessLayer.current else { return nil }
    return root
  }

  /// True if the layer ends before its test. A layer of the test itself would be a boundary.
  var isOfScopeInTest: Bool { test != nil && !hasBoundary }

  /// The layer and its test, for messages.
  var ownerDescription: String {
    guard let test, test.name != name else { return "layer '\(name)'" }
    return "layer '\(name)' of test '\(test.name)'"
  }
}
