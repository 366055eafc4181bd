// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Injects an object when it is read, and does not keep it alive.
///
/// A child that is created before its parent finds the parent later, so a cycle of objects can end
/// here:
///
/// ```swift
/// final class Child {
///   @WeakLazyInject var parent: Parent?
/// }
/// ```
///
/// Each read resolves the key until there is an object. From then on the property is that object,
/// for as long as something else retains it, and `nil` after that. An assigned object, or `nil`,
/// replaces the injected one. The wrapper captures the context when its owner is created, as
/// `@LazyInject` does. A registration that stores no instance creates an object that nothing
/// retains, so the property is `nil`. A value that is no object is an error, as for `@WeakInject`.
@propertyWrapper
public struct WeakLazyInject<Value: Sendable>: Sendable {
  private final class Finding: Sendable {
    /// The object that was found, or the assigned one, also if that is `nil`. `nil` before that.
    let held: Lock<Injected<WeakReference<Value>?>?>

    init(_ held: Injected<WeakReference<Value>?>? = nil) { self.held = Lock(held) }
  }

  private var finding = Finding()
  private let reference = ResolverReference.captured(.current)
  private let context = OverrideContext.current
  private let request: Request

  /// The injected object, or `nil` if there is none, or none any more.
  ///
  /// - Precondition: The registration creates an object and does not fail, or a test is running,
  ///   which then has an issue.
  public var wrappedValue: Value? {
    get {
      do throws(ResolutionError) {
        return try find().valueOrSubstitute ?? nil
      } catch {
        MissingValue(error).reportOrTrap()
        return nil
      }
    }
    set { finding = Finding(Injected.value(newValue).heldWeakly(at: request.callSite)) }
  }

  /// The wrapper itself, to read the object without a trap.
  public var projectedValue: WeakLazyInject { self }

  /// True if there is an object to read now. It is resolved if no earlier read found one. False for
  /// an object that nothing retains.
  public var isAvailable: Bool { (try? find().get()) ?? nil != nil }

  /// The injected object, or `nil` if there is none, or none any more.
  ///
  /// - Throws: `ResolutionError`, if the registration fails, or its value is no object.
  public func get() throws(ResolutionError) -> Value? {
    do throws(ResolutionError) {
      return try find().get()
    } catch {
      MissingValue(error).noteUse()
      throw error
    }
  }

  private func find() throws(ResolutionError) -> Injected<Value?> {
    // The object is read after the request has released it. If nothing else retains it, it is gone.
    try object(of: heldWeakly())
  }

  private func heldWeakly() throws(ResolutionError) -> Injected<WeakReference<Value>?> {
    if let held = finding.held.withLock({ $0 }) { return held }
    let resolver = try reference.resolver(for: request.key, at: request.callSite)
    try context.checkEarlyAsker(for: request.key, of: resolver, at: request.callSite)
    let found: Injected<Value?> = context.run { resolver.injectedIfThere(request) }
    return keep(found.heldWeakly(at: request.callSite))
  }

  /// Keeps the first object that is found. Nothing, an error, and production's value for a request
  /// that lost its context are not kept, so the next read asks again.
  private func keep(_ held: Injected<WeakReference<Value>?>) -> Injected<WeakReference<Value>?> {
    guard case .value(.some) = held else { return held }
    return finding.held.withLock { kept in
      let first = kept ?? held
      kept = first
      return first
    }
  }

  private func object(
    of held: Injected<WeakReference<Value>?>
  ) throws(ResolutionError) -> Injected<Value?> {
    if case .missing(let missing) = held { throw missing.error }
    return held.map { $0?.value }
  }

  private init(_ request: Request) {
    self.request = request
    Resolver.current.noteLaterUse(of: request.key)
  }

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: The injected dependency: `\.session`.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(Request(dependency, at: CallSite(fileID, filePath, line, column)))
  }

  /// Injects the value that is registered for the property's type.
  ///
  /// - Parameters:
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID, filePath, line, column))
  }

  /// Injects the value that is registered for a key.
  public init(key: Key<Value>, at callSite: CallSite) {
    self.init(Request(key.erased, at: callSite))
  }
}

extension WeakLazyInject: KeyInjecting {}

extension WeakLazyInject: RecordsLayer {
  package var recordedLayer: OverrideLayer? { context.layer }
}
