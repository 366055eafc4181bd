// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake asynchronous sequence. The test yields its elements, at any time.
///
/// Each iterator returns every element from the first one on, whenever the iterator was created. So
/// nothing depends on timing. An iterator that has returned all elements waits for more.
///
/// ```swift
/// let prices = ScriptedSequence<Int, any Error>(1, 2)
/// prices.yield(3)
/// prices.finish(throwing: Disconnected())
/// ```
public struct ScriptedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private struct Script {
    var elements: [Element]
    var end: Result<Void, Failure>?
    // Each consumer waits until the script is longer than its position, or has ended.
    var consumers = Waiting<Int>()
  }

  private let script: Lock<Script>
  private let layerEnd: LayerEnd
  private let madeAt: CallSite

  /// Creates a sequence that yields these elements and goes on. A task that still waits for more
  /// when its layer ends is a violation.
  public init(
    _ elements: Element..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let script = Lock(Script(elements: elements))
    self.script = script
    madeAt = CallSite(fileID, filePath, line, column)
    layerEnd = LayerEnd.adopt(
      "scripted sequence", madeAt: madeAt,
      remedy: "Finish the sequence, or cancel the task."
    ) { script.withLock { $0.consumers.waiters.count } }
  }

  /// Yields elements. After the end, they are ignored.
  public func yield(_ elements: Element...) {
    let woken = script.withLock { script -> [Waiting<Int>.Wake] in
      guard script.end == nil else { return [] }
      script.elements += elements
      let count = script.elements.count
      return script.consumers.take { $0 < count }
    }
    for wake in woken { wake.resume(returning: true) }
  }

  /// Ends the sequence.
  public func finish() {
    end(.success(()))
  }

  /// Ends the sequence with an error.
  public func finish(throwing failure: Failure) {
    end(.failure(failure))
  }

  /// Waits until `count` iterators have returned all elements and wait for more. Nothing polls.
  ///
  /// Fewer iterators at the timeout are a violation, which says how many there were.
  ///
  /// - Parameters:
  ///   - count: The number of iterators to wait for.
  ///   - timeout: The longest time to wait, by the continuous clock.
  /// - Returns: `true` if there were that many iterators. `false` after the timeout, or if the task
  ///   is cancelled first.
  @discardableResult
  public func consumers(
    reach count: Int, within timeout: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async -> Bool {
    layerEnd.judge(
      await script.wait(until: \.consumers, reaches: count, within: timeout),
      of: WaitForTasks(
        count: count, limit: timeout, verbs: ("waits", "wait"),
        place: "for more of the scripted sequence",
        remedies: ["Start the tasks that iterate over it before you wait for them."],
        madeAt: madeAt,
        callSite: CallSite(fileID, filePath, line, column)))
  }

  /// Creates an iterator that starts with the first element.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// An iterator of a scripted sequence.
  public struct Iterator: AsyncIteratorProtocol {
    let sequence: ScriptedSequence
    private var place = 0
    // After an error the iterator has ended.
    private var hasFailed = false

    init(sequence: ScriptedSequence) {
      self.sequence = sequence
    }

    /// Returns the next element, or `nil` at the end or if the task is cancelled. A wait after the
    /// end of the sequence's test is a violation, and cancels the task.
    ///
    /// - Throws: The error of `finish(throwing:)`, once.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      guard !hasFailed, await sequence.wait(for: place) else { return nil }
      defer { place += 1 }
      do {
        return try sequence.element(place)
      } catch {
        hasFailed = true
        throw error
      }
    }

    /// Returns the next element, or `nil` at the end or if the task is cancelled.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }
  }

  private func wait(for place: Int) async -> Bool {
    await layerEnd.wait(
      at: \.consumers, of: script, for: place,
      doing: "waited for a scripted sequence", madeAt: madeAt
    ) { $0.elements.count > place || $0.end != nil }
  }

  private func element(_ place: Int) throws(Failure) -> Element? {
    let (element, end) = script.withLock { script in
      (script.elements.count > place ? script.elements[place] : nil, script.end)
    }
    if let element { return element }
    try end?.get()
    return nil
  }

  private func end(_ end: Result<Void, Failure>) {
    let woken = script.withLock { script -> [Waiting<Int>.Wake] in
      guard script.end == nil else { return [] }
      script.end = end
      return script.consumers.take { _ in true }
    }
    for wake in woken { wake.resume(returning: true) }
  }
}
