// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Cases of enumerations with unknown raw values.
enum EnumerationCase {
  /// The first case of an enumeration with raw values; `nil` for every other type.
  ///
  /// Safety: a type whose metadata is of the kind of enumerations is one. One of a byte or less
  /// that is bitwise copyable, and has at least the case that its raw values are for, numbers its
  /// cases from zero, and the first is one byte of that, or no byte if there is no other.
  static func first<Value>(of type: Value.Type) -> Value? {
    guard type is any RawRepresentable.Type, _isPOD(type), MemoryLayout<Value>.size <= 1 else {
      return nil
    }
    let kind = unsafe unsafeBitCast(type as any Any.Type, to: UnsafePointer<UInt>.self).pointee
    guard kind == enumerationKind else { return nil }
    return unsafe withUnsafeBytes(of: UInt8(0)) { unsafe $0.load(as: type) }
  }

  /// What the metadata of an enumeration begins with, on every platform.
  private static let enumerationKind: UInt = 0x201
}
