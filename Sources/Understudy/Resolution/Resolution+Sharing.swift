// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolution {
  /// What the caller does next, to get an instance that is kept.
  enum Turn {
    case reuse(Value)
    case lookAgain
    case wait(Flight)
    case lead(Flight, isKept: Bool)
  }

  func sharing(of registration: Registration<Value>) throws(ResolutionError) -> Sharing<Value> {
    guard let sharing = registration.sharing else { throw error(.notShareable, registration) }
    return sharing
  }

  /// Production's instance, read without a lock, where nothing else may answer or wants to know.
  func published(_ registration: Registration<Value>, _ sharing: Sharing<Value>) -> Value? {
    guard top == nil, tracker == nil, isHome(registration) else { return nil }
    return sharing.published.value
  }

  /// Looks for an instance that can be used, and if there is none takes a turn at making it.
  func turn(
    for registration: Registration<Value>, _ sharing: Sharing<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Turn {
    let scan = CacheScan(
      for: registration, ownedBy: answer.layer, under: top, resolver: resolver,
      isAlive: { sharing.value($0) != nil })
    if let usable = scan.usable, let instance = usable.instance,
      let value = sharing.value(instance)
    {
      reuse(instance, of: registration, ownedBy: usable.layer, answer)
      return .reuse(value)
    }
    guard construction?.isMaking(registration) != true else {
      throw error(.cycle, registration)
    }
    let flight = Flight(
      of: registration, under: top, ownedBy: scan.placement,
      in: scan.placement?.store ?? resolver.store)
    switch FlightBoard.shared.take(flight, after: scan.entries, for: tracker?.flight) {
    case .lookAgain: return .lookAgain
    case .wait(let other): return .wait(other)
    case .lead: return .lead(flight, isKept: true)
    case .leadAlone: return .lead(flight, isKept: false)
    case .cycle(let route):
      throw error(.cycle, registration, through: route.map(\.registration))
    }
  }

  private func reuse(
    _ instance: any AnyInstance, of registration: AnyRegistration,
    ownedBy owner: OverrideLayer?, _ answer: Answer
  ) {
    tracker?.contribute(owner)
    tracker?.add(
      instance.provenance.key == request.key
        ? instance.provenance : provenance(of: registration, answer, [instance.provenance]))
    record(.reused, answer)
  }

  /// Begins to make the instance that others may be waiting for.
  func lead(_ flight: Flight, _ answer: Answer) -> Leading {
    Leading(
      resolution: self, answer: answer, flight: flight,
      tracker: DependencyTracker(flight, within: tracker))
  }

  /// An instance that is being made to be kept.
  final class Leading {
    let resolution: Resolution
    let answer: Answer
    let flight: Flight
    let tracker: DependencyTracker
    private var instance: (any AnyInstance)?

    init(
      resolution: Resolution, answer: Answer, flight: Flight, tracker: DependencyTracker
    ) {
      self.resolution = resolution
      self.answer = answer
      self.flight = flight
      self.tracker = tracker
    }

    /// Takes what was made.
    func keep(
      _ value: Value, _ sharing: Sharing<Value>, _ registration: Registration<Value>, isKept: Bool
    ) -> Value {
      resolution.layer?.noteMade(value, for: resolution.request.key)
      let provenance = resolution.provenance(of: registration, answer, tracker.dependencies)
      if isKept, !tracker.isTransient {
        instance = sharing.instance(value, provenance)
        if flight.owner == nil, registration.retention == .strong,
          resolution.isHome(registration)
        {
          sharing.published.publish(value)
        }
      }
      resolution.tracker?.add(provenance)
      resolution.record(.made, answer)
      return value
    }

    /// Ends it, made or failed, and lets those who wait look again.
    func land() {
      tracker.close()
      FlightBoard.shared.land(flight, with: instance, for: resolution.tracker?.flight)
      resolution.tracker?.contribute(flight.owner)
      if !resolution.isCurrent(answer) { flight.store.forget(answer.registration) }
    }
  }

  /// False if the key was registered anew, or unregistered, while the instance was being made (L6).
  private func isCurrent(_ answer: Answer) -> Bool {
    let registration = answer.registration
    return registration === request.declared || registration === first?.registration
      || answer.store(resolver).registration(for: registration.key) === registration
  }

  /// True if what production keeps of a registration is this resolver's: a declared dependency has
  /// one fast slot, which is the main resolver's; others keep theirs in their stores.
  func isHome(_ registration: AnyRegistration) -> Bool {
    registration !== request.declared || resolver === Resolver.main
  }
}
