// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A name that is told from others without running code of a user's, so that it may be told wherever no such code may
/// run: a text, or a small value that is nothing but its bits, as a number and the case of an enumeration are.
enum QuickName: Sendable {
  case text(String)
  case bits(NameBits)

  /// The name that a value makes, if it is one.
  init?<Value>(_ value: Value) {
    if let text = QuickName.text(of: value) {
      self = .text(text)
    } else if let bits = NameBits(value) {
      self = .bits(bits)
    } else {
      return nil
    }
  }

  /// Equal names have the same.
  var hash: Int {
    switch self {
    case .text(let text): TextHash.of(text)
    case .bits(let bits): bits.hash
    }
  }

  /// True if the name that a key has is this one for certain; that it is not may be for its own `==` to say.
  @inline(__always)
  func isName(of other: KeyDistinction) -> Bool {
    switch self {
    case .text(let text): other.isText(text)
    case .bits(let bits): other.bits == bits
    }
  }

  /// The value, if it is a text.
  ///
  /// Safety: the cast is between two names of one type, which is compared; a checked one takes longer than all
  /// the rest.
  static func text<Value>(of value: Value) -> String? {
    unsafe Value.self == String.self ? unsafeBitCast(value, to: String.self) : nil
  }
}

/// The bits of a value that is nothing else and no larger than a word, and its type.
///
/// Two of the same type and bits were made of the same value. Those of equal values may differ: zeros have signs, and
/// a type may say of others that they are equal.
struct NameBits: Equatable, Sendable {
  let type: ObjectIdentifier
  let word: UInt

  /// The bits of a value; `nil` if it is larger, or has a reference to something.
  ///
  /// Safety: as many bytes are copied as the value has, which the word has room for.
  init?<Value>(_ value: Value) {
    guard _isPOD(Value.self), MemoryLayout<Value>.size <= MemoryLayout<UInt>.size else {
      return nil
    }
    type = ObjectIdentifier(Value.self)
    var word: UInt = 0
    unsafe withUnsafeBytes(of: value) { bytes in
      unsafe withUnsafeMutableBytes(of: &word) { unsafe $0.copyMemory(from: bytes) }
    }
    self.word = word
  }

  /// That of the first cases of two enumerations differs.
  var hash: Int {
    let product = UInt64(word &+ UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product ^ product &>> 32)
  }
}
