// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The types that layers which are alive override something of, so that no request looks through
/// layers for what none of them overrides.
///
/// Types of one hash share a count: "no" is certain, "yes" is not. Relaxed order is enough: work
/// that has to know of an override was started, or notified, by an operation that is ordered after
/// the override was added.
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
