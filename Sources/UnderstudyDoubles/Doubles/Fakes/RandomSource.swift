// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// A fake source of randomness that can be shared: seeded, or scripted number by number.
///
/// Copies share one sequence, and each number of it is used once. If calls race, it is not defined
/// which call gets which number.
///
/// ```swift
/// var dice = RandomSource.seeded(42)
/// Int.random(in: 1...6, using: &dice)
/// ```
public struct RandomSource: RandomNumberGenerator, Sendable {
  private enum Rule {
    case seeded(SeededGenerator)
    case scripted(Script<UInt64>)

    mutating func next() -> (UInt64, exhausted: ScriptEnd?, isStuck: Bool) {
      switch self {
      case .seeded(var generator):
        defer { self = .seeded(generator) }
        return (generator.next(), nil, false)
      case .scripted(var script):
        let (value, exhausted) = script.next()
        let isStuck = script.repeats == RandomSource.patience
        self = isStuck ? .seeded(SeededGenerator(seed: value)) : .scripted(script)
        return (value, exhausted, isStuck)
      }
    }
  }

  /// The number of repeated numbers after which the caller probably rejects all of them.
  private static var patience: Int { 1_000_000 }

  private let state: Lock<Rule>
  private let end: LayerEnd?

  private init(_ rule: Rule) {
    state = Lock(rule)
    if case .scripted = rule { end = LayerEnd.adopt() } else { end = nil }
  }

  /// The same numbers for the same seed, on every platform.
  public static func seeded(_ seed: UInt64) -> RandomSource {
    RandomSource(.seeded(SeededGenerator(seed: seed)))
  }

  /// The same number every time.
  ///
  /// The code under test may refuse some numbers. `Int.random(in: 1...6, using:)` refuses a few,
  /// such as 0 and `1 << 63`, and takes the next one. A constant that is repeated a million times
  /// is an issue of the test. Other numbers follow, so the code under test can go on.
  public static func constant(_ value: UInt64) -> RandomSource {
    RandomSource(.scripted(Script([value])))
  }

  /// These numbers, in order.
  ///
  /// A script that runs out is an issue of the test. It then starts again with its first number, so
  /// the code under test can go on. One random value may take several numbers: see `constant(_:)`.
  public static func scripted(
    _ first: UInt64, _ others: UInt64..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> RandomSource {
    scripted([first] + others, at: CallSite(fileID, filePath, line, column))
  }

  package static func scripted(_ values: [UInt64], at callSite: CallSite) -> RandomSource {
    let endless = "'.constant(…)' or '.seeded(…)'"
    return RandomSource(
      .scripted(Script(values, of: "random numbers", endless: endless, madeAt: callSite)))
  }

  /// The next number.
  public func next() -> UInt64 {
    let (value, exhausted, isStuck) = state.withLock { $0.next() }
    exhausted?.report()
    if isStuck { reportLoop(of: value) }
    return value
  }

  private func reportLoop(of value: UInt64) {
    end?.report(
      Message(
        "A million random numbers were repeated, the last of them \(value): "
          + "the caller may reject them.",
        remedies: [
          "Choose other numbers.", "Let a seed choose:  .seeded(1)",
        ]),
      at: .unknown)
  }
}

/// A random number generator that returns the same numbers for the same seed, on every platform.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, 2014). It is for tests only: from one
/// number, all later ones can be computed.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  /// Creates a generator. Every seed is as good as any other.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= Self.step
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A later number, by its position from 1.
  func number(at position: Int) -> UInt64 {
    var generator = SeededGenerator(seed: state &+ UInt64(position - 1) &* Self.step)
    return generator.next()
  }
}
