// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The types with an override in a live layer, so that no request searches layers for other types.
/// Types of one hash share a count: "no" is certain, "yes" is not. Relaxed order is enough, since
/// work that must know of an override starts, or is notified, after it was added.
enum OverriddenTypes {
  static func add(_ key: AnyKey) { count(of: key).add(1) }
  static func remove(_ key: AnyKey) { count(of: key).subtract(1) }

  /// False if nothing of the key's type is overridden anywhere.
  static func mayHave(_ key: AnyKey) -> Bool { count(of: key).relaxedValue != 0 }

  private static func count(of key: AnyKey) -> AtomicInt {
    let bits = UInt64(UInt(bitPattern: ObjectIdentifier(key.type))) &* 0x9E37_79B9_7F4A_7C15
    return AtomicInt.overrides(UInt8(bits >> 56))
  }
}
