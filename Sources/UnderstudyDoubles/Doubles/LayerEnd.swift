// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// What a fake looks at when the layer ends that keeps what the fake was made for, or that was current when it was
/// made.
final class LayerEnd: LayerParticipant {
  private let look: @Sendable () -> [Violation]

  private init(_ look: @escaping @Sendable () -> [Violation]) {
    self.look = look
  }

  /// Has the layer call `look` at its end; nothing without a layer.
  static func adopt(_ look: @escaping @Sendable () -> [Violation]) {
    let end = LayerEnd(look)
    if OverrideLayer.current == nil {
      OverrideLayer.ofCaller?.outermostThatEnds.adopt(end)
    } else {
      OverrideLayer.adoptMade(end)
    }
  }

  /// Reports tasks that still wait at a fake.
  static func adopt(
    _ fake: String, madeAt: CallSite, remedy: String, waiting: @escaping @Sendable () -> Int
  ) {
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

  func finish() -> [Violation] { look() }
}
