// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Cases of enumerations with unknown raw values.
enum EnumerationCase {
  /// The first case of an enumeration with raw values, or `nil` for any other type.
  ///
  /// Safety: a type with the metadata kind of an enumeration is an enumeration. If it is bitwise
  /// copyable, has at most one byte and at least the case of its raw values, its cases are numbered
  /// from zero. The first is a zero byte, or no byte if it is the only one.
  static func first<Value>(of type: Value.Type) -> Value? {
    guard type is any RawRepresentable.Type, _isPOD(type), MemoryLayout<Value>.size <= 1 else {
      return nil
    }
    let kind = unsafe unsafeBitCast(type as any Any.Type, to: UnsafePointer<UInt>.self).pointee
    guard kind == enumerationKind else { return nil }
    return unsafe withUnsafeBytes(of: UInt8(0)) { unsafe $0.load(as: type) }
  }

  /// The first word of an enumeration's metadata, on every platform.
  private static let enumerationKind: UInt = 0x201
}
