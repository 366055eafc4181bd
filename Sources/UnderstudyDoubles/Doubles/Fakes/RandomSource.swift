// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

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
    case scripted([UInt64], next: Int)
  }

  private let state: Lock<Rule>

  private init(_ rule: Rule) {
    state = Lock(rule)
  }

  /// The same numbers for the same seed, on every platform.
  public static func seeded(_ seed: UInt64) -> RandomSource {
    RandomSource(.seeded(SeededGenerator(seed: seed)))
  }

  /// These numbers, one after the other, and then from the first again.
  ///
  /// What is made of them may take several: `Int.random(in: 1...6, using:)` refuses a few numbers, such as 0 and
  /// `1 << 63`, and asks for the next. Of a script that has no others it asks for ever.
  public static func scripted(_ first: UInt64, _ others: UInt64...) -> RandomSource {
    RandomSource(.scripted([first] + others, next: 0))
  }

  /// The next number.
  public func next() -> UInt64 {
    state.withLock { rule in
      switch rule {
      case .seeded(var generator):
        defer { rule = .seeded(generator) }
        return generator.next()
      case .scripted(let values, let next):
        rule = .scripted(values, next: (next + 1) % values.count)
        return values[next]
      }
    }
  }
}

/// A random number generator that gives the same numbers for the same seed, on every platform.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, 2014). It is for tests: whoever knows one
/// number knows all that follow.
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
