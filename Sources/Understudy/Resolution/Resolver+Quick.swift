// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The short ways of a resolution: what is known to be the answer without looking for it. What a caller's
// module specialises to its types is inlinable and small; what it asks is not generic and lies here. Each
// gives up (`nil`) wherever `Resolution` would do more.
//
// Safety: whoever passes a registration or a layer that is not counted keeps it until the call returns. A layer that
// is returned is one that the calling task sees, and is kept while it does (`OverrideLayer+Bound`).

extension Resolver {
  /// True if production alone can answer the calling code, and nothing is to be noted: the code sees no
  /// layer and could not be taken for a test's, nothing that is to be kept is being made of what it asks
  /// for, and no value is completed later.
  static var isQuiet: Bool {
    unsafe !Attention.isWanted || isQuiet(seeing: OverrideLayer.unmanagedCurrent)
  }

  static func isQuiet(seeing layer: Unmanaged<OverrideLayer>?) -> Bool {
    unsafe layer == nil && (!(Attention.isWantedByAll || TestHosts.areAny) || isQuietWithoutLayer)
  }

  @inline(never)
  private static var isQuietWithoutLayer: Bool {
    (!OverrideLayer.areAnyAlive || !TestHosts.areAny)
      && !Completions.areAnyRegistered && !Construction.isTracked
  }

  // MARK: Production

  /// Where the instance is that was published of a declared dependency, if this is `main` and that answers; and the
  /// layer that is to be asked instead, if the calling task sees one, which it keeps meanwhile.
  @usableFromInline
  func answer(
    publishedOf registration: Unmanaged<AnyRegistration>
  ) -> (address: UnsafeMutableRawPointer?, layer: Unmanaged<OverrideLayer>?) {
    if Attention.isWanted {
      let (answersItself, layer) = unsafe sightOfDeclared
      guard answersItself else { return unsafe (nil, layer) }
    } else if store.mayAnswerDeclared {
      return (nil, nil)
    }
    return unsafe (registration._withUnsafeGuaranteedRef { unsafe $0.publication.address }, nil)
  }

  /// True if a declared dependency is answered by production's own registration; and the layer that is to be asked
  /// instead.
  @usableFromInline
  var sightOfDeclared: (answersItself: Bool, layer: Unmanaged<OverrideLayer>?) {
    guard Attention.isWanted else { return (!store.mayAnswerDeclared, nil) }
    if let layer = unsafe OverrideLayer.unmanagedCurrent { return unsafe (false, layer) }
    guard unsafe Resolver.isQuiet(seeing: nil) else { return (false, nil) }
    return (!store.mayAnswerDeclared, nil)
  }

  /// A look at what answers a type that is asked for without a name; and the layer that is to be asked instead, if
  /// the calling task sees one, which it keeps meanwhile.
  @usableFromInline
  func quickLook(
    at type: ObjectIdentifier
  ) -> (look: QuickLook, layer: Unmanaged<OverrideLayer>?) {
    let (isQuiet, layer) = unsafe Resolver.sight
    return unsafe (isQuiet ? store.look(at: type) : .nothing, layer)
  }

  /// The same of a type that is asked for under a name that is a text.
  @usableFromInline
  func quickLook(
    at type: ObjectIdentifier, named text: String
  ) -> (look: QuickLook, layer: Unmanaged<OverrideLayer>?) {
    let (isQuiet, layer) = unsafe Resolver.sight
    return unsafe (isQuiet ? store.look(at: type, named: text) : .nothing, layer)
  }

  /// The same of a type that is asked for under a name.
  @usableFromInline
  func quickLook<Name: Hashable & Sendable>(
    at type: ObjectIdentifier, named name: Name
  ) -> (look: QuickLook, layer: Unmanaged<OverrideLayer>?) {
    let (isQuiet, layer) = unsafe Resolver.sight
    guard isQuiet else { return unsafe (.nothing, layer) }
    return (store.look(at: type, named: name, QuickName(name)), nil)
  }

