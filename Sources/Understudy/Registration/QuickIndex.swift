// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of a resolver that are asked for by a type alone, or by a type and a text, found without a lock
/// and without counting a reference.
///
/// It shows some of what a table of registrations has, which keeps them: whoever finds nothing here asks that table.
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

  /// A look at what is asked for by a type and a text.
  @inline(__always)
  func look(at type: ObjectIdentifier, named text: String) -> QuickLook? {
    let word = QuickIndex.word(of: type, named: TextHash.of(text))
    guard let pass = unsafe gate.enter() else { return nil }
    var found = unsafe registration(word)
    if unsafe found?._withUnsafeGuaranteedRef({ $0.key.isOnly(type, named: text) }) == false {
      unsafe found = nil
    }
    return unsafe QuickLook(found, of: type, within: pass)
  }

  /// Shows one registration instead of another; `nil` is none. Whoever calls it keeps the older one meanwhile.
  ///
  /// Both are found by their own keys: keys of names that are equal, and of which one is no text, differ here.
  func replace(_ older: AnyRegistration?, with newer: AnyRegistration?) {
    guard older !== newer else { return }
    let olderWord = older.flatMap { QuickIndex.word(of: $0.key) }
    let newerWord = newer.flatMap { QuickIndex.word(of: $0.key) }
    guard olderWord != nil || newerWord != nil else { return }
    gate.close()
    defer { gate.open() }
    if let older, let word = olderWord, unsafe table.pointee[word] == QuickIndex.address(of: older)
    {
      unsafe table.pointee[word] = 0
    }
    // Two names may have one hash: the first to come is shown.
    if let newer, let word = newerWord, unsafe table.pointee[word] == 0 {
      unsafe table.pointee[word] = QuickIndex.address(of: newer)
    }
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
    AnyKey.hash(of: type, hash) | 1
  }

  private static func word(of key: AnyKey) -> UInt? {
    let type = ObjectIdentifier(key.type)
    if key.isPlain { return UInt(bitPattern: type) }
    return key.onlyName(of: type)?.textHash.map { word(of: type, named: $0) }
  }
}
