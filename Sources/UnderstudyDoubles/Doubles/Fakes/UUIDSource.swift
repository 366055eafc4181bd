// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// A fake source of UUIDs: counted, seeded or scripted, so that a test can name them.
///
/// `uuid()` returns Foundation's `UUID`.
public struct UUIDSource: Sendable {
  private enum Rule {
    case counting(UInt128)
    case random(SeededGenerator)
    case scripted(Script<UInt128>)

    mutating func next() -> (UInt128, exhausted: ScriptEnd?) {
      switch self {
      case .counting(let value):
        self = .counting(value &+ 1)
        return (value, nil)
      case .random(var generator):
        let value = UInt128(generator.next()) << 64 | UInt128(generator.next())
        self = .random(generator)
        let version = UInt128(0xF) << 76
        let variant = UInt128(0b11) << 62
        return (value & ~version & ~variant | UInt128(4) << 76 | UInt128(0b10) << 62, nil)
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
  public static func counting(from first: UInt128 = 1) -> UUIDSource {
    UUIDSource(.counting(first))
  }

  /// Random UUIDs of version 4, the same ones for the same seed on every platform.
  public static func seeded(_ seed: UInt64) -> UUIDSource {
    UUIDSource(.random(SeededGenerator(seed: seed)))
  }

  /// The same UUID every time.
  public static func constant(_ value: UInt128) -> UUIDSource {
    UUIDSource(.scripted(Script([value])))
  }

  /// These UUIDs, in order.
  ///
  /// A script that runs out is an issue of the test. It then starts again with its first UUID, so
  /// the code under test can go on.
  public static func scripted(
    _ first: UInt128, _ others: UInt128..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> UUIDSource {
    scripted([first] + others, at: CallSite(fileID, filePath, line, column))
  }

  package static func scripted(_ values: [UInt128], at callSite: CallSite) -> UUIDSource {
    UUIDSource(.scripted(Script(values, of: "UUIDs", madeAt: callSite)))
  }

  /// The next UUID as a number, its first byte the highest.
  public func next() -> UInt128 {
    let (value, exhausted) = state.withLock { $0.next() }
    exhausted?.report()
    return value
  }

  /// The next UUID as text, in capitals as Foundation prints it.
  public func nextText() -> String {
    Self.text(of: next())
  }

  static func text(of value: UInt128) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    let padded = Array(String(repeating: "0", count: 32 - digits.count) + digits)
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(padded[$0]) }
    return parts.joined(separator: "-")
  }
}
