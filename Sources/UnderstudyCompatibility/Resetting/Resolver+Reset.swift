// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// The contents of a resolver that `reset` removes.
  public struct Contents: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates contents from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The registrations, with their cached instances.
    public static let registrations = Contents(rawValue: 1)
    /// The cached instances. Registrations and declared dependencies stay, and create their
    /// instances again.
    public static let instances = Contents(rawValue: 2)
    /// The injections of `resolve(into:)`.
    public static let injections = Contents(rawValue: 4)
    /// All contents.
    public static let all: Contents = [.registrations, .instances, .injections]
  }

  /// The numbers of removed contents.
  public struct Removed: Hashable, Sendable {
    /// The number of registrations.
    public var registrations: Int
    /// The number of injections.
    public var injections: Int
    /// The number of instances, without those of removed registrations.
    public var instances: Int

    /// Creates the numbers.
    public init(registrations: Int = 0, injections: Int = 0, instances: Int = 0) {
      self.registrations = registrations
      self.injections = injections
      self.instances = instances
    }
  }

  /// Removes the contents of all containers, or the given kinds of contents, and returns their
  /// numbers. `.instances` alone releases the newest instance first.
  @discardableResult
  public func reset(_ contents: Contents = .all) -> Removed {
    var removed = Removed()
    if contents.contains(.registrations) { removed.registrations = unregisterAll() }
    if contents.contains(.instances) {
      // Layers may store instances of declared dependencies, whose registrations cannot be renewed.
      store.noteReset()
      // The newest instance goes first: it may use an older one.
      removed.instances = store.forgetAll() + renew(store.all)
      loadedAssemblies.follow(store)
    }
    if contents.contains(.injections) {
      removed.injections = injections.remove(Set(injections.keys))
    }
    return removed
  }

  /// Removes the registrations of a container, or only its cached instances, and returns their
  /// numbers. `nil` is the default container. Injections are in no container, and stay.
  @discardableResult
  public func reset(
    _ contents: Contents = .all, in container: (any Hashable & Sendable)?
  ) -> Removed {
    let name = container.map { KeyName($0) }
    let members = store.registrations(in: name)
    var removed = Removed()
    if contents.contains(.registrations) {
      let forgotten = loadedAssemblies.remove(in: name)
      removed.registrations = unregister(members.map(\.key))
      store.forget(forgotten)
    } else if contents.contains(.instances) {
      removed.instances = forgetInstances(in: name) + renew(members)
      // Layers and children may store instances for single arguments.
      for member in members where member.traits.isKeyedByArgument { store.renew(member) }
      loadedAssemblies.follow(store)
    }
    return removed
  }

  /// Forgets the created instances of a container, the newest first: also those for single
  /// arguments, and those of displaced registrations, which are not listed.
  private func forgetInstances(in container: KeyName?) -> Int {
    var (made, count) = (store.made, 0)
    while let newest = made.popLast() {
      let key = newest.registration.key
      let isListed = store.registration(for: key) === newest.registration
      if key.container == container,
        isListed ? newest.registration.lifecycle == .cached : key.declaration == nil,
        store.forget(newest)
      {
        count += 1
      }
    }
    return count
  }

  private func renew(_ registrations: [AnyRegistration]) -> Int {
    registrations.count { registration in
      guard registration.lifecycle == .cached else { return false }
      let wasKept = store.instance(of: registration) != nil
      store.renew(registration)
      return wasKept
    }
  }
}

extension Container {
  /// Removes the registrations of this container, or only its cached instances, and returns their
  /// numbers.
  @discardableResult
  public func reset(_ contents: Resolver.Contents = .all) -> Resolver.Removed {
    resolver.reset(contents, in: defaults.container)
  }
}
