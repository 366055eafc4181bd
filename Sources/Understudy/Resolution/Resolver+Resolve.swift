// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves what is registered for a type.
  ///
  /// `T?` is `nil` where nothing is registered for `T`; `[T]` is every registration of `T`, in the
  /// order of registering, unless those types have registrations of their own.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  /// - Complexity: O(1) expected, besides the block.
  public func resolve<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    let layer = OverrideLayer.current
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if name == nil, scope == nil, qualifier == nil, container == nil {
      if Resolver.isQuiet(seeing: layer), let found = store.registration(forPlain: Value.self) {
        let registration = found as! Registration<Value>
        if let kept = published(by: registration, lifecycle) { return kept.value }
        if let block = plainBlock(of: registration, lifecycle) {
          return try quicklyMade(registration, block, lifecycle, at: callSite, isolation)
        }
      }
      return try value(
        for: Request(
          AnyKey(type: Value.self), declared: nil, lifecycle: lifecycle, at: callSite,
          isOnMainActor: isolation.isMain),
        seeing: layer)
    }
    return try value(
      for: Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      lifecycle, at: callSite, isolation, seeing: layer)
  }

  /// Resolves what is registered for a type, with an argument for its block.
  ///
  /// The first argument makes a cached value; a later one is ignored, and the log says so (L4). A
  /// registration that takes no argument ignores it.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - argument: What the block gets.
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself; a wrong argument names the registered type
  ///   and the expected and given types of the argument.
  public func resolve<Value, Argument>(
    _ type: Value.Type = Value.self, with argument: Argument,
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    try resolve(
      Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      with: argument, lifecycle: lifecycle, isolation: isolation, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Resolves what is registered for a key.
  ///
  /// - Parameters:
  ///   - key: What is asked for.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  public func resolve<Value>(
    _ key: Key<Value>, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    try value(
      for: key, lifecycle,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column), isolation,
      seeing: .current)
  }

  /// Resolves what is registered for a key, with an argument for its block.
  ///
  /// - Parameters:
  ///   - key: What is asked for.
  ///   - argument: What the block gets.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  public func resolve<Value, Argument>(
    _ key: Key<Value>, with argument: Argument, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    try value(
      for: Request(
        key.erased, declared: key.erased.declaredDefault, lifecycle: lifecycle,
        argument: PassedArgument(argument),
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column),
        isOnMainActor: isolation.isMain))
  }

  /// Resolves a request under the layers that the calling task sees.
  func value<Value>(for request: Request) throws(ResolutionError) -> Value {
    try value(for: request, seeing: .current)
  }

  /// The same, where it is known which layer the calling task sees.
  func value<Value>(
    for request: Request, seeing layer: OverrideLayer?
  ) throws(ResolutionError) -> Value {
    var generation: Int?
    if let layer {
      if let value: Value = recalledValue(for: request, under: layer) { return value }
      generation = layer.recollection.generation
    }
    let top = try layerOfCaller(request)
    var resolution = Resolution<Value>(request, of: self, under: top, from: top)
    resolution.generation = generation
    return try resolution.value()
  }

  private func value<Value>(
    for key: Key<Value>, _ lifecycle: Lifecycle, at callSite: CallSite,
    _ isolation: (any Actor)?, seeing layer: OverrideLayer?
  ) throws(ResolutionError) -> Value {
    let declared = key.erased.declaredDefault
    if declared == nil, Resolver.isQuiet(seeing: layer),
      let found = store.registration(for: key.erased)
    {
      let registration = found as! Registration<Value>
      if let kept = published(by: registration, lifecycle) { return kept.value }
      if let block = plainBlock(of: registration, lifecycle) {
        return try quicklyMade(registration, block, lifecycle, at: callSite, isolation)
      }
    }
    return try value(
      for: Request(
        key.erased, declared: declared, lifecycle: lifecycle, at: callSite,
        isOnMainActor: isolation.isMain),
      seeing: layer)
  }
}
