// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The disposers of a layer, which it runs at its end, the newest first, until none is left.
struct Disposal: Sendable {
  enum Action: Sendable {
    case sync(@Sendable () throws -> Void)
    case async(@Sendable () async throws -> Void)
  }

  struct Entry: Sendable {
    let subject: String
    let callSite: CallSite
    let action: Action
  }

  /// Disposes of each value that is created for a key.
  struct Disposer: Sendable {
    let callSite: CallSite
    /// `nil` for a value of another type.
    let action: @Sendable (Any) -> Action?
  }

  /// How far the running of disposers is.
  struct Progress: Sendable {
    /// The number of entries from before the run that are left.
    fileprivate var left: Int
    /// The number of entries that disposers added and that were run.
    fileprivate var asked = 0
    /// The entries that are not run, newest first, since disposers add entries without end.
    fileprivate var givenUp: [Entry] = []
  }

  /// The number of entries that disposers may add, which is more than any layer needs.
  static var mostAsked: Int { 1000 }

  fileprivate var entries: [Entry] = []
  fileprivate var isClosed = false
  /// The disposers of each key, in the order of their addition.
  fileprivate var disposers: [AnyKey: [Disposer]] = [:]

  /// Adds an entry to run at the layer's end, before older ones. Returns `false` after that.
  fileprivate mutating func add(_ entry: Entry) -> Bool {
    if !isClosed { entries.append(entry) }
    return !isClosed
  }

  fileprivate func disposers(for key: AnyKey, answeredBy answer: AnyKey) -> [Disposer] {
    disposers[key] ?? key.undeclared.flatMap { disposers[$0] } ?? disposers[answer] ?? []
  }

  /// Takes no more disposers, and gives up those that have not run and the blocks of keys. A later
  /// value of such a key is still reported.
  fileprivate mutating func close() -> (entries: [Entry], blocks: [AnyKey: [Disposer]]) {
    isClosed = true
    let blocks = disposers
    if !blocks.isEmpty {
      disposers = blocks.mapValues { all in
        all.map { Disposer(callSite: $0.callSite) { _ in .sync {} } }
      }
    }
    return (exchange(&entries, with: []), blocks)
  }

  /// Takes the next disposal: the newest, also of those that were added meanwhile. `nil` if none is
  /// left, or if the next one is asynchronous and this caller cannot wait.
  fileprivate mutating func next(
    _ progress: inout Progress, leavingAsynchronous: Bool = false
  ) -> Entry? {
    if leavingAsynchronous, case .async? = entries.last?.action { return nil }
    if entries.count > progress.left, progress.asked == Disposal.mostAsked {
      progress.givenUp += entries[progress.left...].reversed()
      entries.removeSubrange(progress.left...)
    }
    let isAsked = entries.count > progress.left
    guard let newest = entries.popLast() else { return nil }
    if isAsked { progress.asked += 1 } else { progress.left = entries.count }
    return newest
  }
}

extension OverrideLayer {
  /// The time that one disposer may take. A slower one is reported on the test.
  ///
  /// The limit is generous, because a task may wait for a thread while a parallel suite runs on a
  /// small machine.
  package static let disposalLimit: Duration = .seconds(60)

  /// Runs `dispose` at the end of the layer. The disposer that was added last runs first.
  ///
  /// The disposer sees the layer, as the operation did. The disposers that it adds, and those of
  /// the instances that are created for it, run next, before older ones. The test reports its
  /// error, and a disposer that takes more than 60 seconds.
  public func onDispose(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ dispose: @escaping @Sendable () throws -> Void
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    addDisposal(at: callSite, .sync(dispose))
  }

  /// Runs `dispose` at the end of the layer, as the synchronous form does. Only an asynchronous
  /// scope can wait for it. A synchronous scope reports it as an error. After 60 seconds it is
  /// cancelled, and the layer goes on waiting for it.
  public func onDispose(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ dispose: @escaping @Sendable @concurrent () async throws -> Void
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    addDisposal(at: callSite, .async(dispose))
  }

  /// Runs `dispose` at the end of the layer for each value that is created for a key under it from
  /// now on, newest first. The disposer sees the layer. Instances that are created for it are
  /// disposed of next. Of several disposers of a key, the one that was added last runs first.
  ///
  /// An instance that production or an outer layer stores is not disposed of, even if it was first
  /// created under this layer. To dispose of it, override its key or one of its dependencies in
  /// this layer, or make the layer a boundary. Under a boundary, a value registered as in
  /// `register(pool)` counts as created at its first request, even if other tests share it.
  ///
  /// Every `register` and `override` returns a key.
  public func onDispose<Value: Sendable>(
    of key: Key<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ dispose: @escaping @Sendable (Value) throws -> Void
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    addDisposer(of: key, at: callSite) { value in .sync { try dispose(value) } }
  }

