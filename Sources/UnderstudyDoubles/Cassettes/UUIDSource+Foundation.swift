// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation

// Beside the cassettes because this folder alone may use Foundation.
extension UUIDSource {
  /// The number of a UUID, its first byte the highest.
  package static func number(of uuid: UUID) -> UInt128 {
    // The text of a UUID is 32 hexadecimal digits.
    UInt128(uuid.uuidString.filter { $0 != "-" }, radix: 16) ?? 0
  }

  /// The next UUID as Foundation has it.
  public func uuid() -> UUID {
    // The text of 128 bits is a UUID by construction.
    UUID(uuidString: nextText()) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
