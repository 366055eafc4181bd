// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects a dependency when it is first read, and keeps it.
///
/// The context is captured when the owner is made: an object made in a test keeps the test's
/// doubles, from whatever thread it reads them. First read under a layer that was pushed later and
/// overrides it, it gets what was there when the owner was made, which is a warning. What it will
/// ask for counts at once as something that its owner was made from, so an override of it bites;
/// and so does what that is known to need before it is made: what is autowired, or stated with
/// `needing(_:)`. What else its block asks for is found out when that runs, in the context of the
/// owner.
///
/// Reading does not mutate: a `let` of a structure and an actor can use it. Threads that read for
/// the first time at once all get the same value: one of them asks for it, and the others wait,
/// under no lock.
///
/// If there is no value, for example since its creation reads the property, on whatever thread,
/// reading reports the error on the test and ends the process with the same message. `try
/// $store.get()` throws the error instead, and the next read asks again. Assigning a value replaces
/// the injected one.
@propertyWrapper
public struct LazyInject<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case reading(FirstReading<Value>)
    case assigned(Value)
  }

  private var state: State

  /// The injected value.
  ///
  /// - Precondition: There is one. Otherwise the test has an issue, and the process ends.
  public var wrappedValue: Value {
    get {
      do throws(ResolutionError) {
        return try value()
      } catch {
        error.trap()
      }
    }
    set { state = .assigned(newValue) }
  }

  /// The wrapper itself, to read the value without a trap.
  public var projectedValue: LazyInject { self }

  /// The injected value, resolved now if it was not read before.
  ///
  /// - Throws: `ResolutionError`, if there is no value. The next read asks again.
  public func get() throws(ResolutionError) -> Value {
    do throws(ResolutionError) {
      return try value()
    } catch {
      MissingValue(error).noteUse()
      throw error
    }
  }

  /// True if there is a value, which is resolved now if it was not read before: only its block can
  /// tell whether it fails.
  public var isAvailable: Bool { (try? value()) != nil }

  private func value() throws(ResolutionError) -> Value {
    switch state {
    case .assigned(let value): return value
    case .reading(let reading): return try reading.value()
    }
  }

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: What is injected: `\.mailer`.
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

  /// Creates the value when it is first read, in the context of now.
  init(making make: @escaping @Sendable () -> Value, at callSite: CallSite) {
    state = .reading(FirstReading(of: AnyKey(type: Value.self), at: callSite, make))
  }

  private init(_ request: Request) {
    let reference = ResolverReference.current
    let resolver = Resolver.current
    state = .reading(
      FirstReading(of: request.key, at: request.callSite, from: reference) {
        () throws(ResolutionError) -> Value in
        let injected: Injected<Value> = try reference.resolver(for: request).injected(request)
        switch injected {
        case .value(let value): return value
        case .missing(let missing): throw missing.error
        }
      })
    resolver.noteLaterUse(of: request.key)
  }
}

extension ResolverReference {
  /// The resolver, unless it is gone.
  func resolver(for request: Request) throws(ResolutionError) -> Resolver {
    guard let resolver else {
      throw ResolutionError(
        .resolverGone, key: request.key, path: [request.key], callSite: request.callSite)
    }
    return resolver
  }
}

extension LazyInject: KeyInjecting {}

extension LazyInject: RecordsLayer {
  var recordedLayer: OverrideLayer? {
    if case .reading(let reading) = state { reading.context.layer } else { nil }
  }
}