  /// Runs `dispose` at the end of the layer for each value that is created for a key under it, as
  /// the synchronous form does. Only an asynchronous scope can wait for it.
  public func onDispose<Value: Sendable>(
    of key: Key<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ dispose: @escaping @Sendable @concurrent (Value) async throws -> Void
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    addDisposer(of: key, at: callSite) { value in .async { try await dispose(value) } }
  }

  private func addDisposer<Value>(
    of key: Key<Value>, at callSite: CallSite,
    _ action: @escaping @Sendable (Value) -> Disposal.Action
  ) {
    let disposer = Disposal.Disposer(callSite: callSite) { ($0 as? Value).map(action) }
    let isAdded = state.withLock { state in
      if isEnded { return false }
      state.disposal.disposers[key.erased, default: []].append(disposer)
      return true
    }
    guard isAdded else { return refuseDisposer(of: key.erased, at: callSite) }
    store.lock.noteDisposer()
    store.changing { _, _ in }
  }

  private func addDisposal(at callSite: CallSite, _ action: Disposal.Action) {
    let entry = Disposal.Entry(
      subject: "the setup at \(callSite)", callSite: callSite, action: action)
    if !state.withLock({ $0.disposal.add(entry) }) { refuseDisposer(of: nil, at: callSite) }
  }

  /// A disposer that is given to a layer that has ended would never run, which is an issue of the
  /// run.
  private func refuseDisposer(of key: AnyKey?, at callSite: CallSite) {
    let subject = key.map { "A disposer of \($0)" } ?? "A disposer"
    let message = Message(
      "\(subject) was given to a layer that has ended; it does not run.",
      facts: [Message.Fact("Given", "\(callSite)")] + facts,
      remedies: [
        "Call 'onDispose' before the scope ends, and wait for the work that calls it.",
        "Call it on the layer of the running test:  OverrideLayer.current",
      ])
    TestHosts.reportOnRun(Violation(message, at: callSite), about: [self])
  }

  /// True if this layer or one below it disposes of what is made.
  package var hasDisposers: Bool {
    guard store.lock.hasDisposers else { return false }
    return state.withLock { !$0.disposal.disposers.isEmpty }
      || next(of: resolver)?.hasDisposers == true
  }

  /// Says that a value was made under this layer.
  ///
  /// - Parameters:
  ///   - answer: The key of the answering registration.
  ///   - owner: The rank of the level that stores the value, or `nil`. An inner layer does not
  ///     dispose of an instance that an outer level stores.
  package func noteMade(_ value: Any, for key: AnyKey, by answer: AnyKey, keptAt owner: Int?) {
    for layer in stack(of: resolver) where layer.store.rank <= owner ?? .max {
      let disposers = layer.state.withLock { $0.disposal.disposers(for: key, answeredBy: answer) }
      for disposer in disposers {
        guard let action = disposer.action(value) else { continue }
        let entry = Disposal.Entry(subject: "\(key)", callSite: disposer.callSite, action: action)
        if !layer.state.withLock({ $0.disposal.add(entry) }) { layer.recordUndisposed(entry) }
      }
    }
  }

  // MARK: At the end

  package func dispose(within limit: Duration = disposalLimit) async {
    for inner in keptLayers { await inner.dispose() }
    guard let begun = disposalProgress else { return }
    // A task of its own, awaited at once: disposers run to their end also when the test was
    // cancelled.
    await Task {
      await OverrideLayer.binding(self) {
        var progress = begun
        while let entry = state.withLock({ $0.disposal.next(&progress) }) {
          if case .async(let action) = entry.action {
            await run(entry, action, within: limit)
          } else {
            runNow(entry, within: limit)
          }
        }
        recordGivenUp(progress)
      }
    }.value
  }

  /// Runs the disposers of a scope that cannot wait, under the layer. With `leavingAsynchronous`,
  /// stops at the first asynchronous one, and leaves it and all older ones to the caller.
  package func disposeNow(
    within limit: Duration = disposalLimit, leavingAsynchronous isLeft: Bool = false
  ) {
    for inner in keptLayers { inner.disposeNow(leavingAsynchronous: isLeft) }
    // These are disposed of first.
    if isLeft, keptLayers.contains(where: \.needsToWait) { return }
    guard var progress = disposalProgress else { return }
    OverrideLayer.binding(self) {
      while let entry = state.withLock({
        $0.disposal.next(&progress, leavingAsynchronous: isLeft)
      }) {
        runNow(entry, within: limit)
      }
      recordGivenUp(progress)
    }
  }

