// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The program's declared dependencies: each a static of an extension.
///
/// ```swift
/// extension Dependencies {
///   static var mailer: Dependency<any Mailer> { Dependency { SMTPMailer() } }
///   static let store = Dependency<any Store>(lifecycle: .cached) { Database() }
/// }
/// ```
///
/// If another module requests a dependency by its key path, declare it as a *computed* static. A
/// debug build of Swift 6.3.1 can crash on a key path to a stored one.
public enum Dependencies {}

/// A key with a production default. It cannot be missing.
public final class Dependency<Value>: Sendable {
  package let registration: Registration<Value>

  @usableFromInline let erasedKey: AnyKey

  private init(_ registration: Registration<Value>) {
    self.registration = registration
    erasedKey = registration.key
    registration.key.declaration?.declare(registration)
  }

  /// Declares a dependency whose value is created for each request.
  ///
  /// A block that needs other dependencies resolves them from `Resolver.current`, which is the
  /// resolver of the request.
  ///
  /// - Parameters:
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver.
  ///   - function: The name of the dependency in messages, if it is a computed static.
  ///   - block: Creates production's value.
  public convenience init(
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, function: StaticString = #function,
    _ block: @escaping @Sendable () -> Value
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    self.init(
      Registration(
        .declared(Value.self, .notCached, inTests, function, at: callSite), sharing: nil,
        .plain(block)))
  }

  /// Declares a dependency whose value production creates as often as `lifecycle` says. `.once` is
  /// taken as `.notCached`, since a declared dependency is never missing.
  public convenience init(
    lifecycle: Lifecycle, inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function, _ block: @escaping @Sendable () -> Value
  ) where Value: Sendable {
    self.init(
      lifecycle, inTests, function, at: CallSite(fileID, filePath, line, column),
      shared: .plain(block))
  }

  /// Declares a dependency whose value is created on the main actor: `{ @MainActor in … }`.
  ///
  /// It is resolved synchronously on the main actor, and with `resolveAsync(\.model)` from
  /// anywhere. `resolve(\.model)` from elsewhere ends the process, and a wrapper keeps the error. A
  /// lifecycle of `.once` or `nil` is taken as `.notCached`.
  public convenience init(
    lifecycle: Lifecycle? = nil, inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function, _ block: @escaping @MainActor @Sendable () -> Value
  ) where Value: Sendable {
    self.init(
      lifecycle ?? .notCached, inTests, function, at: CallSite(fileID, filePath, line, column),
      shared: .onMainActor(block))
  }

  /// Declares a dependency with an instance to share. A computed static creates a `Dependency` for
  /// each access, but has only one instance.
  private convenience init(
    _ lifecycle: Lifecycle, _ inTests: LiveGuard?, _ function: StaticString, at callSite: CallSite,
    shared block: Block<Value>
  ) where Value: Sendable {
    let fresh = Registration(
      .declared(Value.self, lifecycle, inTests, function, at: callSite), sharing: SendableType(),
      block)
    let first = fresh.key.declaration?.first(or: fresh)
    self.init(first as? Registration<Value> ?? fresh)
  }

  /// A replacement with the same lifecycle as this dependency.
  func replacement(
    _ block: @escaping @Sendable () throws -> Value, at callSite: CallSite
  ) -> Registration<Value> {
    var traits = RegistrationTraits(key: key.erased, at: callSite)
    traits.lifecycle = registration.lifecycle
    return Registration(traits, sharing: registration.sharing, .plain(block))
  }

  /// The key of this dependency and of no other.
  public var key: Key<Value> { Key(erased: registration.key) }
}

extension Block where Value: Sendable {
  static func onMainActor(_ block: @escaping @MainActor @Sendable () throws -> Value) -> Block {
    .mainActor { _ in try MainActor.assumeIsolated { try block() } }
  }
}

extension RegistrationTraits {
  fileprivate static func declared(
    _ type: any Any.Type, _ lifecycle: Lifecycle, _ inTests: LiveGuard?,
    _ function: StaticString, at callSite: CallSite
  ) -> RegistrationTraits {
    var traits = RegistrationTraits(
      key: AnyKey(type: type, declaration: .at(callSite, of: type, in: function)), at: callSite)
    traits.lifecycle = lifecycle == .once ? .notCached : lifecycle
    traits.inTests = inTests
    traits.isDeclaredDefault = true
    return traits
  }
}

extension AnyKey {
  /// Production's default, if this is the key of a declared dependency.
  package var declaredDefault: AnyRegistration? { declaration?.declared as? AnyRegistration }
}
