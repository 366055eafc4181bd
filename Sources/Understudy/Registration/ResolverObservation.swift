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
  var areAny: Bool {
    // Each request asks: a debug build pays for `||` and `??`.
    if count.relaxedValue != 0 { return true }
    guard let parent else { return false }
    return parent.areAny
  }

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

  /// Calls each observer, on the calling thread and under no lock. The requests of an observer are
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
  /// threads may call it at the same time. It may resolve: its own requests are not observed. While
  /// a block runs, they are made on behalf of that block.
  ///
  /// - Parameter observer: Gets each event.
  /// - Returns: The observation, to cancel it. If you discard it, the observer stays.
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
  /// - Returns: The observation, to cancel it. If you discard it, the observer stays.
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

/// An event of a resolver, or of a layer that overrides it.
public struct ResolverEvent: Sendable {
  /// The kinds of events.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A registration was added.
    case registered
    /// A block begins to create a value. One `created` or `failed` of the same `order` follows.
    case creating
    /// A block has created a value. An existing instance that is handed out again is not created.
    case created
    /// A request got its value, new or existing.
    case resolved
    /// Nothing answers a request.
    case missed
    /// A request failed or was refused: its block threw, a dependency of it failed, production must
    /// not answer it, or it lost its context.
    case failed
    /// An instance that a block created is no longer stored: its registration was replaced or
    /// removed, the instances were reset, or its layer or resolver ended.
    case disposed
  }

  /// The owner of a value.
  public enum Owner: Hashable, Sendable, CustomStringConvertible {
    /// The value is not stored. It is the caller's alone.
    case caller
    /// The resolver, or a parent of it.
    case production
    /// The layer of this name.
    case layer(String)

    /// `caller`, `production`, or `layer 'a confirmed order'`.
    public var description: String {
      switch self {
      case .caller: "caller"
      case .production: "production"
      case .layer(let name): "layer '\(name)'"
      }
    }
  }

  /// The kind of the event.
  public let kind: Kind
  /// The requested key. For `registered` and `disposed`, the key of the registration.
  public let key: AnyKey
  /// The keys whose blocks led to the request, outermost first. The last one is `key`.
  public let path: [AnyKey]
  /// The number of the request. It is unique in the process. Within one resolver, or the layers of
  /// one test, later requests have greater numbers. `nil` for `registered` and `disposed`.
  public let order: Int?
  let parentOrder: Int
  /// The name of the layer that has the registration, or `nil` for production.
  public let layer: String?
  /// The owner of the value, for `created`, `resolved` and `disposed`.
  public let owner: Owner?
  /// The place of the request. For `registered` and `disposed`, the place of the registration.
  public let callSite: CallSite
  /// The error of a failed request, a `ResolutionError`.
  public let error: (any Error)?

  /// The number of the request whose block made this one, if that was observed too.
  public var parent: Int? { parentOrder == 0 ? nil : parentOrder }
}

extension ResolverEvent {
  /// Creates an event of a level, without a request.
  init(_ kind: Kind, _ registration: AnyRegistration, in level: LevelStore) {
    self.init(
      kind: kind, key: registration.key, path: [registration.key], order: nil, parentOrder: 0,
      layer: level.label?.name, owner: kind == .disposed ? level.owner : nil,
      callSite: registration.callSite, error: nil)
  }
}

/// The events of instances that a change of the levels released. They are sent after the locks are
/// unlocked.
struct Disposals {
  private var events: [(event: ResolverEvent, observers: Observers)] = []

  /// Adds the created instances among some objects that a level has released.
  mutating func add(_ released: [AnyObject], of level: LevelStore) {
    guard level.observers.areAny else { return }
    for case let instance as AnyInstance in released where instance.isMade {
      let event = ResolverEvent(.disposed, instance.registration, in: level)
      events.append((event, level.observers))
    }
  }

  func send() { for (event, observers) in events { observers.send(event) } }
}

extension LevelStore {
  var owner: ResolverEvent.Owner { label.map { .layer($0.name) } ?? .production }
}
