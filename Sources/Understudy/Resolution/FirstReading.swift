// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value that its first reader creates. Other readers wait.
///
/// A first read takes part in the search for cycles as a creation does, so a reader that would wait
/// for ever gets an error. The value is stored here and nowhere else.
final class FirstReading<Value: Sendable>: Sendable {
  private enum State {
    case unread
    case reading(Creation, Latch)
    /// The value, or production's with the error of a request that lost its context.
    case read(Injected<Value>)
  }

  private let state = Lock(State.unread)
  let context = OverrideContext.current
  private let key: AnyKey
  private let callSite: CallSite
  private let resolver: ResolverReference?
  private let create: @Sendable () throws(ResolutionError) -> Injected<Value>

  /// Prepares a reading in the current context. `create` runs under no lock.
  init(
    of key: AnyKey, at callSite: CallSite, from resolver: ResolverReference? = nil,
    _ create: @escaping @Sendable () throws(ResolutionError) -> Injected<Value>
  ) {
    self.key = key
    self.callSite = callSite
    self.resolver = resolver
    self.create = create
  }

  /// The value, created now if it was not. After an error the next read tries again.
  func value() throws(ResolutionError) -> Injected<Value> {
    if case .read(let injected) = state.withLock({ $0 }) { return injected }
    if let resolver = resolver?.resolver {
      try context.checkEarlyAsker(for: key, of: resolver, at: callSite)
    }
    return try context.run { () throws(ResolutionError) in try read() }
  }

  private func read() throws(ResolutionError) -> Injected<Value> {
    let requester = Creation.requester(within: Construction.current?.creation)
    let fresh = Creation(
      of: Registration<Value>(RegistrationTraits(key: key, at: callSite), sharing: nil) { _ in
        throw NotCallable.needsAwait
      }, owner: Resolver.main.store, home: Resolver.main.store,
      in: LevelStack(top: nil, production: Resolver.main.store), for: requester)
    while true {
      let latch = Latch()
      let seen = state.withLock { state in
        defer { if case .unread = state { state = .reading(fresh, latch) } }
        return state
      }
      switch seen {
      case .read(let injected): return injected
      case .unread:
        defer { latch.open() }
        do throws(ResolutionError) {
          let reading = RunningRead(fresh, within: Construction.current?.creation)
          let injected = try RunningRead.thread.binding(reading, create)
          state.withLock { $0 = .read(injected) }
          return injected
        } catch {
          state.withLock { $0 = .unread }
          throw error
        }
      case .reading(let other, let latch):
        if let requester, let route = Waiting.begin(for: other, by: requester, at: latch) {
          throw cycle(through: route.map(\.registration.key))
        }
        LongWait.wait(at: latch, for: other, key, at: callSite)
        if let requester { Waiting.end(for: other, by: requester, at: latch) }
      }
    }
  }

  private func cycle(through route: [AnyKey]) -> ResolutionError {
    let path = Resolver.blocksOfCaller.map(\.key)
    // A block that creates a value without a registration is in no path of blocks.
    let first = route.last.map { path.contains($0) ? [] : [$0] } ?? []
    return ResolutionError(.cycle, key: key, path: first + path + route, callSite: callSite)
  }
}

/// A first read that the calling thread does, the innermost one: the requests of its block are made
/// on its behalf.
private final class RunningRead: Sendable {
  static let thread = ThreadLocal<RunningRead>()

  let creation: Creation
  /// The creation that the thread had a part in when the read began. While it has no part in
  /// another, the read is the innermost.
  let outer: Creation?

  init(_ creation: Creation, within outer: Creation?) {
    self.creation = creation
    self.outer = outer
  }
}

extension Creation {
  /// The creation on whose behalf the calling thread makes requests, if there is one.
  ///
  /// - Parameter creation: The innermost instance that is being created.
  /// - Returns: The innermost of that and of the first reads that the thread does.
  static func requester(within creation: Creation?) -> Creation? {
    guard Creation.areAny, let reading = RunningRead.thread.current, reading.outer === creation
    else {
      return creation
    }
    return reading.creation
  }
}