  /// The progress of running the added disposals, or `nil` if there are none.
  private var disposalProgress: Disposal.Progress? {
    let count = state.withLock { $0.disposal.entries.count }
    return count == 0 ? nil : Disposal.Progress(left: count)
  }

  /// True if this layer, or one that was left to its end, has to wait for a disposer.
  package var needsToWait: Bool {
    let hasAsynchronous = state.withLock { state in
      state.disposal.entries.contains { entry in
        if case .async = entry.action { true } else { false }
      }
    }
    return hasAsynchronous || keptLayers.contains(where: \.needsToWait)
  }

  private func runNow(_ entry: Disposal.Entry, within limit: Duration) {
    guard case .sync(let action) = entry.action else {
      return record(
        violation(
          of: entry,
          "\(entry.subject) is disposed of asynchronously, and its scope cannot wait: it was not "
            + "disposed of.",
          remedies: [
            isKept
              ? "Give the test a layer, which waits:  \(MessagePlace.current.layer())"
              : "Make the operation asynchronous:  try await withOverrides { … } operation: { await … }",
            "Dispose of it without 'await'.",
          ]))
    }
    let start = ContinuousClock.now
    do { try action() } catch { record(failure(of: entry, error)) }
    if start.duration(to: .now) > limit { record(slowness(of: entry, limit)) }
  }

  /// A disposer that exceeds the limit is reported at once. It is then cancelled and awaited.
  private func run(
    _ entry: Disposal.Entry, _ action: @escaping @Sendable () async throws -> Void,
    within limit: Duration
  ) async {
    let hasBegun = Latch()
    let work = Task {
      hasBegun.open()
      try await action()
    }
    let watch = Task {
      await hasBegun.opened()
      try await Task.sleep(for: limit)
      // On a busy machine, the disposer may only be waiting for a thread, so other tasks run first.
      for _ in 0..<100 { await Task.yield() }
      try Task.checkCancellation()
      let slowness = slowness(of: entry, limit)
      // The layer's end may never come.
      if isOfTest, let host = TestHosts.current {
        host.report(slowness)
      } else {
        record(slowness)
      }
      work.cancel()
    }
    do { try await work.value } catch { record(failure(of: entry, error)) }
    watch.cancel()
    _ = await watch.result
  }

  // MARK: Violations

  /// Takes no more disposers, and reports the entries that were added too late to run.
  func closeDisposal() {
    let (entries, blocks) = state.withLock { $0.disposal.close() }
    for entry in entries { recordUndisposed(entry) }
    // They may hold the last reference to a user's object.
    withExtendedLifetime(blocks) {}
  }

  private func recordUndisposed(_ entry: Disposal.Entry) {
    let message = Message(
      "\(entry.subject) was created after its layer had disposed of the rest: it was not disposed of.",
      facts: facts,
      remedies: ["Wait for the work that makes it, or calls 'onDispose', before the scope ends."])
    record(Violation(message, at: entry.callSite))
  }

  private func recordGivenUp(_ progress: Disposal.Progress) {
    // The ledger stores a finding once, even if its disposer is in the list several times.
    for next in progress.givenUp {
      record(
        violation(
          of: next,
          "Disposing does not end: disposers added \(Disposal.mostAsked) more, and "
            + "\(next.subject) is next.",
          remedies: [
            "In a disposer, do not request an instance that has the same disposer.",
            "Register its dependencies as '.cached', so that they are created once.",
          ]))
    }
  }

  private func failure(of entry: Disposal.Entry, _ error: any Error) -> Violation {
    violation(of: entry, "Disposing of \(entry.subject) failed: \(error)")
  }

  private func slowness(of entry: Disposal.Entry, _ limit: Duration) -> Violation {
    violation(
      of: entry, "Disposing of \(entry.subject) took longer than \(limit).",
      remedies: ["Find out what it waits for."])
  }

  private func violation(
    of entry: Disposal.Entry, _ headline: String, remedies: [String] = []
  ) -> Violation {
    Violation(
      Message(headline, facts: [Message.Fact("Layer", "'\(name)'")], remedies: remedies),
      at: entry.callSite)
  }
}
