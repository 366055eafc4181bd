// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// Connects a fake to the layer that owns it: the layer that stores the instance the fake was
/// created for, or the layer that was current when the fake was created.
///
/// The layer calls `check` at its end. The fake reports its misuse here, from any thread.
package final class LayerEnd: LayerParticipant {
  private let check: @Sendable () -> [Violation]
  private let owner = Lock(WeakLayer())

  init(_ check: @escaping @Sendable () -> [Violation]) {
    self.check = check
  }

  /// Has the layer call `check` at its end. Without a layer, `check` never runs.
  @discardableResult
  package static func adopt(
    _ check: @escaping @Sendable () -> [Violation] = { [] }
  ) -> LayerEnd {
    let end = LayerEnd(check)
    if OverrideLayer.current == nil {
      if let layer = OverrideLayer.ofCaller?.root {
        end.willBeFinished(by: layer)
        layer.adopt(end)
      }
    } else {
      OverrideLayer.adoptMade(end)
    }
    return end
  }

  /// Reports misuse of the fake: on the test of its layer, else on the caller's test, else to
  /// standard error.
  package func report(_ message: Message, at callSite: CallSite) {
    let violation = Violation(message, at: callSite)
    if let layer = owner.withLock({ $0.layer }) ?? .ofCaller {
      layer.record(violation)
    } else if let tell = StrayViolations.listener {
      tell(violation)
    } else {
      writeToStandardError(violation.line)
    }
  }

  package func willBeFinished(by layer: OverrideLayer) {
    owner.withLock { $0.layer = layer }
  }

  /// Reports tasks that still wait at a fake.
  @discardableResult
  static func adopt(
    _ fake: String, madeAt: CallSite, remedy: String, waiting: @escaping @Sendable () -> Int
  ) -> LayerEnd {
    adopt {
      let count = waiting()
      guard count > 0 else { return [] }
      let tasks = count == 1 ? "1 task still waits" : "\(count) tasks still wait"
      return [
        Violation(
          Message(
            "\(tasks) for a \(fake) at the end of the test.",
            facts: [Message.Fact("Made at", "\(madeAt)")], remedies: [remedy]),
          at: madeAt)
      ]
    }
  }

  package func finish() -> [Violation] { check() }
}
