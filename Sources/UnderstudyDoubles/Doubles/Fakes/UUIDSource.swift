// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake source of UUIDs: counted, seeded or scripted, so that a test can name them.
///
/// `uuid()` returns Foundation's `UUID`.
public struct UUIDSource: Sendable {
  private enum Rule {
    case counting(UUIDBits)
    case random(SeededGenerator)
    case scripted(Script<UUIDBits>)

    mutating func next() -> (UUIDBits, exhausted: ScriptEnd?) {
      switch self {
      case .counting(let bits):
        self = .counting(bits.next)
        return (bits, nil)
      case .random(var generator):
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(0b11 << 62) | 0b10 << 62
        self = .random(generator)
        return (UUIDBits(high: high, low: low), nil)
      case .scripted(var script):
        defer { self = .scripted(script) }
        return script.next()
      }
    }
  }

  private let state: Lock<Rule>

  private init(_ rule: Rule) {
    state = Lock(rule)
  }

  /// Numbers in order: `00000000-0000-0000-0000-000000000001`, and so on.
  public static func counting(from first: UInt64 = 1) -> UUIDSource {
    UUIDSource(.counting(UUIDBits(low: first)))
  }

  /// Random UUIDs of version 4, the same ones for the same seed on every platform.
  public static func seeded(_ seed: UInt64) -> UUIDSource {
    UUIDSource(.random(SeededGenerator(seed: seed)))
  }

  /// The same UUID every time, from its number.
  public static func constant(_ value: UInt64) -> UUIDSource { constant(UUIDBits(low: value)) }

  static func constant(_ bits: UUIDBits) -> UUIDSource {
    UUIDSource(.scripted(Script([bits])))
  }

  /// These UUIDs, in order, from their numbers.
  ///
  /// A script that runs out is an issue of the test. It then starts again with its first UUID, so
  /// the code under test can go on.
  public static func scripted(
    _ first: UInt64, _ others: UInt64..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> UUIDSource {
    scripted(
      ([first] + others).map { UUIDBits(low: $0) }, at: CallSite(fileID, filePath, line, column))
  }

  static func scripted(_ values: [UUIDBits], at callSite: CallSite) -> UUIDSource {
    let endless = "'.constant(…)', '.counting()' or '.seeded(…)'"
    return UUIDSource(.scripted(Script(values, of: "UUIDs", endless: endless, madeAt: callSite)))
  }

  /// The next UUID as a number, its first byte the highest.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func next() -> UInt128 {
    let bits = nextBits()
    return UInt128(bits.high) << 64 | UInt128(bits.low)
  }

  func nextBits() -> UUIDBits {
    let (bits, exhausted) = state.withLock { $0.next() }
    exhausted?.report()
    return bits
  }

  /// The next UUID as text, in capitals as Foundation prints it.
  public func nextText() -> String {
    nextBits().text
  }
}

/// The bits of a UUID. (`UInt128` needs macOS 15 and iOS 18.)
struct UUIDBits: Equatable, Sendable {
  var high: UInt64 = 0
  var low: UInt64

  /// The next number, which is zero after the greatest.
  var next: UUIDBits {
    let (low, overflows) = low.addingReportingOverflow(1)
    return UUIDBits(high: overflows ? high &+ 1 : high, low: low)
  }

  /// As Foundation prints it.
  var text: String {
    let digits = [high, low].map { half in
      let digits = String(half, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let all = Array(digits.joined())
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }
    return parts.joined(separator: "-")
  }
}
