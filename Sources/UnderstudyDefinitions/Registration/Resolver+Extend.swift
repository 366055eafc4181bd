// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Registers a shared block, unless the key was resolved already. An instance that is in use is
  /// not exchanged.
  ///
  /// - Parameters:
  ///   - type: The registered type, if it is not the block's return type.
  ///   - name: Tells registrations of one type apart.
  ///   - block: Creates the value.
  /// - Returns: False if there is an instance or a value, and nothing was changed.
  @discardableResult
  public func attach<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ block: @escaping @Sendable (Resolver) throws -> Value
  ) -> Bool {
    if let present = store.registration(for: AnyKey(type: type, named: name)),
      store.instance(of: present) != nil
    {
      return false
    }
    register(
      type, named: name, lifecycle: .cached, fileID: fileID, filePath: filePath, line: line,
      column: column, block)
    return true
  }

  /// Wraps the registration of a key, and forgets its cached instance.
  ///
  /// The wrapper has the lifecycle of the wrapped registration. A second call wraps the wrapper.
  /// For one scope alone, use `decorate` of a layer.
  ///
  /// - Parameters:
  ///   - key: The key of the wrapped registration.
  ///   - block: Takes the value and the resolver, and returns the wrapper.
  /// - Returns: False if nothing is registered for the key, and nothing was changed.
  @discardableResult
  public func extend<Value: Sendable>(
    _ key: Key<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Value, Resolver) throws -> Value
  ) -> Bool {
    let present = store.registration(for: AnyKey(key))
    guard let present = present as? Registration<Value> else { return false }
    var traits = RegistrationTraits(
      key: AnyKey(key),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    let place = (present.metadata as? PropertyMetadata)?.place
    traits.lifecycle = present.lifecycle
    traits.retention = present.retention
    // The result is no longer constant.
    traits.metadata =
      (present.metadata as? PropertyMetadata)?.withoutConstant ?? present.metadata
    traits.argumentType = present.argumentType
    traits.needs = present.needs
    traits.statedNeeds = present.statedNeeds
    traits.isLifecycleFixed = present.isLifecycleFixed
    traits.isCompletedLater = present.isCompletedLater
    // Weak, since this resolver retains the registration. The resolver is alive during a request.
    let extend: @Sendable (Value) throws -> Value = { [weak self] value in
      guard let self else { return value }
      let extended = try block(value, self)
      // A value that replaces a secret is secret.
      guard let place, let property = extended as? PropertyValue else { return extended }
      return place.shown(property) as? Value ?? extended
    }
    add(
      Registration<Value>(
        traits, sharing: Sharing(present.retention),
        // A value with a completion is extended once more after its completion.
        present.isCompletedLater ? present.block.wrapped(in: extend) : present.block.then(extend),
        completion: present.completion))
    return true
  }
}
