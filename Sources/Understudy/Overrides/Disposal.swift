// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a layer runs at its end for what it made: the newest first (O11).
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

  private let state: Lock<[Entry]>
  /// Made with the first disposer: most layers have none.
  private let disposers = LazyValue<KeyTable<any Disposer>>()

  init(_ state: Lock<[Entry]>) {
    self.state = state
  }

  /// Runs `action` at the layer's end, before whatever was added earlier.
  package func add(_ subject: String, at callSite: CallSite, _ action: Action) {
    let entry = Entry(subject: subject, callSite: callSite, action: action)
    state.withLock { $0.append(entry) }
  }

  /// Disposes of every value that is made for a key from now on.
  package func add<Value>(_ disposer: DisposerOf<Value>, for key: Key<Value>) {
    let older = disposers.value(orMake: { KeyTable() }).update(key.erased) { known in
      defer { known = disposer }
      return known
    }
    // The last reference to a block may be its.
    withExtendedLifetime(older) {}
  }

  /// True if values of some key are disposed of.
  var hasDisposers: Bool { disposers.value != nil }

  /// Says that a value was made for a key.
  package func noteMade<Value>(_ value: Value, for key: AnyKey) {
    guard let disposers = disposers.value else { return }
    let disposer = disposers[key] ?? key.undeclared.flatMap { disposers[$0] }
    guard let disposer = disposer as? DisposerOf<Value> else { return }
    add("\(key)", at: disposer.callSite, disposer.action(value))
  }

  /// True if something is to be disposed of asynchronously.
  package var needsToWait: Bool {
    state.withLock { state in
      state.contains { entry in
        if case .async = entry.action { true } else { false }
      }
    }
  }

  /// Takes what is to be done, in the order of doing it.
  func take() -> [Entry] {
    let added = state.withLock { exchange(&$0, with: []) }
    return added.isEmpty ? added : added.reversed()
  }
}

/// How to dispose of values of some type.
package protocol Disposer: Sendable {}

/// How to dispose of values of one type.
package struct DisposerOf<Value>: Disposer {
  let callSite: CallSite
  let action: @Sendable (Value) -> Disposal.Action

  init(at callSite: CallSite, _ action: @escaping @Sendable (Value) -> Disposal.Action) {
    self.callSite = callSite
    self.action = action
  }
}
