// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution does next, to get an instance that is kept.
enum SharingTurn {
  case reuse(Found)
  case lookAgain
  case wait(Flight)
  case lead(Flight, isKept: Bool)

  /// An instance that can be used, and who owns it.
  struct Found {
    let instance: AnyInstance
    let owner: OverrideLayer?
  }
}

extension Resolution {
  func sharing(of registration: Registration<Value>) throws(ResolutionError) -> Sharing<Value> {
    guard let sharing = registration.sharing else { throw error(.notShareable, registration) }
    return sharing
  }

  /// Production's instance, read without a lock, where nothing else may answer or wants to know.
  func published(_ registration: Registration<Value>, _ sharing: Sharing<Value>) -> Value? {
    guard top == nil, tracker == nil, isHome(registration) else { return nil }
    return sharing.published.value
  }

  /// Looks for an instance that can be used, and if there is none takes a turn at making it. Inlined as what calls
  /// it is.
  @inline(__always)
  func turn(
    for registration: Registration<Value>, _ sharing: Sharing<Value>, _ answer: Answer
  ) throws(ResolutionError) -> SharingTurn {
    let scan = CacheScan(
      for: registration, ownedBy: answer.layer, under: top, resolver: resolver,
      isAlive: { sharing.value($0) != nil })
    if let usable = scan.usable, let instance = usable.instance {
      guard Completions.mayReuse(instance.provenance, of: registration, in: usable.store) else {
        return .lookAgain
      }
      return .reuse(SharingTurn.Found(instance: instance, owner: usable.layer))
    }
    guard construction?.isMaking(registration) != true else {
      throw error(.cycle, registration)
    }
    let flight = Flight(
      of: registration, under: top, ownedBy: scan.placement,
      in: scan.placement?.store ?? resolver.store)
    switch FlightBoard.shared.take(
      flight, after: scan.entries, for: tracker?.flight, isCurrent: { isCurrent(answer) })
    {
    case .lookAgain: return .lookAgain
    case .wait(let other): return .wait(other)
    case .lead: return .lead(flight, isKept: true)
    case .leadAlone: return .lead(flight, isKept: false)
    case .cycle(let route):
      throw error(.cycle, registration, through: route.map(\.registration))
    }
  }

  /// Notes that an instance that was made before is handed out; false if it is to be resolved once and another
  /// resolution got it.
  func reuse(
    _ found: SharingTurn.Found, of registration: AnyRegistration, _ answer: Answer, isRemoved: Bool
  ) -> Bool {
    if isRemoved {
      guard answer.claim(in: resolver) else { return false }
      answer.settle(in: resolver)
      forget(answer)
    }
    tracker?.contribute(found.owner)
    tracker?.add(provenance(of: registration, answer, found.instance.provenance.dependencies))
    record(.reused, answer)
    return true
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
    private var instance: AnyInstance?
    private var isMade = false

    init(
      resolution: Resolution, answer: Answer, flight: Flight, tracker: DependencyTracker
    ) {
      self.resolution = resolution
      self.answer = answer
      self.flight = flight
      self.tracker = tracker
    }

    /// Takes what was made; `nil` if it is to be resolved once and another resolution got it.
    func keep(
      _ value: Value, _ sharing: Sharing<Value>, _ registration: Registration<Value>,
      isKept: Bool, isRemoved: Bool
    ) -> Value? {
      isMade = true
      resolution.layer?.noteMade(value, for: resolution.request.key)
      let provenance = resolution.provenance(of: registration, answer, tracker.dependencies)
      if isRemoved {
        guard answer.claim(in: resolution.resolver) else { return nil }
        answer.settle(in: resolution.resolver)
      } else if isKept, !tracker.isTransient {
        instance = sharing.instance(value, provenance)
        let isPublic =
          flight.owner == nil && registration.retention == .strong
          && resolution.isHome(registration)
        let isComplete = Completions.noteKept(
          provenance, of: registration, in: { resolution.stores }
        ) { [store = flight.store] in
          guard isPublic, let kept = store.instance(of: registration) else { return }
          if let value = sharing.value(kept) { sharing.published.publish(value) }
        }
        if isPublic, isComplete { sharing.published.publish(value) }
      }
      resolution.tracker?.add(provenance)
      resolution.record(.made, answer)
      return value
    }

    /// Ends it, made or failed, and lets those who wait look again.
    func land() {
      tracker.close()
      // Whoever can live with the failure depends on what it depended on.
      if !isMade { tracker.dependencies.forEach { resolution.tracker?.add($0) } }
      FlightBoard.shared.land(flight, with: instance, for: resolution.tracker?.flight)
      resolution.tracker?.contribute(flight.owner)
      guard resolution.isCurrent(answer) else { return resolution.forget(answer) }
      if let instance {
        resolution.remember(instance, keptBy: flight.owner, answer.registration, answer)
      }
    }
  }

  /// Where an instance may be kept.
  var stores: [RegistrationStore] {
    (top?.stack.map(\.store) ?? []) + [resolver.store]
  }

  /// False if nobody can ask for the registration any more: it was claimed, unregistered, or its key
  /// registered anew, if only for those above a boundary.
  func isCurrent(_ answer: Answer) -> Bool {
    let registration = answer.registration
    if registration === first?.registration { return true }
    return !registration.isRetired
      && !boundary.hasClaimed(registration, of: answer.level)
  }

  /// True if what production keeps of a registration is this resolver's: a declared dependency has
  /// one fast slot, which is the main resolver's; others keep theirs in their stores.
  func isHome(_ registration: AnyRegistration) -> Bool {
    registration !== request.declared || resolver === Resolver.main
  }
}
