// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
public import UnderstudyDoubles

/// A random number generator that can be shared between tasks.
///
/// ```swift
/// @Inject(\.randomNumberGenerator) var random
/// let side = random.using { Int.random(in: 1...6, using: &$0) }
/// ```
public protocol SharedRandomness: RandomNumberGenerator, Sendable {
  /// The next number.
  func next() -> UInt64
}

extension SharedRandomness {
  /// Calls `body` with a generator that it may pass on with `&`. That generator shares the numbers
  /// of this one.
  public func using<Result, Failure: Error>(
    _ body: (inout any RandomNumberGenerator) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var generator: any RandomNumberGenerator = self
    return try body(&generator)
  }
}

/// The system's random numbers.
public struct SystemRandomness: SharedRandomness {
  /// Makes the generator.
  public init() {}

  /// A random number.
  public func next() -> UInt64 {
    var system = SystemRandomNumberGenerator()
    return system.next()
  }
}

extension RandomSource: SharedRandomness {}

extension SharedRandomness where Self == RandomSource {
  /// The same numbers for the same seed, on every platform.
  public static func seeded(_ seed: UInt64) -> RandomSource { RandomSource.seeded(seed) }

  /// The same number every time: see `RandomSource.constant(_:)`.
  public static func constant(_ value: UInt64) -> RandomSource { RandomSource.constant(value) }

  /// These numbers, in order. A script that runs out is an issue of the test.
  public static func scripted(
    _ first: UInt64, _ others: UInt64..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> RandomSource {
    RandomSource.scripted([first] + others, at: CallSite(fileID, filePath, line, column))
  }
}

extension Dependencies {
  /// The random number generator.
  public static var randomNumberGenerator: Dependency<any SharedRandomness> { declaredRandomness }
}

private let declaredRandomness = Dependency<any SharedRandomness>(
  inTests: .mustBeOverridden, function: "randomNumberGenerator"
) {
  SystemRandomness()
}
