// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution does next, to get an instance that is kept.
enum SharingTurn {
  case reuse(Found)
  case lookAgain
  /// Keep the value, which exists already: whoever comes meanwhile would keep the same.
  case hold(in: OverrideLayer?)
  case wait(Flight)
  case lead(Flight, isKept: Bool)

  /// An instance that can be used, and who owns it.
  struct Found {
    let instance: AnyInstance
    let owner: OverrideLayer?
  }
}

/// An instance that is being made to be kept.
struct Leading: ~Copyable {
  let answer: Answer
  let flight: Flight
  let tracker: DependencyTracker
  /// The flight on whose behalf it is made, if there is one.
  let requester: Flight?
  var instance: AnyInstance?
  var isMade = false
}

extension Resolution {
  func sharing(of registration: Registration<Value>) throws(ResolutionError) -> Sharing<Value> {
    guard let sharing = registration.sharing else { throw error(.notShareable, registration) }
    return sharing
  }

  /// Production's instance, read without a lock, where nothing else may answer or wants to know.
  func published(_ registration: Registration<Value>) -> Value? {
    guard top == nil, tracker == nil, isHome(registration) else { return nil }
    return registration.published
  }

  /// Looks for an instance that can be used, and if there is none takes a turn at making it. Inlined as what calls
  /// it is.
  @inline(__always)
  func turn(
    for registration: Registration<Value>, _ sharing: Sharing<Value>, _ answer: Answer,
    isRemoved: Bool, isWaiting: Bool
  ) throws(ResolutionError) -> SharingTurn {
    // Before others see what is to be disposed of it has to be noted.
    if !isRemoved, registration.isExisting, layer?.hasDisposers != true {
      return turnForExisting(registration, answer)
    }
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
    // Of a task that waits a thread says nothing.
    let requester = isWaiting ? tracker?.flight : requester
    switch FlightBoard.shared.take(
      flight, after: scan.entries, for: requester, isCurrent: { isCurrent(answer) })
    {
    case .lookAgain: return .lookAgain
    case .wait(let other): return .wait(other)
    case .lead: return .lead(flight, isKept: true)
    case .leadAlone: return .lead(flight, isKept: false)
    case .cycle(let route):
      throw error(.cycle, registration, through: route.map(\.registration))
    }
  }

  /// The same for a value that exists already: it depends on nothing, so one cache alone is ever its.
  private func turnForExisting(_ registration: AnyRegistration, _ answer: Answer) -> SharingTurn {
    let owner = answer.ownerOfExisting(under: boundary)
    let store = owner?.store ?? resolver.store
    guard let instance = store.instance(of: registration) else { return .hold(in: owner) }
    return .reuse(SharingTurn.Found(instance: instance, owner: owner))
  }

  /// Notes that an instance that was made before is handed out; false if it is to be resolved once and another
  /// resolution got it.
  func reuse(
    _ found: SharingTurn.Found, of registration: AnyRegistration, _ answer: Answer, isRemoved: Bool
  ) -> Bool {
    if isRemoved {
      guard answer.claim(in: resolver) else { return false }
      settle(answer, wasKept: true)
    }
    tracker?.contribute(found.owner)
    tracker?.add(provenance(of: registration, answer, found.instance.provenance.dependencies))
    record(.reused, answer)
    return true
  }

  /// Keeps a value that exists already, unless somebody has done so meanwhile; `nil` then.
  func hold(
    _ registration: Registration<Value>, _ sharing: Sharing<Value>, _ answer: Answer,
    in owner: OverrideLayer?
  ) throws(ResolutionError) -> Value? {
    guard case .existing(let existing) = registration.block else { return nil }
    try check(registration)
    let value = existing()
    let provenance = provenance(of: registration, answer, [])
    let instance = sharing.instance(
      value, provenance, isMade: isMade(by: registration))
    let store = owner?.store ?? resolver.store
    let turn = FlightBoard.shared.hold(
      instance, of: registration, in: store, isCurrent: { isCurrent(answer) })
    switch turn {
    case .lead: break
    // By one that is resolved once, or that a layer disposes of: it makes nothing else, so it does not wait for this.
    case .wait(let other):
      other.latchOfWaiters()?.wait()
      return nil
    case .lookAgain, .cycle, .leadAlone: return nil
    }
    if owner == nil, isHome(registration) { registration.publish(value) }
    origin = .made(keptAt: owner?.level ?? 0)
    tracker?.contribute(owner)
    tracker?.add(provenance)
    record(.made, answer)
    if !isCurrent(answer) { answer.forgetInstances(in: resolver, under: top) }
    return value
  }

