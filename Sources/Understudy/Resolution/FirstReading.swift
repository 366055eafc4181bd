// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is made when it is first read: by one of those who read it at once, and the others wait.
///
/// The making is a flight like that of an instance that is kept, so whoever would wait for ever is told of a cycle.
/// The value is kept here and nowhere else.
final class FirstReading<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    /// Stands for the value on the board of flights until it is there.
    var registration: AnyRegistration?
  }

  private let state = Lock(State())
  private let context = OverrideContext.current
  private let key: AnyKey
  private let callSite: CallSite
  private let resolver: Resolver?
  private let make: @Sendable () -> Value
  private let answer: @Sendable (ResolutionError) -> Value

  /// Prepares a reading in the context of now.
  ///
  /// - Parameters:
  ///   - key: What the value is called where making it needs itself.
  ///   - callSite: Where it is injected.
  ///   - resolver: Who is asked for the key, if anybody is.
  ///   - make: Makes the value; cannot throw. Runs under no lock.
  ///   - answer: What comes instead if making it needs itself.
  init(
    of key: AnyKey, at callSite: CallSite, from resolver: Resolver? = nil,
    _ make: @escaping @Sendable () -> Value,
    insteadOf answer: @escaping @Sendable (ResolutionError) -> Value
  ) {
    self.key = key
    self.callSite = callSite
    self.resolver = resolver
    self.make = make
    self.answer = answer
  }

  /// The value, made now if it was not.
  var value: Value {
    if let kept { return kept }
    if let resolver {
      OverrideLayer.noteEarlyAsker(
        for: key, of: resolver, madeUnder: context.layer, at: callSite)
    }
    return context.run { read() }
  }

  private var kept: Value? { state.withLock { $0.value } }

  private func read() -> Value {
    let registration = registration
    let requester = Flight.requester(within: Construction.current?.tracker)
    while true {
      if let kept { return kept }
      let flight = Flight(of: registration, under: .current, ownedBy: nil, in: place)
      switch FlightBoard.shared.take(
        flight, after: [CacheScan.Entry(layer: nil, store: place, instance: nil)], for: requester,
        isCurrent: { kept == nil })
      {
      case .lookAgain: continue
      case .wait(let other):
        other.latchOfWaiters()?.wait()
        requester?.unblock(from: other)
      case .lead, .leadAlone: return made(flight, for: requester)
      case .cycle(let route): return answer(cycle(through: route.map(\.registration.key)))
      }
    }
  }

  private func made(_ flight: Flight, for requester: Flight?) -> Value {
    let fresh = ReadingFlight(flight, within: Construction.current?.tracker).run(make)
    let (value, registration) = state.withLock { state in
      let old = state
      state = State(value: old.value ?? fresh)
      return (old.value ?? fresh, old.registration)
    }
    FlightBoard.shared.land(flight, with: nil, for: requester)
    withExtendedLifetime(registration) {}
    return value
  }

  private var registration: AnyRegistration {
    let fresh = Registration<Value>(RegistrationTraits(key: key, at: callSite), sharing: nil) { _ in
      throw NeedsAwait()
    }
    return state.withLock { state in
      let registration = state.registration ?? fresh
      state.registration = registration
      return registration
    }
  }

  private func cycle(through route: [AnyKey]) -> ResolutionError {
    let path = (Construction.current?.path ?? []).map(\.key)
    // A block that makes a value without a registration is in no path of blocks.
    let first = route.last.map { path.contains($0) ? [] : [$0] } ?? []
    return ResolutionError(.cycle, key: key, path: first + path + route, callSite: callSite)
  }
}

/// Where first readings are on the board of flights. Nothing is kept there.
private let place = RegistrationStore()

/// A first reading that the calling thread does, innermost of those: what its block asks for is asked on its behalf.
private final class ReadingFlight: Sendable {
  let flight: Flight
  /// What collected dependencies when it began: as long as nothing else does, this is the innermost flight.
  let tracker: DependencyTracker?

  private static let thread = ThreadLocal<ReadingFlight>()
  /// How many are being done: one relaxed load stands before the look for one.
  private static let count = Atomic<Int>(0)

  static var current: ReadingFlight? {
    count.load(ordering: .relaxed) == 0 ? nil : thread.current
  }

  init(_ flight: Flight, within tracker: DependencyTracker?) {
    self.flight = flight
    self.tracker = tracker
  }

  func run<Result>(_ body: () -> Result) -> Result {
    ReadingFlight.count.add(1, ordering: .relaxed)
    defer { ReadingFlight.count.subtract(1, ordering: .relaxed) }
    return ReadingFlight.thread.binding(self, body)
  }
}

extension Flight {
  /// The flight on whose behalf the calling thread asks, if there is one.
  ///
  /// - Parameter tracker: What collects the dependencies of the innermost instance that is being made to be kept.
  /// - Returns: The innermost of that instance's and of the first readings that the thread does.
  static func requester(within tracker: DependencyTracker?) -> Flight? {
    guard let reading = ReadingFlight.current, reading.tracker === tracker else {
      return tracker?.flight
    }
    return reading.flight
  }
}
