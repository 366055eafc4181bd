// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves what is registered for a type alone.
  ///
  /// `T?` is `nil` where nothing is registered for `T`; `[T]` is every registration of `T`, in the
  /// order of registering, unless those types have registrations of their own.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  /// - Complexity: O(1) expected, besides the block.
  @inlinable
  public func resolve<Value>(
    _ type: Value.Type = Value.self, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    let (look, layer) = unsafe quickLook(at: ObjectIdentifier(Value.self))
    if case .cached = lifecycle, let address = unsafe look.address {
      return unsafe look.value(at: address)
    }
    return try unsafe value(
      look, under: layer, lifecycle, isolation,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Resolves what is registered for a type under a name that is a text, as most are: what the general form does,
  /// and the sooner as nothing has to be asked about the name.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - name: The name that it was registered under.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  /// - Complexity: O(1) expected, and O(length of the name), besides the block.
  @inlinable
  public func resolve<Value>(
    _ type: Value.Type = Value.self, named name: String, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    let (look, layer) = unsafe quickLook(at: ObjectIdentifier(Value.self), named: name)
    if case .cached = lifecycle, let address = unsafe look.address {
      return unsafe look.value(at: address)
    }
    return try unsafe value(
      named: name, look, under: layer, lifecycle, isolation,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Resolves what is registered for a type under a name of a type that the caller knows: what the general form does,
  /// without a box for the name.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - name: The name that it was registered under.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  /// - Complexity: O(1) expected, besides the name's `hash(into:)` and `==`, and the block.
  @inlinable
  public func resolve<Value, Name: Hashable & Sendable>(
    _ type: Value.Type = Value.self, named name: Name?, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    guard let name else {
      return try resolve(
        lifecycle: lifecycle, isolation: isolation, fileID: fileID, filePath: filePath, line: line,
        column: column)
    }
    let (look, layer) = unsafe quickLook(at: ObjectIdentifier(Value.self), named: name)
    if case .cached = lifecycle, let address = unsafe look.address {
      return unsafe look.value(at: address)
    }
    return try unsafe value(
      named: name, look, under: layer, lifecycle, isolation,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Resolves what is registered for a type under a name, in a scope or container.
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
  @inlinable
  public func resolve<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    guard scope == nil, qualifier == nil, container == nil else {
      return try value(
        for: Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
        lifecycle, isolation,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    guard let name else {
      return try resolve(
        lifecycle: lifecycle, isolation: isolation, fileID: fileID, filePath: filePath, line: line,
        column: column)
    }
    return try value(
      for: Key<Value>(named: name), lifecycle, isolation,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Resolves what is registered for a type alone, after a look at it that found no instance. Specialised in the
  /// caller's module, once for each type.
  ///
  /// Safety: the calling task sees the layer, if there is one, which is kept while it does.
  @inlinable @inline(never)
  func value<Value>(
    _ look: QuickLook, under layer: Unmanaged<OverrideLayer>?, _ lifecycle: Lifecycle,
    _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    if let layer = unsafe layer {
      if let look = unsafe layeredLook(at: Value.self, lifecycle, under: layer, at: callSite) {
        if look.isOfBlock { return try calledAgain(look, isolation, at: callSite) }
        return look.value()
      }
      return try soughtValue(
        for: Key<Value>(), lifecycle, isolation, at: callSite)
    }
    if let registration = unsafe look.callable(lifecycle) {
      return try unsafe value(calledBy: registration, lifecycle, isolation, at: callSite)
    }
    return try soughtValue(for: Key<Value>(), lifecycle, isolation, at: callSite)
  }

  /// The same under a name that is a text.
  @inlinable @inline(never)
  func value<Value>(
    named text: String, _ look: QuickLook, under layer: Unmanaged<OverrideLayer>?,
    _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    if let layer = unsafe layer {
      if let look = unsafe layeredLook(
        at: Value.self, named: text, lifecycle, under: layer, at: callSite)
      {
        if look.isOfBlock { return try calledAgain(look, isolation, at: callSite) }
        return look.value()
      }
      return try soughtValue(
        for: Key<Value>(named: text), lifecycle, isolation, at: callSite)
    }
    if let registration = unsafe look.callable(lifecycle) {
      return try unsafe value(calledBy: registration, lifecycle, isolation, at: callSite)
    }
    return try soughtValue(for: Key<Value>(named: text), lifecycle, isolation, at: callSite)
  }

  /// The same under a name of another type.
  @inlinable @inline(never)
  func value<Value, Name: Hashable & Sendable>(
    named name: Name, _ look: QuickLook, under layer: Unmanaged<OverrideLayer>?,
    _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    if let layer = unsafe layer {
      if let look = unsafe layeredLook(
        at: Value.self, named: name, lifecycle, under: layer, at: callSite)
      {
        if look.isOfBlock { return try calledAgain(look, isolation, at: callSite) }
        return look.value()
      }
      return try soughtValue(
        for: Key<Value>(named: name), lifecycle, isolation, at: callSite)
    }
    if let registration = unsafe look.callable(lifecycle) {
      return try unsafe value(calledBy: registration, lifecycle, isolation, at: callSite)
    }
    return try soughtValue(for: Key<Value>(named: name), lifecycle, isolation, at: callSite)
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
  @inlinable
  public func resolve<Value>(
    _ key: Key<Value>, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    try value(
      for: key, lifecycle, isolation,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
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

  /// Resolves a key.
  @inlinable @inline(never)
  func value<Value>(
    for key: Key<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    let look = quickLook(at: key.erased)
    if case .cached = lifecycle, let address = unsafe look.address {
      return unsafe look.value(at: address)
    }
    if let registration = unsafe look.callable(lifecycle) {
      return try unsafe value(calledBy: registration, lifecycle, isolation, at: callSite)
    }
    return try layeredValue(for: key, lifecycle, isolation, at: callSite)
  }

  /// Resolves a key under the layers that the calling task sees, of which a look is not enough.
  @usableFromInline
  func soughtValue<Value>(
    for key: Key<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    try resolution(of: key, lifecycle, isolation, at: callSite).value()
  }

  /// The same, where nobody has looked.
  @usableFromInline
  func layeredValue<Value>(
    for key: Key<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    try value(for: request(for: key.erased, lifecycle, isolation, at: callSite))
  }

  private func request(
    for key: AnyKey, _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) -> Request {
    Request(
      key, declared: key.declaredDefault, lifecycle: lifecycle, at: callSite,
      isOnMainActor: isolation.isMain)
  }

  private func resolution<Value>(
    of key: Key<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Resolution<Value> {
    try resolution(of: request(for: key.erased, lifecycle, isolation, at: callSite))
  }

  /// Resolves a request under the layers that the calling task sees.
  func value<Value>(for request: Request) throws(ResolutionError) -> Value {
    if let look = layeredLook(for: request) { return try value(at: look, for: request) }
    return try resolution(of: request).value()
  }

  /// The value that a look is at.
  ///
  /// Safety: the request keeps what was declared, which the look at its block does not.
  func value<Value>(
    at look: consuming RememberedLook, for request: Request
  ) throws(ResolutionError) -> Value {
    defer { extendLifetime(request) }
    guard look.isOfBlock else { return look.value() }
    return try calledAgain(
      look, request.isOnMainActor ? MainActor.shared : nil, at: request.callSite)
  }

  /// A resolution under the layers that the calling task sees, for which a look is not enough.
  func resolution<Value>(
    of request: consuming Request
  ) throws(ResolutionError) -> Resolution<Value> {
    let top = try layerOfCaller(request)
    return Resolution(request, of: self, under: top, from: top)
  }
}
