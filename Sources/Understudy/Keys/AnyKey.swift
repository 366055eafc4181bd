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

  /// The identity of the key in a table. It is valid while something retains the key.
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
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    self = .made(type, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
  }

  /// Creates the key that is equal to a typed key.
  public init<Value>(_ key: Key<Value>) { self = key.erased }

  func ofType(_ type: any Any.Type) -> AnyKey {
    declaration == nil
      ? AnyKey(type, discriminator) : AnyKey(type: type, name: name, container: container)
  }

  /// The text in messages: `'any Clock' named "wall" in plugins`, or `'\.clock'` for a declared
  /// dependency.
  public var description: String {
    own.map { "'\($0)'" } ?? "'\(TypeDescription.of(type))'" + qualification
  }

  /// The description without quotation marks, as a step of a path.
  package var step: String { own ?? TypeDescription.of(type) + qualification }

  /// The text of a key that is not described by its type.
  private var own: String? {
    (name?.base as? WrittenKey)?.text ?? declaration?.name.map { "\\.\($0)" }
  }

  private var qualification: String {
    var text = ""
    if let declaration { text += " declared at \(declaration.callSite)" }
    if let name { text += " named \(name)" }
    if let container { text += " in \(container)" }
    return text
  }

  /// The key of the registration, if this is the key of one of its instances.
  var whole: AnyKey? {
    guard let part = name?.base as? any NamingPart else { return nil }
    return AnyKey(type: type, name: part.whole, container: container)
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

/// A type that needs no registration of its own, because it is made of another type's values.
protocol AskingForOther {
  /// The type that is requested instead.
  static var askedType: any Any.Type { get }
}

/// A type that is made of the values of all registrations of the other type.
protocol AskingForAll: AskingForOther {}

/// A type that requests the other one later, when it is called.
protocol AskingLater: AskingForOther {}

extension Optional: AskingForOther {
  static var askedType: any Any.Type { Wrapped.self }
}

extension Array: AskingForAll {
  static var askedType: any Any.Type { Element.self }
}

extension AnyKey {
  /// The key that is requested instead, if there is one: for `[T]?`, the key of `[T]`.
  var implied: AnyKey? { (type as? any AskingForOther.Type).map { ofType($0.askedType) } }

  /// The key and all keys that it stands for: for `[T]?`, also `[T]` and `T`.
  var asked: [AnyKey] { [self] + (implied?.asked ?? []) }

  /// The key that is counted if this one has no registration and stands for another: for `[T]?`,
  /// the key of `T`.
  package var countedInstead: AnyKey? { implied.map { $0.countedInstead ?? $0 } }

  /// True if the key needs no registration, since it stands for another key.
  var mayBeMissing: Bool { type is any AskingForOther.Type }

  /// The keys whose registrations may be the elements, if this key stands for an array. The first
  /// key with a registration decides: for `[Provider<T>]`, the provider's key, or else that of `T`.
  var elements: [AnyKey] {
    guard let implied else { return [] }
    return type is any AskingForAll.Type ? implied.asElement : implied.elements
  }

  /// This key, then the keys whose registrations are the elements if this key has no registration.
  private var asElement: [AnyKey] {
    guard let implied, !(type is any AskingForAll.Type) else { return [self] }
    let made = type is any AskingLater.Type ? implied.madeByFunction : nil
    return [self] + implied.asElement + (made.map { [$0] } ?? [])
  }

  /// True if this key's registration is an element of an array that is requested as `other`: the
  /// types are equal, and this key has at least every part of the discriminator of `other`.
  func isElement(of other: AnyKey) -> Bool {
    guard type == other.type, declaration == nil else { return false }
    if let container = other.container, container != self.container { return false }
    return other.name.map { wanted in name?.includes(wanted) ?? false } ?? true
  }
}

extension KeyName {
  private var parts: [KeyName] { (base as? NamePath)?.parts ?? [self] }

  /// True if this name has at least every part of another one.
  package func includes(_ other: KeyName) -> Bool {
    self == other || Set(other.parts).isSubset(of: parts)
  }
}

/// A type of which some values are registered by another call than `register`.
package protocol RegisteredOtherwise {
  /// The call for a key, `set("server.url", …)`, and whether it throws when it is made on a
  /// resolver. `nil` if the call is `register`.
  static func registeringCall(for key: AnyKey) -> (text: String, throwsOnResolver: Bool)?
}

extension AnyKey {
  /// The code that overrides this key on a layer: `$0.register(named: "tea") { … as Int }`.
  ///
  /// - Parameters:
  ///   - layer: The expression for the layer.
  ///   - argument: The type of the passed argument, if there is one.
  func overrideCode(on layer: String = "$0", taking argument: (any Any.Type)? = nil) -> String {
    if let name = declaration?.name { return "\(layer).override(\\.\(name), with: …)" }
    return "\(layer).\(ownCall?.text ?? registerCall(taking: argument))"
  }

  /// The code that registers a cached value under this key.
  var cachedRegistrationCode: String {
    let labels = registrationLabels + ["lifecycle: .cached"]
    return
      "resolver.register(\(labels.joined(separator: ", "))) { … as \(TypeDescription.code(type)) }"
  }

  func registrationCode(taking argument: (any Any.Type)? = nil) -> String {
    guard let ownCall else { return "resolver.\(registerCall(taking: argument))" }
    return (ownCall.throwsOnResolver ? "try " : "") + "resolver.\(ownCall.text)"
  }

  private var ownCall: (text: String, throwsOnResolver: Bool)? {
    (type as? any RegisteredOtherwise.Type)?.registeringCall(for: self)
  }

  private func registerCall(taking argument: (any Any.Type)?) -> String {
    let parameter = argument.map { "(_: \(TypeDescription.code($0))) in " } ?? ""
    return "register\(labels) { \(parameter)… as \(TypeDescription.code(type)) }"
  }

  /// The further arguments of `register`, in parentheses: `(named: "tea")`.
  var labels: String {
    let labels = registrationLabels
    return labels.isEmpty ? "" : "(\(labels.joined(separator: ", ")))"
  }

  private var registrationLabels: [String] {
    (name?.labels ?? []) + (container.map { ["in: \($0.code)"] } ?? [])
  }

  /// The key without its scope.
  var unscoped: AnyKey { AnyKey(type: type, name: name?.unscoped, container: container) }

  /// The key as the first argument of a request: `\.mailer`, `(any Mailer).self`.
  package var argument: String {
    declaration.map { "\\.\($0.name ?? "…")" } ?? TypeDescription.metatype(of: type)
  }

  /// The key as the arguments of a request: `Int.self, named: "tea"`.
  package var arguments: String { argument + furtherArguments }

  /// The further arguments of a request: `, named: "tea"`.
  var furtherArguments: String { labels.isEmpty ? "" : ", \(labels.dropFirst().dropLast())" }

  /// True for another key with the same description.
  func isNamesake(of other: AnyKey) -> Bool {
    self != other && description == other.description
  }

  /// The text that tells this key from another one with the same description.
  func distinguished(from other: AnyKey) -> String {
    let type = type == other.type ? TypeDescription.of(type) : TypeDescription.inFull(type)
    var text = "'\(type)'"
    if let name { text += " named \(name.code)" }
    if let container { text += " in \(container.code)" }
    return text
  }
}
