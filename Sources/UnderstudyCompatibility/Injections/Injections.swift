// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The result for a property that cannot be resolved.
public enum Unanswered: Hashable, Sendable {
  /// The property keeps its value. This is the default.
  case keepValue
  /// The property becomes `nil`. This holds for optional properties alone.
  case setNil
  /// The injection throws the error of the resolution.
  case fail
}

/// A chain of injections into targets of a type. Its steps run in their order.
///
/// It has no effect until `register()`.
///
/// ```swift
/// resolver.into(Screen.self)
///   .inject(\.api)
///   .inject(\.title, named: Name.title)
///   .inject { screen, resolver in screen.rank = try resolver.resolve() }
///   .register()
/// try resolver.resolve(into: screen)
/// ```
///
/// The target's type is a class, a structure or a protocol. With a protocol, the chain holds for
/// every target that conforms to it.
public struct Injections<Target>: Sendable {
  typealias Step = @Sendable (inout Target, Resolver, CallSite) throws -> Void

  private let resolver: Resolver
  private let key: InjectionKey
  private let steps: [Step]

  init(_ resolver: Resolver, _ key: InjectionKey, _ steps: [Step] = []) {
    self.resolver = resolver
    self.key = key
    self.steps = steps
  }

  private func adding(_ step: @escaping Step) -> Injections {
    Injections(resolver, key, steps + [step])
  }

  /// Injects the value that is registered for a property's type.
  public func inject<Value>(
    _ property: any WritableKeyPath<Target, Value> & Sendable,
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    ifMissing unanswered: Unanswered = .keepValue
  ) -> Injections {
    inject(
      property, Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      lifecycle: lifecycle, ifMissing: unanswered)
  }

  /// Injects the value that is registered for the wrapped type of an optional property.
  public func inject<Value>(
    _ property: any WritableKeyPath<Target, Value?> & Sendable,
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    ifMissing unanswered: Unanswered = .keepValue
  ) -> Injections {
    inject(
      property, Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      lifecycle: lifecycle, ifMissing: unanswered)
  }

  /// Injects the value of a key into a property.
  public func inject<Value>(
    _ property: any WritableKeyPath<Target, Value> & Sendable, _ key: Key<Value>,
    lifecycle: Lifecycle = .cached, ifMissing unanswered: Unanswered = .keepValue
  ) -> Injections {
    adding { target, resolver, callSite in
      let value = try resolver.value(for: key, lifecycle, unanswered, at: callSite)
      if let value { target[keyPath: property] = value }
    }
  }

  /// Injects the value of a key into an optional property.
  public func inject<Value>(
    _ property: any WritableKeyPath<Target, Value?> & Sendable, _ key: Key<Value>,
    lifecycle: Lifecycle = .cached, ifMissing unanswered: Unanswered = .keepValue
  ) -> Injections {
    adding { target, resolver, callSite in
      let value = try resolver.value(for: key, lifecycle, unanswered, at: callSite)
      if value != nil || unanswered == .setNil { target[keyPath: property] = value }
    }
  }

  /// Injects a declared dependency.
  public func inject<Value>(
    _ property: any WritableKeyPath<Target, Value> & Sendable,
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Injections {
    // Production's default lives only as long as the dependency of a computed static.
    var made = dependency(Dependencies.self)
    Dependency.checkSharing(of: &made, at: CallSite(fileID, filePath, line, column))
    let declared = made
    return adding { target, resolver, callSite in
      target[keyPath: property] = try resolver.value(
        for: Request(declared.key.erased, declared: declared.registration, at: callSite))
    }
  }

  /// Injects with a block. It may change the target, or return a value in its place.
  ///
  /// A returned value takes the target's place if it has exactly the target type of the chain. Any
  /// other returned value is ignored. The block gets the requested resolver.
  public func inject<Outcome>(
    _ body: @escaping @Sendable (inout Target, Resolver) throws -> Outcome
  ) -> Injections {
    adding { target, resolver, _ in
      let outcome = try body(&target, resolver)
      if Outcome.self == Target.self, let returned = outcome as? Target { target = returned }
    }
  }

  /// Registers the chain. It replaces a chain for the same target type, or under the same text, and
  /// runs last.
  @discardableResult
  public func register() -> InjectionKey {
    if !resolver.isInert { resolver.injections.add(Chain(steps: steps), for: key) }
    return key
  }

  private struct Chain: AnyInjection {
    let steps: [Step]

    func apply<Actual>(
      to target: inout Actual, from resolver: Resolver, at callSite: CallSite
    ) throws {
      guard var matching = target as? Target else { return }
      // Also after an error. A block may return an object that is no `Actual`. The target is not
      // replaced then.
      defer { if let changed = matching as? Actual { target = changed } }
      for step in steps { try step(&matching, resolver, callSite) }
    }
  }
}

extension Resolver {
  fileprivate func value<Value>(
    for key: Key<Value>, _ lifecycle: Lifecycle, _ unanswered: Unanswered, at callSite: CallSite
  ) throws(ResolutionError) -> Value? {
    let request = Request(key.erased, lifecycle: lifecycle, at: callSite)
    guard unanswered != .fail else { return try value(for: request) as Value }
    return try valueIfThere(for: request)
  }
}
