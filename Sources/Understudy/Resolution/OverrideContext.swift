// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The layers and the resolver that a task sees, as a value. It carries doubles to where
/// task-locals do not reach: queues, threads, delegates, event loops.
///
/// A context that is captured while a cached instance is created becomes the context of the layer
/// that owns the instance, or of production, and of the resolver that stores it. A context keeps
/// its layers alive, but does not keep them open: a layer releases its instances at the end of its
/// scope. It keeps no resolver alive through an instance that the resolver stores, except while
/// `run` runs.
public struct OverrideContext: Sendable {
  private let captured: OverrideLayer?
  private let reference: ResolverReference?
  private let creation: CreationContext?
  private let keeper: LayerKeeper?
  /// True for the context of a test that has no layer: production answers, whatever runs beside it.
  private let isOfPlainTest: Bool
  /// The running block that captured the context.
  private weak let construction: Construction?

  /// The context of the calling task.
  public static var current: OverrideContext {
    let construction = Construction.current
    let creation = construction.flatMap { $0.creation?.context(within: $0) }
    let reference: ResolverReference? =
      if let construction, construction.bound === Resolver.Current.bound {
        .captured(construction.resolver)
      } else {
        Resolver.Current.bound.map { .strong($0.resolver) }
      }
    return OverrideContext(
      captured: .current, reference: reference, creation: creation, construction: construction)
  }

  private init(
    captured: OverrideLayer?, reference: ResolverReference?, creation: CreationContext?,
    construction: Construction?
  ) {
    // The layer that owns the instance is known only when the instance is stored.
    self.captured = creation == nil ? captured : nil
    keeper = creation == nil ? captured?.keeper : nil
    self.reference = reference
    self.creation = creation
    self.construction = construction
    isOfPlainTest =
      TestHosts.areAny && creation == nil && (captured == nil || captured === ProcessLayer.current)
      && TestHosts.knowTestOfCaller
    creation?.noteCapture(captured)
  }

  init(under layer: OverrideLayer) {
    self.init(captured: layer, reference: .callers, creation: nil, construction: nil)
  }

  /// The innermost layer of the context; `nil` for production.
  package var layer: OverrideLayer? { creation?.state.layer ?? captured }

  /// The layer that the requests in the context see.
  private var base: OverrideLayer? {
    creation?.state.isOfProduction == true ? ProcessLayer.current : layer
  }

  /// True if a running case of XCTest answers the requests in the context, as it answers work that
  /// lost its context.
  private var isAdopted: Bool {
    (layer == nil || layer === ProcessLayer.current) && creation?.state.isOfProduction != true
      && LiveLayers.adopter != nil && TestHosts.current?.testOfCallingTask() == nil
  }

  /// Checks a request in the context, which does not see a later layer of the caller. The request
  /// fails if that layer forbids production to answer. An override of the key there is reported.
  ///
  /// - Parameter keepsErrors: True if the caller keeps the error until it is used.
  package func checkEarlyAsker(
    for key: AnyKey, of resolver: Resolver, at callSite: CallSite, keepsErrors: Bool = true
  ) throws(ResolutionError) {
    guard let top = OverrideLayer.current else { return }
    let base = base
    // An object that was created under another stack does not concern this one.
    guard top !== base, !isAdopted,
      base.map({ base in top.stack.contains { $0 === base } }) ?? true
    else { return }
    let request = Request(key, at: callSite, keepsErrors: keepsErrors)
    let caller = Surroundings(top: top)
    try Resolution(request, of: resolver, for: caller, from: base?.store, isCounted: true)
      .refuseProduction()
    top.noteEarlyAsker(for: key, of: resolver, madeUnder: base, at: callSite)
  }

  /// Runs `body` on the calling thread as if in the context.
  ///
  /// - Parameter body: The code that sees the context.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @discardableResult
  public func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The block is carried before the resolver is bound, so the bound resolver is the current one.
    let carried = carriedConstruction(ifNone: .current)
    func outcome() -> Swift.Result<Result, Failure> {
      ProductionAlone.answering(if: creation?.state.isOfProduction ?? false, under: layer) {
        Resolver.Current.$task.withValue(boundResolver) {
          Swift.Result { () throws(Failure) -> Result in
            guard let carried else { return try body() }
            return try carried.run(body)
          }
        }
      }
    }
    guard isOfPlainTest else { return try outcome().get() }
    return try TestHosts.$isCarried.withValue(true, operation: outcome).get()
  }

  /// Runs `body` as if in the context. Keeps the caller's isolation.
  @discardableResult
  public func run<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let carried = carriedConstruction(ifNone: .ofTask)
    func result() async -> Swift.Result<Result, Failure> {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    let outcome = await TestHosts.$isCarried.binding(isOfPlainTest || TestHosts.isCarried) {
      await ProductionAlone.answering(
        if: creation?.state.isOfProduction ?? false, under: layer
      ) {
        await Resolver.Current.$task.binding(boundResolver) {
          guard let carried else { return await result() }
          return await carried.run(result)
        }
      }
    }
    return try outcome.get()
  }

  private var boundResolver: Resolver.Current? {
    if case .callers = reference { return .bound }
    return reference?.resolver.map { Resolver.Current($0) }
  }

  /// The block for which the body runs, if it has not ended and the caller is not in another block.
  private func carriedConstruction(ifNone own: Construction?) -> Construction? {
    guard own == nil else { return nil }
    let inner = construction.flatMap { $0.isActive ? $0 : nil }
    guard let carried = inner ?? creation?.state.construction, carried.isActive else { return nil }
    return Construction(
      carried.registration, of: carried.resolver, creation: carried.creation, order: carried.order,
      isAsynchronous: true, origin: carried, within: carried.outer)
  }
}

