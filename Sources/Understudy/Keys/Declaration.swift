// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The identity of one declared dependency: the place where it is declared. A function declares a
/// new dependency in each call, since several statics may call it.
package final class Declaration: Sendable {
  package let callSite: CallSite
  /// The declaring function, `live(_:)`, or `nil` for a static.
  package let function: String?
  /// The name, if a computed static gives it.
  private let toldName: String?
  private let source = Lock(Source())

  private struct Source {
    /// The default of a static. Its `Dependency` may be gone when its key is requested.
    var kept: (any AnyObject & Sendable)?
    /// The default that a function declares. The `Dependency` retains it.
    weak var unkept: (any AnyObject & Sendable)?
    var foundName: String??
  }

  private init(at callSite: CallSite, named name: String? = nil, in function: String? = nil) {
    self.callSite = callSite
    self.function = function
    toldName = name
  }

  /// The declaration of a type at a place. It is the same object for each call, unless a function
  /// declares it.
  ///
  /// - Parameter function: The declaring function, as `#function` spells it. For a stored static,
  ///   this is its type or module.
  static func at(
    _ callSite: CallSite, of type: any Any.Type, in function: StaticString
  ) -> Declaration {
    let name = function.description
    if name.contains("(") { return Declaration(at: callSite, in: name) }
    let place = Place(callSite: callSite, type: ObjectIdentifier(type))
    return places.withLock { places in
      if let known = places[place] { return known }
      let isName = name.first?.isLowercase == true && !name.contains { ". ".contains($0) }
      let fresh = Declaration(
        at: callSite, named: isName && !callSite.fileID.hasPrefix(name + "/") ? name : nil)
      places[place] = fresh
      return fresh
    }
  }

  /// The name of the declaring static, if it is known. The name of a stored static is not known at
  /// run time, so a process that runs tests looks it up in the source file.
  package var name: String? {
    if let toldName { return toldName }
    if let found = source.withLock({ $0.foundName }) { return found }
    guard let finder = Declaration.nameFinder.withLock({ $0 }) else { return nil }
    let name = finder.value(callSite)
    source.withLock { $0.foundName = .some(name) }
    return name
  }

  /// Looks up the name of the static at a place. Set by the adapter of a test framework. In a
  /// structure, since each read of a function in a lock would wrap it once more.
  package static let nameFinder = Lock<KnownSendable<@Sendable (CallSite) -> String?>?>(nil)

  private struct Place: Hashable {
    let callSite: CallSite
    let type: ObjectIdentifier
  }

  private static let places = Lock<[Place: Declaration]>([:])

  /// The registration that was declared last: production's default for the key.
  package var declared: (any AnyObject & Sendable)? {
    source.withLock { $0.kept ?? $0.unkept }
  }

  /// Sets production's default for the key. The default of a static is kept until the next one.
  func declare(_ registration: any AnyObject & Sendable) {
    guard function == nil else { return source.withLock { $0.unkept = registration } }
    // The objects that the last default captured are destroyed after the lock.
    var last: (any AnyObject & Sendable)? = registration
    source.withLock { swap(&$0.kept, &last) }
    withExtendedLifetime(last) {}
  }

  /// The default that a static declared first, or a new one.
  func first(or fresh: any AnyObject & Sendable) -> any AnyObject & Sendable {
    guard function == nil else { return fresh }
    return source.withLock { source in
      if let first = source.kept { return first }
      source.kept = fresh
      return fresh
    }
  }
}
