// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An observer of a resolver. It stays for as long as the resolver lives, or until `cancel()`.
public final class ResolverObservation: Sendable {
  fileprivate typealias Observer = @Sendable (ResolverEvent, Any?) -> Void

  /// In a structure, since each access to a function in a lock would wrap it once more.
  private let observer: Lock<KnownSendable<Observer>?>
  private weak let observers: Observers?

  fileprivate init(of observers: Observers, _ observer: @escaping Observer) {
    self.observer = Lock(KnownSendable(observer))
    self.observers = observers
  }

  /// Ends the observation. A call of the observer that runs on another thread goes on to its end.
  public func cancel() {
    let old = observer.withLock { exchange(&$0, with: nil) }
    observers?.remove(self)
    // It may hold the last reference to an object of the user's.
    withExtendedLifetime(old) {}
  }

  fileprivate func receive(_ event: ResolverEvent, _ value: Any?) {
    observer.withLock { $0 }?.value(event, value)
  }
}

/// The observers of one resolver, with those of its parents.
final class Observers: Sendable {
  // The first stored property: `count` looks for it there.
  private let word = AtomicWord()
  private let parent: Observers?
  private let all = Lock<[ResolverObservation]>([])
  /// The number of observers of the resolver, which is read without the lock.
  private var count: AtomicInt { AtomicInt(in: self) }

  private static let running = ThreadLocal<Observers>()

  init(parent: Observers?) { self.parent = parent }

  /// True if the resolver or a parent of it is observed.
  var areAny: Bool { count.relaxedValue != 0 || parent?.areAny ?? false }

  fileprivate func add(_ observation: ResolverObservation) { change { $0.append(observation) } }

  fileprivate func remove(_ observation: ResolverObservation) {
    change { $0.removeAll { $0 === observation } }
  }

  private func change(_ body: (inout [ResolverObservation]) -> Void) {
    let old = all.withLock { all in
      let old = all
      body(&all)
      count.store(all.count)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Calls each observer, on the calling thread and under no lock. What an observer does itself is
  /// not observed, so it never calls itself.
  func send(_ event: ResolverEvent, _ value: Any? = nil) {
    guard Observers.running.current == nil else { return }
    let all = all.withLock { $0 }
    Observers.running.binding(self) {
      for observation in all { observation.receive(event, value) }
    }
    parent?.send(event, value)
  }
}

extension Resolver {
  /// Calls `observer` for each event of this resolver, of its children, and of the layers that
  /// override them. While a resolver is observed, each request takes the slow path.
  ///
  /// The observer is called on the thread that resolves or registers, under no lock. Several
  /// threads may call it at one time. It may resolve: its own requests are not observed. While a
  /// block runs, they are made on behalf of that block.
  ///
  /// - Parameter observer: Gets each event.
  /// - Returns: The observation, to cancel it. The observer stays without it, too.
  @discardableResult
  public func observe(
    _ observer: @escaping @Sendable (ResolverEvent) -> Void
  ) -> ResolverObservation {
    addObserver { event, _ in observer(event) }
  }

  /// Calls `observer` with each value that a request gets, and each value that a block creates.
  ///
  /// The kind of the event is `created` or `resolved`. A request that creates its value has both.
  /// Use it to log or to configure every object in one place. The rules of `observe` hold for this
  /// observer, too.
  ///
  /// - Parameter observer: Gets each value, with its event.
  /// - Returns: The observation, to cancel it. The observer stays without it, too.
  @discardableResult
  public func observeValues(
    _ observer: @escaping @Sendable (Any, ResolverEvent) -> Void
  ) -> ResolverObservation {
    addObserver { event, value in if let value { observer(value, event) } }
  }

  private func addObserver(
    _ observer: @escaping @Sendable (ResolverEvent, Any?) -> Void
  ) -> ResolverObservation {
    let observation = ResolverObservation(of: store.observers, observer)
    store.observers.add(observation)
    // From now on no answer is cached, and those that are cached are forgotten.
    store.changing { _, _ in }
    return observation
  }

  /// True if this resolver or a parent of it is observed.
  package var isObserved: Bool { store.observers.areAny }
}
