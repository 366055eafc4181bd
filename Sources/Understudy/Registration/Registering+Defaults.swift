// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Registers on another registrar, with other defaults.
package struct DefaultingRegistrar: Registering {
  package let base: any Registering
  package let defaults: RegistrationDefaults

  package func add(_ registration: AnyRegistration) { base.add(registration) }
}

extension Registering {
  /// Returns a registrar that states the dependencies of its blocks, as types. The graph shows and
  /// validates these dependencies before anything runs.
  public func needing<each Needed>(_ types: repeat (each Needed).Type) -> some Registering {
    needing(AnyKey.keys(for: repeat each types))
  }

  /// Returns a registrar that states the dependencies of its blocks, as keys.
  public func needing<each Needed>(_ keys: repeat Key<each Needed>) -> some Registering {
    var erased: [AnyKey] = []
    for key in repeat each keys { erased.append(key.erased) }
    return needing(erased)
  }

  /// Returns a registrar that states the dependencies of its blocks, as keys.
  public func needing(_ keys: [AnyKey]) -> some Registering {
    var defaults = defaults
    defaults.needs += keys
    return DefaultingRegistrar(base: self, defaults: defaults)
  }

  /// A registrar whose blocks are cached, and run when the assembly that registers them is loaded.
  public var eager: some Registering {
    var defaults = defaults
    defaults.lifecycle = .cached
    defaults.isEager = true
    return DefaultingRegistrar(base: self, defaults: defaults)
  }
}
