// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of a resolver that are asked for by a type alone, or by a type and a name, found without a lock.
///
/// It shows some of what a table of registrations has, which keeps them: whoever finds nothing here asks that table, and
/// has what is found there be shown. So what nobody asks for costs nothing here.
///
/// Safety of `@unchecked Sendable`: `table` is made before anyone can see this, freed in `deinit`, read by those
/// alone who are within the gate, and changed while the gate is closed, by one at a time: under the lock of the table
/// that keeps the registrations. What that table no longer has, or shows, is taken out here before anyone lets go of
/// it. So whatever a reader finds is alive until it has left the gate.
@safe
final class QuickIndex: @unchecked Sendable {
  private let gate = ReaderGate()
  /// The addresses of registrations.
  private let table: UnsafeMutablePointer<WordTable>

  init() {
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: WordTable())
  }

  deinit {
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  /// A look at what is asked for by a type alone.
  @inline(__always)
  func look(at type: ObjectIdentifier) -> QuickLook? {
    guard let pass = unsafe gate.enter() else { return nil }
    return unsafe QuickLook(registration(UInt(bitPattern: type)), of: type, within: pass)
  }

  /// A look at what is asked for by a type and a name that is told from others without code of a user's.
  @inline(__always)
  func look(at type: ObjectIdentifier, named name: QuickName) -> QuickLook? {
    let word = QuickIndex.word(of: type, named: name.hash)
    guard let pass = unsafe gate.enter() else { return nil }
    var found = unsafe registration(word)
    if unsafe found?._withUnsafeGuaranteedRef({ unsafe $0.unretainedKey.isOnly(type, named: name) })
      == false
    {
      unsafe found = nil
    }
    return unsafe QuickLook(found, of: type, within: pass)
  }

  /// A look at what is asked for by a type and any other name. Names are hashed and compared by code of a user's,
  /// outside the gate; one that is equal to a name of another type is not found.
  func look<Name: Hashable>(at type: ObjectIdentifier, named name: Name) -> QuickLook? {
    let word = QuickIndex.word(of: type, named: KeyName.ownHash(of: name))
    guard let pass = unsafe gate.enter() else { return nil }
    let found = unsafe registration(word)?.retain()
    unsafe ReaderGate.leave(pass)
    guard let found = unsafe found else { return nil }
    guard unsafe found._withUnsafeGuaranteedRef({ $0.key.isOnly(type, namedAs: name) }) else {
      unsafe found.release()
      return nil
    }
    return unsafe QuickLook(retained: found, of: type)
  }

  /// Shows a registration by the type and the name of its own key, if there is a place for it: of two names that have
  /// one hash the first to come is shown. Whoever calls this keeps it until it is hidden.
  @unsafe
  func show(_ registration: AnyRegistration) {
    guard let word = QuickIndex.word(of: registration.key), unsafe table.pointee[word] == 0 else {
      return
    }
    change { $0[word] = QuickIndex.address(of: registration) }
  }

  /// Shows a registration no longer, if it is shown. Whoever calls this keeps it meanwhile.
  func hide(_ registration: AnyRegistration) {
    guard let word = QuickIndex.word(of: registration.key),
      unsafe table.pointee[word] == QuickIndex.address(of: registration)
    else { return }
    change { $0[word] = 0 }
  }

  private func change(_ body: (inout WordTable) -> Void) {
    gate.close()
    unsafe body(&table.pointee)
    gate.open()
  }

  /// What is shown for a word, to those who are within the gate.
  @inline(__always)
  private func registration(_ word: UInt) -> Unmanaged<AnyRegistration>? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: table.pointee[word]) else { return nil }
    return unsafe .fromOpaque(address)
  }

  private static func address(of registration: AnyRegistration) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(registration).toOpaque())
  }

  /// A type is aligned, so its address is even, and no name's word is.
  private static func word(of type: ObjectIdentifier, named hash: Int) -> UInt {
    (UInt(bitPattern: type) ^ UInt(bitPattern: hash)) | 1
  }

  private static func word(of key: AnyKey) -> UInt? {
    let type = ObjectIdentifier(key.type)
    if key.isPlain { return UInt(bitPattern: type) }
    return key.onlyName(of: type).map { word(of: type, named: $0.distinction.ownHash) }
  }
}
