// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Knows how to create every dependency of a program: the production registrations and instances, below
/// all layers of overrides.
///
/// All of it is safe to use from any thread. No block of yours ever runs under a lock.
public final class Resolver: Registering {
  /// The process's default resolver.
  public static let main = Resolver(named: "main", parent: nil, isInert: false)

  /// The resolver that answers what this one has no registration for.
  public let parent: Resolver?
  package let store: LevelStore
  package let name: String?
  /// What `resolve(into:)` does for which targets.
  package let injections = InjectionStore()
  /// The assemblies that were loaded.
  package let assemblies = AssemblyStore()
  /// True if registrations are ignored.
  package let isInert: Bool
  private let attachment = Lock<(any AnyObject & Sendable)?>(nil)

  /// Makes a resolver that knows nothing yet.
  ///
  /// With a parent, it answers with the parent's registrations where it has none of its own. Its
  /// registrations and instances are its own: use one for a session, a plug-in or a window. An instance
  /// that was created from one of its registrations is stored here and never in the parent. Layers of
  /// either override it.
  ///
  /// - Parameters:
  ///   - name: The name of the resolver in messages.
  ///   - parent: The resolver that answers what this one does not know. Without one, the resolver shares
  ///     nothing with others (G9-02).
  public convenience init(named name: String? = nil, parent: Resolver? = nil) {
    self.init(named: name, parent: parent, isInert: false)
  }

  package convenience init(inertNamed name: String) {
    self.init(named: name, parent: nil, isInert: true)
  }

  private init(named name: String?, parent: Resolver?, isInert: Bool) {
    self.name = name
    self.parent = parent
    self.isInert = isInert
    store = LevelStore(parent: parent?.store)
  }

  /// How many resolutions may request each other, one within the block of the other.
  ///
  /// A cycle is found at once, whatever this is. It bounds recursion with arguments.
  public static let maximumDepth = 256

  /// None of its own: each form of `register` has its usual lifecycle.
  public var defaults: RegistrationDefaults { RegistrationDefaults() }

  /// Adds a registration. It replaces the one for the same key, whose cached instance is forgotten (L6).
  public func add(_ registration: AnyRegistration) {
    if isInert { return }
    store.add(registration)
    noteLeak(of: registration)
  }

  /// This resolver and its ancestors, nearest first.
  package var lineage: some Sequence<Resolver> { sequence(first: self) { $0.parent } }

  /// The object that another module of this package stores beside this resolver.
  package var attached: (any AnyObject & Sendable)? { attachment.withLock { $0 } }

  /// Attaches an object; does nothing if there is one.
  package func attach(_ object: any AnyObject & Sendable) {
    attachment.withLock { if $0 == nil { $0 = object } }
  }
}