/// A reference to a resolver. It does not keep alive a resolver that stores the referring instance.
package enum ResolverReference: Sendable {
  /// The current resolver of the code that runs in the context.
  case callers
  case strong(Resolver)
  case weak(WeakReference<Resolver>)
  /// The asked resolver until the instance is stored, and then the one that stores it.
  case ofOwner(CreationContext, asked: WeakReference<Resolver>)

  /// A resolver, for the calling code that captures it.
  package static func captured(_ resolver: Resolver) -> ResolverReference {
    guard let construction = Construction.current, let creation = construction.creation else {
      return .strong(resolver)
    }
    let asked = WeakReference(resolver)
    guard resolver === construction.resolver, let context = creation.context(within: construction)
    else { return .weak(asked) }
    return .ofOwner(context, asked: asked)
  }

  /// `nil` if the resolver is gone.
  var resolver: Resolver? {
    switch self {
    case .callers: Resolver.Current.bound?.resolver
    case .strong(let resolver): resolver
    case .weak(let reference): reference.value
    case .ofOwner(let context, let asked): (context.state.resolver ?? asked).value
    }
  }
}

/// The state that all contexts share which are captured while one instance is created. Its layer is
/// known when the instance is stored.
package final class CreationContext: Sendable {
  struct Snapshot {
    /// The block that creates the instance, while it runs.
    var construction: Construction?
    /// The layer of the first capture, and then the layer that owns the instance.
    var layer: OverrideLayer?
    var isOfProduction = false
    /// The resolver that stores the instance, once it is stored.
    var resolver: WeakReference<Resolver>?
  }

  private let snapshot: Lock<Snapshot>
  var state: Snapshot { snapshot.withLock { $0 } }

  init(within construction: Construction) { snapshot = Lock(Snapshot(construction: construction)) }

  func noteCapture(_ layer: OverrideLayer?) {
    snapshot.withLock { state in
      if state.construction != nil, state.layer == nil { state.layer = layer }
    }
  }

  /// Sets the layer and the resolver that own the instance. A layer of `nil` is production. A
  /// resolver of `nil` means that the instance is not stored.
  func settle(_ owner: OverrideLayer?, of resolver: Resolver?) {
    let stored = resolver.map { WeakReference($0) }
    let old = snapshot.withLock { state in
      let old = state
      if old.construction != nil {
        state = Snapshot(
          layer: stored == nil ? old.layer : owner,
          isOfProduction: stored != nil && (owner == nil || owner === ProcessLayer.current),
          resolver: stored)
      }
      return old
    }
    withExtendedLifetime(old) {}
  }
}

extension Creation {
  /// The shared context of all captures during the creation of the instance. `nil` after the
  /// creation has ended or failed.
  fileprivate func context(within construction: Construction) -> CreationContext? {
    let fresh = CreationContext(within: construction)
    return withState { state in
      guard state.isOpen else { return nil }
      if let known = state.outcome.context as? CreationContext { return known }
      state.outcome.context = fresh
      return fresh
    }
  }
}

extension Resolution {
  /// Sets the layer and the resolver that own a created instance, for the contexts that it
  /// captured.
  func settle(
    _ context: any AnyObject & Sendable, at home: LevelStore, storedAt owner: LevelStore?
  ) {
    guard let context = context as? CreationContext else { return }
    context.settle(
      owner.flatMap { top?.layer(of: $0) },
      of: owner.map { _ in resolver.lineage.first { $0.store === home } ?? resolver })
  }
}

extension OverrideContext {
  /// The context of an object that was created under a layer. If the layer has ended, a request in
  /// the context is an error that says so.
  ///
  /// Three kinds of objects have one: an object with a wrapper such as `@Inject`, an instance that
  /// a test's layer stores, and an object that the operation of a layer with `until: .endOfTest`
  /// returned. An object that the block of a cached instance creates has one only
  /// through `@LazyInject`. The context has no resolver: the code that runs in it keeps its own.
  ///
  /// The stored properties of the object are read, so call this where your code may read them: on
  /// the object's actor, or with its lock held. An `unowned` one whose object is gone ends the
  /// process. A `CustomReflectable` object shows only what its mirror has.
  ///
  /// - Parameter owner: The object, or a value. It may be in optionals.
  /// - Returns: The context, or `nil` if the object was created under no layer.
  public static func of(_ owner: Any?) -> OverrideContext? {
    owner.flatMap(OverrideLayer.ofObject).map(OverrideContext.init(under:))
  }
}

/// Runs `operation` in the context of an object that was created under a layer. Objects that
/// `operation` creates see the same doubles.
///
/// ```swift
/// final class Model {
///   func open() { child = withOverrides(from: self) { Child() } }
/// }
/// ```
///
/// An object that was created under no layer, as in production, has no context of its own. Then
/// `operation` sees what the calling task sees.
///
/// - Parameters:
///   - owner: The object, which may be in an optional. See `OverrideContext.of(_:)`.
///   - operation: The code that sees the context.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
@discardableResult
public func withOverrides<Result, Failure: Error>(
  from owner: Any?, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let layer = owner.flatMap(OverrideLayer.ofObject) else { return try operation() }
  return try OverrideContext(under: layer).run(operation)
}

/// Runs `operation` in the context of an object that was created under a layer. Keeps the caller's
/// isolation.
@discardableResult
public func withOverrides<Result, Failure: Error>(
  from owner: Any?, operation: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  guard let layer = owner.flatMap(OverrideLayer.ofObject) else { return try await operation() }
  return try await OverrideContext(under: layer).run(operation)
}
