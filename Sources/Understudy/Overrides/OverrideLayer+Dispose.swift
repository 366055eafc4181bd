// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The time that one disposer may take. A slower one is reported on the test.
  ///
  /// The limit is generous, because a task may wait for a thread while a parallel suite runs on a
  /// small machine.
  package static let disposalLimit: Duration = .seconds(60)

  /// Runs `dispose` at the end of the layer. The disposer that was added last runs first.
  ///
  /// The disposer sees the layer, as the operation did. The disposers that it adds, and those of
  /// the instances that are created for it, run next, before older ones.
  ///
  /// - Parameters:
  ///   - dispose: The disposer. Its error is reported on the test.
  public func onDispose(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ dispose: @escaping @Sendable () throws -> Void
  ) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    addDisposer(of: "what was set up at \(callSite)", at: callSite, .sync(dispose))
  }

  /// Runs `dispose` at the end of the layer, as the synchronous form does. Only an asynchronous
  /// scope can wait for it. A synchronous scope reports it as an error.
  public func onDispose(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ dispose: @escaping @Sendable @concurrent () async throws -> Void
  ) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    addDisposer(of: "what was set up at \(callSite)", at: callSite, .async(dispose))
  }

  /// Runs `dispose` at the end of the layer for each value that was created for a key under it,
  /// newest first. The disposer sees the layer. Instances that are created for it are disposed of
  /// next.
  ///
  /// An instance that production or an outer layer stores is not disposed of, even if it was first
  /// created under this layer. To dispose of it, override its key or one of its dependencies in
  /// this layer, or make the layer a boundary.
  ///
  /// - Parameters:
  ///   - key: The key of the values. Every `register` and `override` returns one.
  ///   - dispose: The disposer. Its error is reported on the test.
  public func onDispose<Value: Sendable>(
    of key: Key<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ dispose: @escaping @Sendable (Value) throws -> Void
  ) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.dispose(of: key, at: callSite) { value in .sync { try dispose(value) } }
  }

  /// Runs `dispose` at the end of the layer for each value that was created for a key under it, as
  /// the synchronous form does. Only an asynchronous scope can wait for it.
  public func onDispose<Value: Sendable>(
    of key: Key<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ dispose: @escaping @Sendable @concurrent (Value) async throws -> Void
  ) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.dispose(of: key, at: callSite) { value in .async { try await dispose(value) } }
  }

  private func dispose<Value>(
    of key: Key<Value>, at callSite: CallSite,
    _ action: @escaping @Sendable (Value) -> Disposal.Action
  ) {
    if scope.isEnded { return refuse(key.erased, at: callSite) }
    disposal.add(Disposer(callSite: callSite) { ($0 as? Value).map(action) }, for: key.erased)
    store.lock.noteDisposer()
  }

  /// A disposer that is given to a layer that has ended would never run, which is an issue of the
  /// run.
  private func addDisposer(of subject: String, at callSite: CallSite, _ action: Disposal.Action) {
    if !disposal.add(Disposal.Entry(subject: subject, callSite: callSite, action: action)) {
      refuse(nil, at: callSite)
    }
  }

  private func refuse(_ key: AnyKey?, at callSite: CallSite) {
    TestHosts.reportOnRun(.disposerAfterEnd(of: key, at: callSite, to: self), about: [self])
  }

  /// Reports what was asked to be disposed of when the rest had been.
  func reportUndisposed() {
    if let entries = disposal.close() {
      for entry in entries { record(.undisposed(entry, in: self)) }
    }
  }

  /// True if this layer or one below it disposes of what is made.
  package var hasDisposers: Bool {
    guard store.lock.hasDisposers else { return false }
    if disposal.hasDisposers { return true }
    return next(of: resolver)?.hasDisposers ?? false
  }

  /// Says that a value was made under this layer.
  ///
  /// - Parameters:
  ///   - answer: The key of the answering registration.
  ///   - owner: The rank of the level that stores the value, or `nil`. An inner layer does not
  ///     dispose of an instance that an outer level stores.
  package func noteMade(_ value: Any, for key: AnyKey, by answer: AnyKey, keptAt owner: Int?) {
    var layer: OverrideLayer? = self
    while let next = layer {
      if next.store.rank <= owner ?? .max,
        let entry = next.disposal.noteMade(value, for: key, by: answer)
      {
        next.record(.undisposed(entry, in: next))
      }
      layer = next.next(of: resolver)
    }
  }

  package func dispose(within limit: Duration = disposalLimit) async {
    for inner in keptLayers { await inner.dispose() }
    guard let begun = disposal.begin() else { return }
    // A task of its own, awaited at once: disposers run to their end also when the test was
    // cancelled.
    await Task {
      await OverrideLayer.binding(self) {
        var progress = begun
        while let step = disposal.next(&progress) {
          switch step {
          case .run(let entry):
            if case .async(let action) = entry.action {
              await run(entry, action, within: limit)
            } else {
              runNow(entry, within: limit)
            }
          case .giveUp(let rest): giveUp(rest)
          }
        }
      }
    }.value
  }

  /// Runs the disposers of a scope that cannot wait, under the layer; or up to the first
  /// asynchronous one, if that and all older ones are left to an asynchronous caller.
  package func disposeNow(
    within limit: Duration = disposalLimit, leavingAsynchronous isLeft: Bool = false
  ) {
    for inner in keptLayers { inner.disposeNow(leavingAsynchronous: isLeft) }
    // These are disposed of first.
    if isLeft, keptLayers.contains(where: \.needsToWait) { return }
    guard var progress = disposal.begin() else { return }
    OverrideLayer.binding(self) {
      while let step = disposal.next(&progress, leavingAsynchronous: isLeft) {
        switch step {
        case .run(let entry): runNow(entry, within: limit)
        case .giveUp(let rest): giveUp(rest)
        }
      }
    }
  }

  /// True if this layer, or one that was left to its end, has to wait for a disposer.
  package var needsToWait: Bool {
    disposal.needsToWait || keptLayers.contains(where: \.needsToWait)
  }

  private func giveUp(_ rest: [Disposal.Entry]) {
    if let next = rest.first { record(.endless(next, in: self)) }
  }

  private func runNow(_ entry: Disposal.Entry, within limit: Duration) {
    guard case .sync(let action) = entry.action else {
      return record(.cannotWait(for: entry, in: self))
    }
    let start = ContinuousClock.now
    do { try action() } catch { record(.failed(entry, error, in: self)) }
    if start.duration(to: .now) > limit { record(.slow(entry, limit, in: self)) }
  }

  /// Reports at once: the layer's end may never come.
  private func reportNow(_ violation: Violation) {
    guard test != nil, let host = TestHosts.current else { return record(violation) }
    host.report(violation)
  }

  /// The time limit is told as soon as it is passed; the disposer is then cancelled and waited for.
  private func run(
    _ entry: Disposal.Entry, _ action: @escaping @Sendable () async throws -> Void,
    within limit: Duration
  ) async {
    let hasBegun = Latch()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        hasBegun.open()
        do { try await action() } catch { self.record(.failed(entry, error, in: self)) }
      }
      group.addTask {
        do {
          await hasBegun.opened()
          try await Task.sleep(for: limit)
          // On a busy machine it may only wait for its turn: as many others have theirs before it
          // is told.
          for _ in 0..<100 { await Task.yield() }
          try Task.checkCancellation()
          self.reportNow(.slow(entry, limit, in: self))
        } catch {
          // Cancelled: the disposer was in time.
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}

extension Violation {
  fileprivate static func failed(
    _ entry: Disposal.Entry, _ error: any Error, in layer: OverrideLayer
  ) -> Violation {
    about(entry, in: layer, "Disposing of \(entry.subject) failed: \(error)")
  }

  fileprivate static func slow(
    _ entry: Disposal.Entry, _ limit: Duration, in layer: OverrideLayer
  ) -> Violation {
    about(
      entry, in: layer, "Disposing of \(entry.subject) took longer than \(limit).",
      remedies: ["Find out what it waits for."])
  }

  fileprivate static func undisposed(
    _ entry: Disposal.Entry, in layer: OverrideLayer
  ) -> Violation {
    Violation(
      Message(
        "\(entry.subject) was created after its layer had disposed of the rest: it was not disposed of.",
        facts: layer.facts,
        remedies: ["Wait for the work that makes it, or calls 'onDispose', before the scope ends."]),
      at: entry.callSite)
  }

  fileprivate static func endless(_ next: Disposal.Entry, in layer: OverrideLayer) -> Violation {
    about(
      next, in: layer,
      "Disposing does not come to an end: disposers asked for \(Disposal.mostAsked) others, and "
        + "\(next.subject) comes next.",
      remedies: [
        "In a disposer, do not request an instance that has the same disposer.",
        "Register its dependencies as '.cached', so that they are created once.",
      ])
  }

  fileprivate static func cannotWait(
    for entry: Disposal.Entry, in layer: OverrideLayer
  ) -> Violation {
    about(
      entry, in: layer,
      "\(entry.subject) is disposed of asynchronously, and its scope cannot wait: it was not "
        + "disposed of.",
      remedies: [
        "Make the operation asynchronous:  try await withOverrides { … } operation: { await … }",
        "Dispose of it without 'await'.",
      ])
  }

  private static func about(
    _ entry: Disposal.Entry, in layer: OverrideLayer, _ headline: String, remedies: [String] = []
  ) -> Violation {
    Violation(
      Message(headline, facts: [Message.Fact("Layer", "'\(layer.name)'")], remedies: remedies),
      at: entry.callSite)
  }
}
