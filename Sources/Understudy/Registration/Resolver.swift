// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Knows how to make every dependency of a program: the production registrations and instances,
/// below all layers of overrides.
///
/// All of it is safe to use from any thread. No block of yours ever runs under a lock.
public final class Resolver: Registering {
  /// The process's default resolver.
  public static let main = Resolver(named: "main", isMain: true)

  package let store = RegistrationStore()
  package let name: String?
  /// What `resolve(into:)` does for which targets.
  package let injections = InjectionStore()
  /// The assemblies that were loaded.
  package let assemblies = AssemblyStore()
  /// True if registrations are ignored.
  package let isInert: Bool
  /// True for `main`, without asking for that.
  @usableFromInline package let isMain: Bool
  /// The number of the newest instance when instances were last let go of.
  let lastForgotten = Atomic<Int>(0)
  private let attachment = LazyValue<any AnyObject & Sendable>()

  /// Makes a resolver that knows nothing yet and shares nothing with others (G9-02).
  ///
  /// - Parameter name: How messages call it.
  public convenience init(named name: String? = nil) {
    self.init(named: name, isMain: false)
  }

  package convenience init(inertNamed name: String) {
    self.init(named: name, isInert: true)
  }

  private init(named name: String?, isMain: Bool = false, isInert: Bool = false) {
    self.name = name
    self.isMain = isMain
    self.isInert = isInert
  }

  /// None of its own: each form of `register` has its usual lifecycle.
  public var defaults: RegistrationDefaults { RegistrationDefaults(isPublished: true) }

  /// Adds a registration. One for the same key is replaced, and its cached value forgotten (L6).
  public func add(_ registration: AnyRegistration) {
    if !isInert { store.add(registration) }
  }

  /// What another module of this package keeps beside this resolver, read without a lock.
  package var attached: (any AnyObject & Sendable)? {
    attachment.value
  }

  /// Attaches an object; does nothing if there is one.
  package func attach(_ object: any AnyObject & Sendable) {
    _ = attachment.value(orMake: { object })
  }
}
