// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// A fake source of randomness that can be shared: seeded, or scripted number by number.
///
/// Copies share one sequence. Where calls race, which of them gets which number is open; every
/// number is given once.
///
/// ```swift
/// var dice = RandomSource.seeded(42)
/// Int.random(in: 1...6, using: &dice)
/// ```
public struct RandomSource: RandomNumberGenerator, Sendable {
  private enum Rule {
    case seeded(SeededGenerator)
    case scripted(Script<UInt64>)

    mutating func next() -> (UInt64, exhausted: ScriptEnd?) {
      switch self {
      case .seeded(var generator):
        defer { self = .seeded(generator) }
        return (generator.next(), nil)
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

  /// The same numbers for the same seed, on every platform.
  public static func seeded(_ seed: UInt64) -> RandomSource {
    RandomSource(.seeded(SeededGenerator(seed: seed)))
  }

  /// The same number every time.
  ///
  /// What is made of numbers may refuse some: `Int.random(in: 1...6, using:)` asks again for a few
  /// of them, such as 0 and `1 << 63`. Of a constant that it refuses it asks for ever.
  public static func constant(_ value: UInt64) -> RandomSource {
    RandomSource(.scripted(Script([value])))
  }

  /// These numbers, in order.
  ///
  /// A script that runs out is an issue of the test. It then starts again from the first, so that
  /// the code under test can go on. One random value may take several numbers: see `constant(_:)`.
  public static func scripted(
    _ first: UInt64, _ others: UInt64..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> RandomSource {
    scripted([first] + others, at: CallSite(fileID, filePath, line, column))
  }

  package static func scripted(_ values: [UInt64], at callSite: CallSite) -> RandomSource {
    RandomSource(.scripted(Script(values, of: "random numbers", madeAt: callSite)))
  }

  /// The next number.
  public func next() -> UInt64 {
    let (value, exhausted) = state.withLock { $0.next() }
    exhausted?.report()
    return value
  }
}

/// A random number generator that gives the same numbers for the same seed, on every platform.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, 2014). It is for tests only: from one
/// number, all later ones can be computed.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Makes a generator; every seed is as good as any other.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
