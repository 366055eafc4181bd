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
  indirect case left(RunningTest, by: Finisher)
  /// The double was finished, by a layer or by `finish`, and every further call is late.
  indirect case finished(by: Finisher?)

  /// True if a later scope of its test may adopt the double.
  var isLeft: Bool { if case .left = self { true } else { false } }

  /// True if no layer will finish the double, unless it adopts the double first.
  var isMissing: Bool {
    switch self {
    case .none, .left: true
    case .layer, .finished: false
    }
  }

  /// The layer that finished the double.
  var finisher: Finisher? {
    switch self {
    case .none, .layer: nil
    case .left(_, let finisher): finisher
    case .finished(let finisher): finisher
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

/// The layer that finished a double.
struct Finisher {
  /// The layer and its test, for messages.
  let description: String
  /// True if the double existed before the layer.
  let isOfOlder: Bool
  private let test: RunningTest?
  private let isScopeInTest: Bool
  /// The outermost layer that this one was pushed on, if there is one.
  private let root: WeakLayer?

  init(_ layer: OverrideLayer, isOfOlder: Bool) {
    description = layer.ownerDescription
    self.isOfOlder = isOfOlder
    test = layer.test
    isScopeInTest = layer.isOfScopeInTest
    root = layer.root === layer ? nil : WeakLayer(layer: layer.root)
  }

  /// The place of a late caller, seen from the layer.
  enum Caller {
    /// The test goes on after the layer. A layer of the test finishes other doubles.
    case layerOfTest
    /// The test goes on after the layer, and has no layer of its own.
    case test
    case otherTest
    /// The layer was a scope in a test, and it is not known whether that run of the test calls.
    case unknown
    /// The test has ended, or the test of the caller is not known.
    case workAfterTest
  }

  var caller: Caller {
    let host = TestHosts.current
    let other = OverrideLayer.ofCaller?.test ?? host?.testOfCallingTask() ?? host?.runningCase()
    if let test, let other, !other.isSameTest(as: test) { return .otherTest }
    let rootOfCaller = OverrideLayer.rootOfCaller
    // Detached work has no layer, and is most likely the test's.
    if let root = root?.layer, !root.isEnded, rootOfCaller == nil || rootOfCaller === root {
      return .layerOfTest
    }
    if isScopeInTest, root == nil {
      return test.flatMap { other?.isSameRun(as: $0) } == true ? .test : .unknown
    }
    return OverrideLayer.current?.isEnded == false ? .otherTest : .workAfterTest
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
