// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Waits until `condition` is true. Use it for state that the code under test changes later.
///
/// ```swift
/// model.load()
/// #expect(await eventually { model.text != nil })
/// ```
///
/// The condition runs at once, and then again and again until it is true: first after the other
/// tasks have had a turn, then after pauses that grow to 20 milliseconds. It runs on the actor of
/// the caller, and sees the caller's layer. It may be asynchronous, and need not be `Sendable`.
///
/// If no state shows the end of the work, wait for a call of a double with `calls(reach:)`, or for
/// the work itself.
///
/// - Parameters:
///   - limit: The time to wait, by the continuous clock. The last check begins when the limit has
///     passed. The limit does not interrupt a check. A check and the pause after it count as a
///     twentieth of the limit at most, so a busy machine makes at least 20 checks, too. A limit of
///     zero or less makes one. If each check takes longer than that, the wait takes longer than the
///     limit: the time of 21 checks.
///   - condition: The state to wait for.
/// - Returns: `true` as soon as the condition is true. `false` if it is false when the limit has
///   passed, or when the task is cancelled.
/// - Throws: The error of `condition`. It ends the wait.
public func eventually(
  within limit: Duration = .seconds(10), _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let clock = ContinuousClock()
  let mostOfTurn = limit / 20
  var (waited, pauses) = (Duration.zero, Pauses())
  while true {
    let start = clock.now
    let isLast = waited >= limit || Task.isCancelled
    if try await condition() { return true }
    if isLast { return false }
    if let pause = pauses.next() {
      // A cancelled sleep ends at once, and one more check follows.
      try? await clock.sleep(for: min(pause, mostOfTurn))
    } else {
      await Task.yield()
    }
    waited += min(start.duration(to: clock.now), mostOfTurn)
  }
}

/// The pauses between two checks.
private struct Pauses {
  private static let longest = Duration.milliseconds(20)
  private var yields = 0
  private var pause = Duration.microseconds(100)

  /// The next pause, or `nil` to let only other tasks run.
  mutating func next() -> Duration? {
    if yields < 20 {
      yields += 1
      return nil
    }
    defer { pause = min(pause * 2, Self.longest) }
    return pause
  }
}
