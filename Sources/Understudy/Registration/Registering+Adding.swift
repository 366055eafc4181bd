// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Adds a registration whose values are never cached.
  func register<Value>(
    _ traits: consuming RegistrationTraits, unshared block: Block<Value>
  ) -> Key<Value> {
    added(Registration(traits, sharing: nil, block))
  }

  /// Adds a registration whose values may be cached, shared and completed.
  func register<Value: Sendable>(
    _ traits: consuming RegistrationTraits, shared block: Block<Value>,
    then complete: Completion<Value>? = nil,
    _ second: Completion<Value>? = nil, _ third: Completion<Value>? = nil
  ) -> Key<Value> {
    var completion = complete
    if second != nil || third != nil {
      completion = { value, resolver in
        try complete?(&value, resolver)
        try second?(&value, resolver)
        try third?(&value, resolver)
      }
    }
    traits.isCompletedLater = completion != nil
    let sharing = traits.lifecycle == .cached ? SendableType<Value>() : nil
    let block = held(block, traits.retention)
    return added(Registration(traits, sharing: sharing, block, completion: completion))
  }

  private func added<Value>(_ registration: Registration<Value>) -> Key<Value> {
    add(registration)
    return Key(erased: registration.key)
  }

  /// A block that holds its value with a retention. A value type cannot be held weakly.
  func held<Value: Sendable>(_ block: Block<Value>, _ retention: Retention) -> Block<Value> {
    guard retention == .weak else { return block }
    return block.then { value in
      guard WeakReference(value).isObject else { throw NotCallable.notAnObject }
      return value
    }
  }
}
