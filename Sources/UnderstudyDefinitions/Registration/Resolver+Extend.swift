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
  /// - Returns: False if there is an instance or a value, or one is in creation, and nothing was
  ///   changed.
  @discardableResult
  public func attach<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ block: @escaping @Sendable (Resolver) throws -> Value
  ) -> Bool {
    let new = NewRegistration()
    new.register(
      type, named: name, lifecycle: .cached, fileID: fileID, filePath: filePath, line: line,
      column: column, block)
    guard let registration = new.registration.withLock({ $0 }) else { return false }
    return add(registration) { present, level in
      guard let present else { return true }
      return !present.isExisting && level.instances(of: present).isEmpty
        && !level.isCreating(present, at: store.number)
    }
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
    while let present = store.registration(for: AnyKey(key)) as? Registration<Value> {
      let callSite = CallSite(fileID, filePath, line, column)
      if add(extended(present, at: callSite, block), if: { now, _ in now === present }) {
        return true
      }
      // Another thread has replaced it in the meantime.
    }
    return false
  }

  private func extended<Value: Sendable>(
    _ present: Registration<Value>, at callSite: CallSite,
    _ block: @escaping @Sendable (Value, Resolver) throws -> Value
  ) -> Registration<Value> {
    var traits = present.traits
    let property = present.metadata as? PropertyMetadata
    let place = property?.place
    traits.callSite = callSite
    traits.isMerged = true
    // The result is no longer constant.
    if let property { traits.metadata = property.withoutConstant }
    // Weak, since this resolver retains the registration. The resolver is alive during a request.
    let extend: @Sendable (Value) throws -> Value = { [weak self] value in
      guard let self else { return value }
      let extended = try block(value, self)
      // A value that replaces a secret is secret.
      guard let place, let property = extended as? PropertyValue else { return extended }
      return place.shown(property) as? Value ?? extended
    }
    return Registration<Value>(
      traits, sharing: SendableType(),
      // A value with a completion is extended once more after its completion.
      present.traits.isCompletedLater
        ? present.block.wrapped(in: extend) : present.block.then(extend),
      completion: present.completion)
  }
}

/// Takes a registration, and adds it nowhere.
private final class NewRegistration: Registering {
  let registration = Lock<AnyRegistration?>(nil)
  var defaults: RegistrationDefaults { RegistrationDefaults() }

  func add(_ registration: AnyRegistration) {
    self.registration.withLock { $0 = registration }
  }
}
