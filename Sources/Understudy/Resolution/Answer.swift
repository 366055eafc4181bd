// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registration that answers a key for a stack of layers.
struct Answer {
  let registration: AnyRegistration
  /// The layer that has the registration; `nil` if production does.
  let layer: OverrideLayer?
  /// How often the value is made; a decorator does as what it wraps.
  let lifecycle: Lifecycle

  var level: Int { layer?.level ?? 0 }

  /// Where the registration is.
  func store(_ resolver: Resolver) -> RegistrationStore { layer?.store ?? resolver.store }
}

extension Resolver {
  /// Finds who answers, from a layer downwards.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - start: The innermost layer that may answer; `nil` for production alone.
  /// - Returns: Who answers, or `nil` if nobody does.
  func answer(to request: Request, from start: OverrideLayer?) -> Answer? {
    var candidate = start?.nearest(of: self)
    while let layer = candidate {
      let below = layer.next(of: self)
      if let registration = layer.registration(for: request.key) {
        let lifecycle =
          registration.isDecoration
          ? answer(to: request, from: below)?.decoratedLifecycle ?? .notCached
          : registration.lifecycle
        return Answer(registration: registration, layer: layer, lifecycle: lifecycle)
      }
      candidate = below
    }
    guard let registration = store.registration(for: request.key) ?? request.declared else {
      return nil
    }
    return Answer(registration: registration, layer: nil, lifecycle: registration.lifecycle)
  }
}

extension Answer {
  /// A decorator of a cached instance is cached; one of a one-time value is asked again each time,
  /// so that the value below is what is claimed.
  fileprivate var decoratedLifecycle: Lifecycle { lifecycle == .cached ? .cached : .notCached }
}
