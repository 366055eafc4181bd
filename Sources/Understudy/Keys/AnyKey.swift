// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A key whose type is known only at run time.
///
/// Two keys are equal if they have the same type, equal names and equal containers. Types are
/// compared by identity and never by name.
public struct AnyKey: Hashable, Sendable, CustomStringConvertible {
  /// The requested type.
  public let type: any Any.Type
  /// The name, container, scope or qualifier of the key. `nil` for a type alone.
  let discriminator: Discriminator?

  package var name: KeyName? { KeyName(discriminator?.name) }
  package var container: KeyName? { KeyName(discriminator?.container) }
  /// The declared dependency, if this is its own key.
  package var declaration: Declaration? { discriminator?.declaration }
  package var isPlain: Bool { discriminator == nil }

  /// The key in a table. An object that keeps the key keeps it valid.
  var identity: Identity { identity(under: nil) }

  /// The key in a table of requests under layers.
  func identity(under level: AnyObject?) -> Identity {
    guard let discriminator else { return Identity(type, number: 0, level) }
    return Identity(type, number: discriminator.identity, level)
  }

  package init(
    type: any Any.Type, name: KeyName? = nil, container: KeyName? = nil,
    declaration: Declaration? = nil
  ) {
    self.init(
      type,
      .of(name: name?.discriminator, container: container?.discriminator, declaration: declaration))
  }

  package static func made(
    _ type: any Any.Type, named name: borrowing (any Hashable & Sendable)?,
    scopedTo scope: (any Scope.Type)?, qualifiedBy qualifier: (any Qualifier.Type)?,
    in container: borrowing (any Hashable & Sendable)?
  ) -> AnyKey {
    if name == nil, scope == nil, qualifier == nil, container == nil { return AnyKey(plain: type) }
    return AnyKey(
      type: type, name: .made(of: name, scope: scope, qualifier: qualifier),
      container: .made(of: container))
  }

  package init(plain type: any Any.Type) { self.init(type, nil) }

  static func keys<each Needed>(for types: repeat (each Needed).Type) -> [AnyKey] {
    var keys: [AnyKey] = []
    for type in repeat each types { keys.append(AnyKey(plain: type)) }
    return keys
  }

  private init(_ type: any Any.Type, _ discriminator: Discriminator?) {
    self.type = type
    self.discriminator = discriminator
  }

  /// Creates a key for a type that is known only at run time.
  public init(
    type: any Any.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    self.init(
      type: type, name: name.map { KeyName($0) }, container: container.map { KeyName($0) })
  }

  /// Creates the key that is equal to a typed key.
  public init<Value>(_ key: Key<Value>) { self = key.erased }

  func ofType(_ type: any Any.Type) -> AnyKey {
    declaration == nil
      ? AnyKey(type, discriminator) : AnyKey(type: type, name: name, container: container)
  }

  /// `any Clock named "wall" in plugins`
  public var description: String {
    if let written { return "'\(written)'" }
    if let declared = declaration?.name { return "'\\.\(declared)'" }
    return "'\(TypeDescription.of(type))'" + qualification
  }

  /// The description without quotation marks, as a step of a path.
  package var step: String {
    if let declared = declaration?.name { return "\\.\(declared)" }
    return written ?? TypeDescription.of(type) + qualification
  }

  private var written: String? { (name?.base as? WrittenKey)?.text }

  private var qualification: String {
    var text = ""
    if let declaration { text += " declared at \(declaration.callSite)" }
    if let name { text += " named \(name)" }
    if let container { text += " in \(container)" }
    return text
  }

  /// The key of the type alone, if this is the own key of a declared dependency.
  package var undeclared: AnyKey? { declaration == nil ? nil : AnyKey(plain: type) }

  /// The key of `T`, if this is the key of a function `(P) -> T`: a provider resolves it.
  var madeByFunction: AnyKey? { FunctionType.result(of: type).map { ofType($0) } }

  /// Two keys are equal if they have the same type, equal names and equal containers.
  public static func == (left: AnyKey, right: AnyKey) -> Bool {
    guard ObjectIdentifier(left.type) == ObjectIdentifier(right.type) else { return false }
    guard let name = left.discriminator else { return right.discriminator == nil }
    guard let other = right.discriminator else { return false }
    return name.identity == other.identity
  }

  /// Hashes the identity of the type, and the name and the container.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    if let discriminator { hasher.combine(discriminator.hash) }
  }
}

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
    let name = finder.find(callSite)
    source.withLock { $0.foundName = .some(name) }
    return name
  }

  /// Looks up the name of the static at a place. Set by the adapter of a test framework.
  package static let nameFinder = Lock<NameFinder?>(nil)

  /// A structure, since each read of a function in a lock would wrap it once more.
  package struct NameFinder: Sendable {
    let find: @Sendable (CallSite) -> String?

    package init(_ find: @escaping @Sendable (CallSite) -> String?) { self.find = find }
  }

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

/// A key of a program that is not running. Only its text in the program's source is known.
package struct WrittenKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }
}

extension AnyKey {
  /// Creates a key that prints as a text. It cannot be requested.
  package init(written text: String) {
    self.init(type: WrittenKey.self, name: KeyName(WrittenKey(text)))
  }
}
