// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The objects that running tests were handed, to find one that two tests share (O13).
package enum LiveObjects {
  private struct Holder {
    let capture: Capture
    let root: ObjectIdentifier
    let test: String
  }

  private static let holders = Lock<[ObjectIdentifier: Holder]>([:])

  /// Notes that a test was handed an object; returns where another test that is running was handed
  /// the same one.
  package static func note(
    _ capture: Capture, in root: OverrideLayer
  ) -> (test: String, callSite: CallSite)? {
    guard let test = root.test else { return nil }
    return holders.withLock { holders in
      let identity = ObjectIdentifier(root)
      if let other = holders[capture.identity], other.root != identity,
        other.capture.object != nil
      {
        return (other.test, other.capture.callSite)
      }
      holders[capture.identity] = Holder(capture: capture, root: identity, test: test.name)
      return nil
    }
  }

  /// Forgets a test that has ended.
  static func forget(_ root: OverrideLayer) {
    let identity = ObjectIdentifier(root)
    let forgotten = holders.withLock { holders in
      let mine = holders.filter { $0.value.root == identity }
      for key in mine.keys { holders[key] = nil }
      return mine
    }
    withExtendedLifetime(forgotten) {}
  }
}
