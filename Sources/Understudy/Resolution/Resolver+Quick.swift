// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The short ways of a resolution: what is known to be the answer without looking for it. What a caller's
// module specialises to its types is inlinable and small; what it asks is not generic and lies here. Each
// gives up (`nil`) wherever `Resolution` would do more.

extension Resolver {
  /// True if production alone can answer the calling code, and nothing is to be noted: the code sees no
  /// layer and could not be taken for a test's, nothing that is to be kept is being made of what it asks
  /// for, and no value is completed later.
  static var isQuiet: Bool { !Attention.isWanted || isQuiet(seeing: .current) }

  @inline(never)
  static func isQuiet(seeing layer: OverrideLayer?) -> Bool {
    layer == nil && (!OverrideLayer.areAnyAlive || !TestHosts.areAny)
      && !Completions.areAnyRegistered && !Construction.isTracked
  }

  // MARK: Production

  /// True if a declared dependency is answered by what was published of it.
  @usableFromInline
  func isAnswered(by publication: Publication) -> Bool {
    publication.isPublished && isMain && !store.mayAnswerDeclared && Resolver.isQuiet
  }

  /// True if a declared dependency is answered by production's own registration.
  @usableFromInline
  var answersDeclaredItself: Bool { !store.mayAnswerDeclared && Resolver.isQuiet }

  /// What answers a type that is asked for without a name, if there is no reason to look closer; the caller
  /// knows its type.
  @usableFromInline
  func quickRegistration(of type: ObjectIdentifier) -> AnyRegistration? {
    Attention.isWanted ? nil : store.registration(forPlain: type)
  }

  /// The same after a closer look: production's registration after all, or the instance that the layers
  /// which the caller sees are known to answer with.
  @usableFromInline
  func closerLook(
    at type: any Any.Type, _ lifecycle: Lifecycle, fileID: StaticString, filePath: StaticString,
    line: Int, column: Int
  ) -> (registration: AnyRegistration?, instance: AnyInstance?) {
    let layer = OverrideLayer.current
    if Resolver.isQuiet(seeing: layer) {
      return (store.registration(forPlain: ObjectIdentifier(type)), nil)
    }
    guard let layer else { return (nil, nil) }
    let instance = rememberedInstance(
      for: AnyKey(plain: type), declared: nil, lifecycle, under: layer,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return (nil, instance)
  }

  /// What answers a type that is asked for under a name.
  @usableFromInline
  func quickRegistration(
    of type: ObjectIdentifier, named name: any Hashable & Sendable
  ) -> AnyRegistration? {
    Resolver.isQuiet ? store.registration(for: type, named: name) : nil
  }

  /// What answers a key that is no declared dependency's own.
  @usableFromInline
  func quickRegistration(for key: AnyKey) -> AnyRegistration? {
    key.declaration == nil && Resolver.isQuiet ? store.registration(for: key) : nil
  }

  /// Production's answer, where it is at hand: what is kept, or what a block makes that takes nothing.
  @inlinable @inline(__always)
  func quickAnswer<Value>(
    _ registration: AnyRegistration, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    fileID: StaticString, filePath: StaticString, line: Int, column: Int
  ) throws(ResolutionError) -> Value? {
    let registration = registration as! Registration<Value>
    if let kept = registration.published {
      defer { withExtendedLifetime(registration) {} }
      return lifecycle == .cached
        ? kept._withUnsafeGuaranteedRef { $0.isPublished ? $0.value(as: Value.self) : nil } : nil
    }
    guard lifecycle != .once, let block = registration.direct else { return nil }
    do {
      return try called(
        block, of: .passUnretained(registration), keptBy: registration, isolation)
    } catch {
      throw explained(
        error, registration, lifecycle, isolation,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  /// What the block of a registration makes that takes no argument; `nil` if it would be run within itself.
  /// Whoever keeps the registration is kept meanwhile.
  @inlinable @inline(__always)
  func called<Value>(
    _ block: @Sendable (Resolver) throws -> Value, of registration: Unmanaged<AnyRegistration>,
    keptBy keeper: AnyObject, _ isolation: (any Actor)?
  ) throws -> Value? {
    try withUnsafeTemporaryAllocation(of: Construction.self, capacity: 1) { memory in
      guard let frame = memory.baseAddress, Construction.enter(registration, isolation, at: frame)
      else { return nil }
      defer {
        Construction.leave(frame)
        withExtendedLifetime(keeper) {}
      }
      return try block(self)
    }
  }

  /// What a block that was called the short way threw, as an error of the resolution.
  @usableFromInline @inline(never)
  func explained<Value>(
    _ failure: any Error, _ registration: Registration<Value>, _ lifecycle: Lifecycle,
    _ isolation: (any Actor)?, at callSite: CallSite
  ) -> ResolutionError {
    explained(
      failure, registration,
      Request(
        registration.key, declared: nil, lifecycle: lifecycle, at: callSite,
        isOnMainActor: isolation.isMain))
  }

  /// The same of any question.
  func explained<Value>(
    _ failure: any Error, _ registration: Registration<Value>, _ request: Request
  ) -> ResolutionError {
    Resolution<Value>(request, of: self, under: nil, from: nil).explained(failure, registration)
  }
}
