// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Says, once for each in-flight creation, that a thread or a task has waited for it for a minute.
/// A wait that cannot end is an error where that can be known. Where it cannot, for example for a
/// block that waits for a thread which makes the same request, this message ends the search.
enum LongWait {
  /// In seconds. Tests change it.
  static let limit = AtomicInt(60)

  static let toldCount = AtomicInt(0)

  /// Waits for a creation, and writes to standard error if that takes long.
  static func wait(at latch: Latch, for creation: Creation, _ key: AnyKey, at callSite: CallSite) {
    latch.wait(noting: { tell("A thread", creation, key, at: callSite) }, after: limit.relaxedValue)
  }

  /// The same for a task, which waits until the latch is open or the task is cancelled.
  static func wait(
    at latch: Latch, for creation: Creation, _ key: AnyKey, at callSite: CallSite
  ) async {
    let limit = limit.relaxedValue
    let watch = Task {
      try await Task.sleep(for: .seconds(limit))
      tell("A task", creation, key, at: callSite)
    }
    await latch.opened()
    watch.cancel()
  }

  private static func tell(
    _ waiter: String, _ creation: Creation, _ key: AnyKey, at callSite: CallSite
  ) {
    if creation.withState({ exchange(&$0.isLongWaitTold, with: true) }) { return }
    let message = Message(
      "\(waiter) has waited for \(key) for \(limit.relaxedValue) seconds: another request creates it.",
      facts: [
        Message.Fact("Waiting at", "\(callSite)"),
        Message.Fact("Created by", "the block registered at \(creation.registration.callSite)"),
      ],
      remedies: [
        "Do not wait in that block for work that requests \(key).",
        "Carry the context to that work:  let context = OverrideContext.current … context.run { … }",
      ])
    writeToStandardError(Violation(message, severity: .warning, at: callSite).line)
    toldCount.add(1)
  }
}
