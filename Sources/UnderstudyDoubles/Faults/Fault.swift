// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The failure of a resolution that a test injects.
public struct Fault: Sendable {
  enum Effect: Sendable {
    case error(any Error)
    case delay(Duration)
  }

  let effects: [Effect]

  /// The resolution fails with an error.
  public static func throwing(_ error: any Error) -> Fault { Fault(effects: [.error(error)]) }

  /// The resolution takes longer. It blocks the thread meanwhile. Zero or less is no delay.
  public static func delay(_ duration: Duration) -> Fault { Fault(effects: [.delay(duration)]) }

  /// One fault after another, in order: a delay and then an error.
  public static func sequence(_ faults: Fault...) -> Fault {
    Fault(effects: faults.flatMap(\.effects))
  }
}

/// The resolutions that a fault strikes, counted from 1.
public struct FaultSchedule: Sendable {
  let seed: UInt64?
  /// False if it may strike nothing.
  let isExpected: Bool
  private let isHit: @Sendable (Int) -> Bool

  /// All resolutions.
  public static let every = FaultSchedule { _ in true }

  /// The resolution of this number.
  public static func nth(_ number: Int) -> FaultSchedule { FaultSchedule { $0 == number } }

  /// The resolutions up to this number.
  public static func first(_ count: Int) -> FaultSchedule {
    FaultSchedule(isExpected: count > 0) { $0 <= count }
  }

  /// The resolutions after this number.
  public static func after(_ count: Int) -> FaultSchedule { FaultSchedule { $0 > count } }

  /// The resolutions for which the list has `true`, and none after its end.
  public static func sequence(_ hits: [Bool]) -> FaultSchedule {
    FaultSchedule(isExpected: hits.contains(true)) { hits.indices.contains($0 - 1) && hits[$0 - 1] }
  }

  /// A share of the resolutions. The same seed chooses the same ones, and the message has the seed.
  ///
  /// - Parameters:
  ///   - share: The share that fails, from 0 to 1.
  ///   - seed: The seed. By default a random one.
  /// - Returns: The schedule.
  public static func flaky(_ share: Double, seed: UInt64 = .random(in: 0 ... .max)) -> FaultSchedule
  {
    FaultSchedule(seed: seed, isExpected: false) { number in
      Double(SeededGenerator(seed: seed).number(at: number) >> 11) / 0x1p53 < share
    }
  }

  private init(
    seed: UInt64? = nil, isExpected: Bool = true, _ isHit: @escaping @Sendable (Int) -> Bool
  ) {
    self.seed = seed
    self.isExpected = isExpected
    self.isHit = isHit
  }

  func hits(_ number: Int) -> Bool { isHit(number) }
}
