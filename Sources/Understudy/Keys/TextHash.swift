// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The hash of a text that is a name. Most are short and ASCII, and hashing those with the standard library's hash
/// function, which withstands texts that are chosen by an attacker, takes longer than all else that a resolution
/// by name does. Names are chosen by the program.
enum TextHash {
  /// The hash of a text; texts that are equal have the same.
  static func of(_ text: String) -> Int {
    // Not by a key path, which a debug build would look up.
    unsafe (text.utf8.withContiguousStorageIfAvailable { unsafe ofASCII($0) } ?? nil)
      ?? ofOther(text)
  }

  /// The hash of code units that are all ASCII; two such texts are equal if these are. Eight are taken at a time.
  ///
  /// Safety: what is read lies within the buffer, which is there until this returns.
  private static func ofASCII(_ units: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = units.baseAddress else { return 0 }
    let count = units.count
    var hash = UInt64(truncatingIfNeeded: count)
    var seen: UInt64 = 0
    var index = 0
    while index &+ 8 <= count {
      let word = unsafe UnsafeRawPointer(first).loadUnaligned(
        fromByteOffset: index, as: UInt64.self)
      seen |= word
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 32
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = unsafe rest &<< 8 | UInt64(first[index])
      index &+= 1
    }
    seen |= rest
    hash = (hash ^ rest) &* 0x9E37_79B9_7F4A_7C15
    return seen & 0x8080_8080_8080_8080 == 0 ? Int(truncatingIfNeeded: hash ^ hash &>> 32) : nil
  }

  /// The hash of a text that is not ASCII, or does not lie in one piece.
  ///
  /// Texts are equal if they are canonically equivalent, and three characters are that to one of ASCII. What is
  /// ASCII but for those has the hash of what it is equal to.
  private static func ofOther(_ text: String) -> Int {
    let units = text.unicodeScalars.map { twins[$0] ?? $0 }
    guard units.allSatisfy(\.isASCII) else { return text.hashValue }
    return unsafe units.map { UInt8(truncatingIfNeeded: $0.value) }
      .withUnsafeBufferPointer { unsafe ofASCII($0) } ?? text.hashValue
  }

  /// The characters beyond ASCII that are canonically equivalent to one of it.
  static let twins: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{037E}": ";", "\u{1FEF}": "`", "\u{212A}": "K",
  ]
}
