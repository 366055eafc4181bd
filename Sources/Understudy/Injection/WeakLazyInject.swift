// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects an object when it is read, and does not keep it alive.
///
/// A child that is made before its parent finds the parent later, and a cycle of objects can end
/// here:
///
/// ```swift
/// final class Child {
///   @WeakLazyInject var parent: Parent?
/// }
/// ```
///
/// Each read asks until there is an object. After that the property is that object for as long as
/// something else keeps it, and `nil` then. The context is captured when the owner is made, as for
/// `@LazyInject`. A registration that is not `.cached` creates an object that nothing keeps: the
/// property is `nil` then.
@propertyWrapper
public struct WeakLazyInject<Value: Sendable>: Sendable {
  private final class Finding: Sendable {
    let found = Lock<WeakReference<Value>?>(nil)
  }

  private let finding = Finding()
  private let reference = ResolverReference.current
  private let context = OverrideContext.current
  private let request: Request

  /// The injected object, or `nil` if there is none, or none any more.
  ///
  /// - Precondition: The registration does not fail, or a test is running, which has an issue then.
  public var wrappedValue: Value? {
    get {
      do throws(ResolutionError) {
        return try find()
      } catch {
        MissingValue(error).reportOrTrap()
        return nil
      }
    }
    set {
      self = WeakLazyInject(request)
      if let newValue { _ = keep(newValue) }
    }
  }

  /// The wrapper itself, to read the object without a trap.
  public var projectedValue: WeakLazyInject { self }

  /// True if there is an object to read, now, which is resolved if none was found before.
  public var isAvailable: Bool { (try? find()) != nil }

  /// The injected object, or `nil` if there is none, or none any more.
  ///
  /// - Throws: `ResolutionError`, if the registration fails.
  public func get() throws(ResolutionError) -> Value? {
    do throws(ResolutionError) {
      return try find()
    } catch {
      MissingValue(error).noteUse()
      throw error
    }
  }

  private func find() throws(ResolutionError) -> Value? {
    if let found = finding.found.withLock({ $0 }) { return found.value }
    let resolver = try reference.resolver(for: request)
    OverrideLayer.noteEarlyAsker(
      for: request.key, of: resolver, madeUnder: context.layer, at: request.callSite)
    let found: Injected<Value?> = context.run { resolver.injectedIfThere(request) }
    switch found {
    case .value(let value): return value.flatMap(keep)
    case .missing(let missing): throw missing.error
    }
  }

  private func keep(_ value: Value) -> Value? {
    let reference = WeakReference(value)
    let kept = finding.found.withLock { found in
      if found == nil { found = reference }
      return found
    }
    return withExtendedLifetime(value) { kept?.value }
  }

  private init(_ request: Request) {
    self.request = request
    Resolver.current.noteLaterUse(of: request.key)
  }

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: What is injected: `\.session`.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      Request(
        dependency,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Injects what is registered for the property's type.
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
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects what is registered for a key.
  public init(key: Key<Value>, at callSite: CallSite) {
    self.init(Request(key.erased, at: callSite))
  }
}

extension WeakLazyInject: KeyInjecting {}

extension WeakLazyInject: RecordsLayer {
  var recordedLayer: OverrideLayer? { context.layer }
}