  /// Begins to make the instance that others may be waiting for.
  func lead(_ flight: Flight, _ answer: Answer, for requester: Flight?) -> Leading {
    Leading(
      answer: answer, flight: flight, tracker: DependencyTracker(flight, within: tracker),
      requester: requester)
  }

  /// The flight on whose behalf the calling thread asks, if there is one.
  var requester: Flight? { Flight.requester(within: tracker) }

  /// Takes what was made; `nil` if it is to be resolved once and another resolution got it.
  func keep(
    _ value: Value, _ sharing: Sharing<Value>, _ registration: Registration<Value>,
    isKept: Bool, isRemoved: Bool, in leading: inout Leading
  ) -> Value? {
    leading.isMade = true
    let isKept = isKept && !isRemoved && !leading.tracker.isTransient
    if !isHandedOn {
      origin = .made(keptAt: isKept ? leading.flight.owner?.level ?? 0 : nil)
      noteMade(value, by: registration)
    }
    let provenance = provenance(of: registration, leading.answer, leading.tracker.dependencies)
    if isRemoved {
      guard leading.answer.claim(in: resolver) else { return nil }
      // One that could not be used, since what it depends on is overridden now, goes with it, too.
      settle(leading.answer, wasKept: true)
    } else if isKept {
      leading.instance = sharing.instance(
        value, provenance, asBelow: retention(of: leading.answer),
        isMade: isMade(by: registration))
      let isPublic = leading.flight.owner == nil && isHome(registration)
      let isComplete = Completions.noteKept(
        provenance, of: registration, in: { stores }
      ) { [store = leading.flight.store] in
        guard isPublic, let kept = store.instance(of: registration) else { return }
        if let value = sharing.value(kept) { registration.publish(value) }
      }
      if isPublic, isComplete { registration.publish(value) }
    }
    tracker?.add(provenance)
    record(.made, leading.answer)
    return value
  }

  /// False for what a decorator hands on, and for a value or an object held weakly, which somebody else has made.
  private func isMade(by registration: Registration<Value>) -> Bool {
    !isHandedOn && !isGiven && !registration.isOfOthers
  }

  /// How what answers is held: what stands before another, as that is.
  private func retention(of answer: Answer) -> Retention {
    guard answer.registration.isDecoration else { return answer.registration.retention }
    return maker(of: answer)?.registration.retention ?? .strong
  }

  /// Ends the making, done or failed, and lets those who wait look again.
  func land(_ leading: borrowing Leading) {
    let flight = leading.flight
    let participants = leading.tracker.close()
    // Before others see the instance.
    if !participants.isEmpty { settle(participants, of: leading) }
    // Whoever can live with the failure depends on what it depended on.
    if !leading.isMade { leading.tracker.dependencies.forEach { tracker?.add($0) } }
    FlightBoard.shared.land(flight, with: leading.instance, for: leading.requester)
    tracker?.contribute(flight.owner)
    if !isCurrent(leading.answer) { leading.answer.forgetInstances(in: resolver, under: top) }
  }

  /// Where an instance may be kept.
  var stores: [RegistrationStore] {
    (top?.stack.map(\.store) ?? []) + [resolver.store]
  }

  /// False if nobody can ask for the registration any more: it was claimed, unregistered, or its key
  /// registered anew, if only for those above a boundary. What is asked wherever it stands may stand behind another.
  func isCurrent(_ answer: Answer) -> Bool {
    answer.isMember || answer.isCurrent(under: boundary)
  }

  /// True if what production keeps of a registration is this resolver's: a declared dependency has
  /// one fast slot, which is the main resolver's; others keep theirs in their stores.
  func isHome(_ registration: AnyRegistration) -> Bool {
    registration !== request.declared || resolver === Resolver.main
  }
}
