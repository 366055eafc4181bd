// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The program's declared dependencies: each a static of an extension.
///
/// ```swift
/// extension Dependencies {
///   static let mailer = Dependency<any Mailer> { SMTPMailer() }
///   static let store = Dependency<any Store>(lifecycle: .cached) { Database() }
/// }
/// ```
public enum Dependencies {}

/// A key with a production default: it cannot be missing, and asking for it needs no lookup.
@safe
public final class Dependency<Value>: Sendable {
  /// How production makes it.
  @usableFromInline package let registration: Registration<Value>
  /// The registration, if its instance may be read without a lock.
  ///
  /// Safety: it is used when this object may be gone, and one that may is kept for ever (`DeclaredRegistrations`).
  @usableFromInline package let published: Unmanaged<AnyRegistration>?
  /// True if a resolution that nobody watches may just call the block.
  @usableFromInline package let isDirect: Bool
  /// The registration without a reference counted.
  ///
  /// Safety: whoever uses it keeps this object meanwhile, which keeps it; or has seen that it may be published, and
  /// that the process keeps it.
  @usableFromInline package let unmanagedRegistration: Unmanaged<Registration<Value>>

  private init(_ registration: Registration<Value>) {
    self.registration = registration
    unsafe published = registration.mayBePublished ? .passUnretained(registration) : nil
    isDirect = registration.isDirect
    unsafe unmanagedRegistration = .passUnretained(registration)
    registration.key.declaration?.declared = registration
  }

  /// Declares a dependency that is made again for every resolution.
  ///
  /// - Parameters:
  ///   - fileID: Where it is declared.
  ///   - filePath: Where it is declared.
  ///   - line: Where it is declared.
  ///   - column: Where it is declared.
  ///   - block: Makes production's value.
  public convenience init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ block: @escaping @Sendable () -> Value
  ) {
    let registration = Registration(
      .declared(
        Value.self, .notCached,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      sharing: nil, .plain(block))
    self.init(registration)
  }

  /// Declares a dependency whose value may be kept and shared.
  ///
  /// - Parameters:
  ///   - lifecycle: How often production makes it. `.once` cannot be: a declared dependency is never
  ///     missing, so it is taken as `.notCached`.
  ///   - fileID: Where it is declared.
  ///   - filePath: Where it is declared.
  ///   - line: Where it is declared.
  ///   - column: Where it is declared.
  ///   - block: Makes production's value.
  public convenience init(
    lifecycle: Lifecycle, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ block: @escaping @Sendable () -> Value
  ) where Value: Sendable {
    let fresh = Registration(
      .declared(
        Value.self, lifecycle,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      sharing: Sharing(.strong), .plain(block))
    self.init(DeclaredRegistrations.first(at: fresh.key, or: fresh))
  }

  /// What asks for this dependency and for no other.
  public var key: Key<Value> { Key(erased: registration.key) }
}

extension RegistrationTraits {
  fileprivate static func declared(
    _ type: any Any.Type, _ lifecycle: Lifecycle, at callSite: CallSite
  ) -> RegistrationTraits {
    var traits = RegistrationTraits(
      key: AnyKey(type: type, declaration: Declaration(at: callSite)), at: callSite)
    traits.lifecycle = lifecycle == .once ? .notCached : lifecycle
    return traits
  }
}

extension AnyKey {
  /// Production's default, if this is a declared dependency's own key.
  package var declaredDefault: AnyRegistration? {
    declaration?.declared as? AnyRegistration
  }
}

/// The registrations that keep instances, one for each place of declaring: a computed static makes
/// its `Dependency` anew for each access, and what it keeps is still one.
private enum DeclaredRegistrations {
  private static let table = KeyTable<AnyRegistration>()

  static func first<Value>(
    at key: AnyKey, or fresh: Registration<Value>
  ) -> Registration<Value> {
    let first = table.update(key) { known in
      let first = known ?? fresh
      known = first
      return first
    }
    // Two of one key are of one type.
    return .typed(first)
  }
}