  /// Whether production alone can answer the calling code; and the layer that it sees, if it sees one.
  @inline(__always)
  private static var sight: (isQuiet: Bool, layer: Unmanaged<OverrideLayer>?) {
    guard Attention.isWanted else { return (true, nil) }
    if let layer = unsafe OverrideLayer.unmanagedCurrent { return unsafe (false, layer) }
    return unsafe (isQuiet(seeing: nil), nil)
  }

  /// A look at what answers a key that is no declared dependency's own.
  @usableFromInline
  func quickLook(at key: AnyKey) -> QuickLook {
    guard key.declaration == nil, Resolver.isQuiet else { return .nothing }
    let type = ObjectIdentifier(key.type)
    if key.isPlain { return store.look(at: type) }
    guard let name = key.onlyName(of: type) else {
      return QuickLook(store.registration(for: key), of: type)
    }
    return store.look(at: type, named: name)
  }

  /// What the block makes that a look found to be production's answer; the reference to its registration is given back.
  @inlinable @inline(__always)
  func value<Value>(
    calledBy held: Unmanaged<AnyRegistration>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    defer { unsafe held.release() }
    let registration = unsafe AnyRegistration.unmanaged(held, of: Value.self)
    return try unsafe called(registration, isolation) { () throws(ResolutionError) -> Value in
      throw unsafe refusal(
        registration.takeUnretainedValue(), lifecycle, isolation, at: callSite)
    } failed: { (failure) throws(ResolutionError) -> Value in
      throw unsafe explained(
        failure, registration.takeUnretainedValue(), lifecycle, isolation, at: callSite)
    }
  }

  /// What the block of a registration makes that takes no argument; or else what `otherwise` finds, if it would be run
  /// within itself, or `failed` does about what the block throws. The caller keeps the registration.
  @inlinable @inline(__always)
  func called<Value, Failure>(
    _ registration: Unmanaged<Registration<Value>>, _ isolation: (any Actor)?, order: Int = 0,
    otherwise: () throws(Failure) -> Value, failed: (any Error) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var frame = unsafe registration._withUnsafeGuaranteedRef {
      unsafe $0.frame(isolation, order: order)
    }
    return try unsafe withUnsafeMutablePointer(to: &frame) { (frame) throws(Failure) -> Value in
      guard unsafe Construction.enter(frame) else { return try otherwise() }
      let value: Value
      do {
        value = try unsafe registration._withUnsafeGuaranteedRef { try $0.directValue(self) }
      } catch {
        unsafe Construction.leave(frame)
        return try failed(error)
      }
      unsafe Construction.leave(frame)
      return value
    }
  }

  /// What a block that was called the short way threw, as an error of the resolution.
  @usableFromInline @inline(never)
  func explained<Value>(
    _ failure: any Error, _ registration: Registration<Value>, _ lifecycle: Lifecycle,
    _ isolation: (any Actor)?, at callSite: CallSite
  ) -> ResolutionError {
    explained(
      failure, registration, request(for: registration, lifecycle, isolation, at: callSite))
  }

  /// Why a block is not called the short way: it would go too deep, or is running.
  @usableFromInline @inline(never)
  func refusal<Value>(
    _ registration: Registration<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> ResolutionError {
    let request = request(for: registration, lifecycle, isolation, at: callSite)
    return Resolution<Value>(request, of: self, under: nil, from: nil).refusal(of: registration)
  }

  private func request(
    for registration: AnyRegistration, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> Request {
    Request(
      registration.key, declared: nil, lifecycle: lifecycle, at: callSite,
      isOnMainActor: isolation.isMain)
  }

  /// The same of any question.
  func explained<Value>(
    _ failure: any Error, _ registration: Registration<Value>, _ request: Request
  ) -> ResolutionError {
    Resolution<Value>(request, of: self, under: nil, from: nil).explained(failure, registration)
  }
}
