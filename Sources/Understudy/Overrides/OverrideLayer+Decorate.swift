// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Wraps the answer of the layers below, or of this layer's own override of the key. So several
  /// decorators of one layer nest, and the last one is the outermost.
  ///
  /// The wrapper has the lifecycle of the value that it wraps, except that the instance of an
  /// argument (`register(per:)`) is wrapped anew for each request. A request as `.once` uses up the
  /// wrapper together with this layer's override. A fault of this layer strikes before the
  /// decorator. If nothing answers below, `T?` is `nil`, and any other request is an error.
  ///
  /// `block` gets the value from below, and creates the wrapper. The other parameters are those of
  /// the wrapped registration.
  ///
  /// - Returns: The key of the decorator.
  @discardableResult
  public func decorate<Value: Sendable>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Value) throws -> Value
  ) -> Key<Value> {
    decorate(
      Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID, filePath, line, column), block)
  }

  /// Wraps the answer of the layers below, or of production, for a declared dependency.
  @discardableResult
  public func decorate<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Value) throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    return decorate(Dependency.identified(dependency, at: callSite).key, at: callSite, block)
  }

  private func decorate<Value: Sendable>(
    _ key: Key<Value>, at callSite: CallSite, _ block: @escaping @Sendable (Value) throws -> Value
  ) -> Key<Value> {
    add(
      Registration.decorating(
        registration(for: key.erased), of: store, for: key, at: callSite, in: block))
    return key
  }
}

extension Registration where Value: Sendable {
  /// The registration of a decorator, which replaces or shadows the layer's own registration of the
  /// key.
  fileprivate static func decorating(
    _ own: AnyRegistration?, of store: LevelStore, for key: Key<Value>,
    at callSite: CallSite, in block: @escaping @Sendable (Value) throws -> Value
  ) -> Registration {
    // A registration that was used up behind a fault does not return.
    guard let own = own as? Registration, !store.hasClaimed(own) else {
      return Registration(Decoration(wraps: [block]), for: key, at: callSite)
    }
    // A completion applies to the value itself and not to its wrapper. The wrapper of an alias has
    // the lifecycle of the aliased registration.
    if own.traits.isCompletedLater || own.isAlias {
      return Registration(Decoration(of: own, wraps: [block]), for: key, at: callSite)
    }
    guard own.isFault, case .decorating(let fault) = own.block else {
      return own.wrapped(for: key, at: callSite, in: block)
    }
    let decorated = decorating(fault.replaced, of: store, for: key, at: callSite, in: block)
    return Registration(
      Decoration(
        of: decorated,
        before: {
          own.mark(.used)
          try fault.before()
        }), isFault: true, for: key, at: callSite)
  }

  package convenience init(
    _ decoration: Decoration<Value>, isFault: Bool = false, for key: Key<Value>,
    at callSite: CallSite
  ) {
    var traits = RegistrationTraits(key: key.erased, at: callSite)
    traits.isDecoration = true
    traits.isFault = isFault
    traits.isMerged = true
    if let replaced = decoration.replaced { traits.metadata = replaced.metadata }
    self.init(traits, sharing: SendableType(), .decorating(decoration))
  }

  fileprivate func wrapped(
    for key: Key<Value>, at callSite: CallSite,
    in transform: @escaping @Sendable (Value) throws -> Value
  ) -> Registration {
    var traits = traits
    traits.key = key.erased
    traits.callSite = callSite
    traits.isMerged = true
    return Registration(
      traits, sharing: SendableType(),
      block.wrapped { value in
        self.mark(.used)
        return try transform(value)
      })
  }
}
