// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a layer runs at its end for what it made: the newest first, until none is left.
package struct Disposal: ~Copyable, Sendable {
  package enum Action: Sendable {
    case sync(@Sendable () throws -> Void)
    case async(@Sendable () async throws -> Void)
  }

  package struct Entry: Sendable {
    package let subject: String
    package let callSite: CallSite
    package let action: Action
  }

  /// How far the running of disposers is.
  struct Progress: Sendable {
    /// How many are left of those that were there when it began.
    fileprivate var left: Int
    /// How many others were run: those that disposers asked for.
    fileprivate var asked = 0
  }

  enum Step {
    case run(Entry)
    /// Disposers ask for others without end: these are not run.
    case giveUp([Entry])
  }

  /// How many others disposers may ask for; more than any layer has use for.
  static var mostAsked: Int { 1000 }

  struct DisposalState: Sendable {
    fileprivate var entries: [Entry] = []
    fileprivate var isClosed = false
    fileprivate var disposers: [AnyKey: Disposer] = [:]
  }

  private let state: Lock<DisposalState>

  init(_ state: Lock<DisposalState>) { self.state = state }

  /// Runs an entry at the layer's end, before whatever was added earlier; false if that is over.
  package func add(_ entry: Entry) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.entries.append(entry) }
      return !state.isClosed
    }
  }

  /// Disposes of every value that is created for a key from now on.
  package func add(_ disposer: Disposer, for key: AnyKey) {
    let older = state.withLock { $0.disposers.updateValue(disposer, forKey: key) }
    // It may hold the last reference to a block.
    withExtendedLifetime(older) {}
  }

  var hasDisposers: Bool { state.withLock { !$0.disposers.isEmpty } }

  /// Notes that a value was created for a key, which another may have answered; returns the entry
  /// that would dispose of it, if that is over.
  package func noteMade(_ value: Any, for key: AnyKey, by answer: AnyKey) -> Entry? {
    let found = state.withLock { state in
      state.disposers[key] ?? key.undeclared.flatMap { state.disposers[$0] }
        ?? state.disposers[answer]
    }
    guard let found, let action = found.action(value) else { return nil }
    let entry = Entry(subject: "\(key)", callSite: found.callSite, action: action)
    return add(entry) ? nil : entry
  }

  /// True if something is to be disposed of asynchronously.
  var needsToWait: Bool {
    state.withLock { state in
      state.entries.contains { entry in
        if case .async = entry.action { true } else { false }
      }
    }
  }

  /// Begins to run what was added; `nil` if there is nothing.
  func begin() -> Progress? {
    let count = state.withLock { $0.entries.count }
    return count == 0 ? nil : Progress(left: count)
  }

  /// Takes the next disposal: the newest, also of those that were added meanwhile. `nil` if none is
  /// left, or if the next one is asynchronous and this caller cannot wait.
  func next(_ progress: inout Progress, leavingAsynchronous isLeft: Bool = false) -> Step? {
    state.withLock { state in
      if isLeft, case .async? = state.entries.last?.action { return nil }
      let isAsked = state.entries.count > progress.left
      if isAsked, progress.asked == Disposal.mostAsked {
        let rest = Array(state.entries[progress.left...].reversed())
        state.entries.removeSubrange(progress.left...)
        return .giveUp(rest)
      }
      guard let newest = state.entries.popLast() else { return nil }
      if isAsked { progress.asked += 1 } else { progress.left = state.entries.count }
      return .run(newest)
    }
  }

  /// Takes nothing more, and returns what was not run, if that is anything.
  func close() -> [Entry]? {
    state.withLock { state in
      state.isClosed = true
      return state.entries.count == 0 ? nil : exchange(&state.entries, with: [])
    }
  }
}

package struct Disposer: Sendable {
  let callSite: CallSite
  /// `nil` for a value of another type.
  let action: @Sendable (Any) -> Disposal.Action?
}
