// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Makes one registration answer under further types, with the same instance.
  ///
  /// Each alias is a registration of its own, with the name and the container of the aliased
  /// registration. If the aliased registration is missing, so is the alias, and `T?` is `nil`. A
  /// value that does not have an alias's type is an error. If the aliased block is asynchronous, or
  /// runs on the main actor, resolve its aliases with `resolveAsync` as well.
  ///
  /// - Parameters:
  ///   - key: The key of the aliased registration.
  ///   - types: The other types.
  /// - Returns: The key of the aliased registration.
  @discardableResult
  public func alias<Value, each Alias>(
    _ key: Key<Value>, as types: repeat (each Alias).Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    for type in repeat each types { addAlias(type, of: key, at: callSite) }
    return key
  }

  private func addAlias<Value, Alias>(
    _ type: Alias.Type, of key: Key<Value>, at callSite: CallSite
  ) {
    var traits = RegistrationTraits(
      key: AnyKey(type: type, name: key.erased.name, container: key.erased.container), at: callSite)
    traits.statedNeeds = [key.erased]
    add(Registration<Alias>(traits, standingFor: key))
  }
}

extension Registration {
  package convenience init<Target>(_ traits: RegistrationTraits, standingFor key: Key<Target>) {
    let relay = Relay<Value>(to: key.erased) { invocation, outcome in
      let value: Target = try invocation.resolver.value(
        for: invocation.request.of(key.erased), noting: &outcome)
      return try castToAlias(value)
    } waiting: { invocation, outcome in
      let value: Target = try await invocation.resolver.asyncValue(
        for: invocation.request.of(key.erased), noting: &outcome)
      return try castToAlias(value)
    }
    self.init(traits, sharing: nil, .relaying(relay))
  }
}

private func castToAlias<Value, Alias>(_ value: Value) throws(AliasMismatch) -> Alias {
  guard let alias = value as? Alias else {
    throw AliasMismatch(value: Swift.type(of: value as Any), alias: Alias.self)
  }
  return alias
}

extension Request {
  /// The same request for another key.
  func of(_ key: AnyKey) -> Request {
    var request = self
    request.key = key
    request.declared = nil
    return request
  }
}

extension Resolver {
  package func value<Value>(
    for request: Request, noting outcome: inout RelayedRequest
  ) throws(ResolutionError) -> Value {
    let target = try resolution(of: request, isPart: true)
    defer { outcome = target.relayed }
    return try target.value()
  }

  package func asyncValue<Value>(
    for request: Request, noting outcome: inout RelayedRequest
  ) async throws(ResolutionError) -> Value {
    let target = try resolution(of: request, isPart: true)
    defer { outcome = target.relayed }
    return try await target.asyncValue()
  }
}

/// The value of a registration does not have the type of its alias.
struct AliasMismatch: Error, CustomStringConvertible {
  let value: any Any.Type
  let alias: any Any.Type

  var description: String {
    "'\(TypeDescription.of(value))' is not of type '\(TypeDescription.of(alias))'"
  }
}
