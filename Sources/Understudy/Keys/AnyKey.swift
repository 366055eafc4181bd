// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A key whose type is known only at run time.
///
/// Two keys are equal if they ask for the same type, by identity and never by the type's name, under
/// equal names in equal containers (G9-22, G9-24).
public struct AnyKey: Hashable, Sendable, CustomStringConvertible {
  /// The type that is asked for.
  public let type: any Any.Type
  /// What tells the key from others of its type, if anything does: most keys have nothing.
  private let distinction: KeyDistinction?

  /// The key without a reference counted to what tells it from others.
  ///
  /// Safety: whoever has one says who keeps the key that it was made of.
  @safe
  package struct Unretained: Sendable {
    private let type: any Any.Type
    private let distinction: Unmanaged<KeyDistinction>?

    @inline(__always)
    package init(_ key: AnyKey) {
      type = key.type
      unsafe distinction = key.distinction.map { unsafe .passUnretained($0) }
    }

    /// True if nothing but the type tells the key from others.
    var isPlain: Bool { unsafe distinction == nil }

    /// True if the key asks for a type under a name that is this one for certain, in no container. Somebody keeps it.
    @unsafe @inline(__always)
    func isOnly(_ type: ObjectIdentifier, named name: QuickName) -> Bool {
      guard ObjectIdentifier(self.type) == type, let distinction = unsafe distinction else {
        return false
      }
      return unsafe distinction._withUnsafeGuaranteedRef { distinction in
        guard distinction.isName else { return false }
        return name.isName(of: distinction)
      }
    }

    /// The key, for as long as somebody keeps it.
    @unsafe package var key: AnyKey { unsafe AnyKey(type, distinction?.takeUnretainedValue()) }
  }

  private init(_ type: any Any.Type, _ distinction: KeyDistinction?) {
    self.type = type
    self.distinction = distinction
  }

  package var name: KeyName? { distinction.flatMap { KeyName(of: $0) } }
  package var container: KeyName? { distinction?.container }
  /// The subject of what tells the key from others, if anything does.
  var distinctSubject: Int? { distinction?.subject }
  /// The declared dependency that this key asks for, if it is one's own key.
  package var declaration: Declaration? { distinction?.declaration }

  package init(
    type: any Any.Type, name: KeyName? = nil, container: KeyName? = nil,
    declaration: Declaration? = nil
  ) {
    self.type = type
    distinction =
      container == nil && declaration == nil
      ? name?.alone : KeyDistinction(name, container, declaration)
  }

  /// A key that only its type tells from others.
  package init(plain type: any Any.Type) {
    self.type = type
    distinction = nil
  }

  /// Makes a key for a type known only at run time.
  ///
  /// - Parameters:
  ///   - type: What is asked for.
  ///   - name: Tells registrations of one type apart.
  ///   - container: Groups registrations.
  public init(
    type: any Any.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    self.init(
      type: type, name: name.map { KeyName($0) }, container: container.map { KeyName($0) })
  }

  /// Makes a key that asks for the same as a typed one. Never fails (G9-23).
  public init<Value>(_ key: Key<Value>) {
    self = key.erased
  }

  /// `any Clock named "wall" in plugins`
  public var description: String {
    if let written { return "'\(written)'" }
    return "'\(TypeDescription.of(type))'" + qualification
  }

  /// The same without quotation marks, as a step of a path.
  package var step: String { written ?? TypeDescription.of(type) + qualification }

  private var written: String? { (name?.base as? WrittenKey)?.text }

  private var qualification: String {
    var text = ""
    if let declaration { text += " declared at \(declaration.callSite)" }
    if let name { text += " named \(name)" }
    if let container { text += " in \(container)" }
    return text
  }

  /// The bare type, if this is a declared dependency's own key.
  package var undeclared: AnyKey? { declaration == nil ? nil : AnyKey(plain: type) }

  /// What a provider of a function asks for, if this is a function's key: of `(P) -> T`, `T`.
  var madeByFunction: AnyKey? {
    FunctionType.result(of: type).map { AnyKey(type: $0, name: name, container: container) }
  }

  /// True if nothing but the type tells this key from others.
  package var isPlain: Bool { distinction == nil }

  /// Two keys are equal if they ask for the same.
  public static func == (left: AnyKey, right: AnyKey) -> Bool {
    left.type == right.type
      && (left.distinction === right.distinction
        || left.declaration?.identity == right.declaration?.identity
          && left.name == right.name && left.container == right.container)
  }

  /// Hashes what tells the key from others.
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// What a table finds this key by. Names are hashed well already.
  var hash: UInt {
    AnyKey.hash(
      of: ObjectIdentifier(type), distinction?.hash ?? 0, container?.hash ?? 0,
      declaration?.identity ?? 0)
  }

  static func hash(
    of type: ObjectIdentifier, _ name: Int, _ container: Int = 0, _ declaration: Int = 0
  ) -> UInt {
    // Not a loop: a debug build makes an array of the parts, and takes longer for that than for all the rest.
    var hash = mixed(UInt64(UInt(bitPattern: type)), name)
    // Few have either.
    if container != 0 { hash = mixed(hash, container) }
    if declaration != 0 { hash = mixed(hash, declaration) }
    return UInt(truncatingIfNeeded: hash)
  }

  @inline(__always)
  private static func mixed(_ hash: UInt64, _ part: Int) -> UInt64 {
    let product = (hash ^ UInt64(UInt(bitPattern: part))) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// True if this key asks for a type under a name, in no container.
  func isOnly(
    _ type: ObjectIdentifier, named name: any Hashable & Sendable, _ quick: QuickName?
  ) -> Bool {
    onlyName(of: type)?.isEqual(to: name, quick) ?? false
  }

  /// True if this key asks for a type under a name of the type of a value that is equal to it, in no container.
  func isOnly<Name: Hashable>(_ type: ObjectIdentifier, namedAs name: Name) -> Bool {
    onlyName(of: type)?.isOne(with: name) ?? false
  }

  /// The name, if this key asks for a type in no container.
  @inline(__always)
  func onlyName(of type: ObjectIdentifier) -> KeyName? {
    guard ObjectIdentifier(self.type) == type, let distinction, distinction.isName else {
      return nil
    }
    return KeyName(of: distinction)
  }
}

/// The identity of one declared dependency: the place where it is declared.
///
/// So a computed static, which makes its `Dependency` anew for each access, is one dependency.
package final class Declaration: Sendable {
  package let callSite: CallSite
  /// The same number for every declaration at one place.
  package let identity: Int
  private let source = Lock(DeclaredObject())

  private struct DeclaredObject {
    weak var object: (any AnyObject & Sendable)?
  }

  package init(at callSite: CallSite) {
    self.callSite = callSite
    identity = Declaration.places.withLock { places in
      let identity = places[callSite] ?? places.count + 1
      places[callSite] = identity
      return identity
    }
  }

  private static let places = Lock<[CallSite: Int]>([:])

  /// What was declared: production's default for the key.
  package var declared: (any AnyObject & Sendable)? {
    get { source.withLock { $0.object } }
    set { source.withLock { $0.object = newValue } }
  }
}
