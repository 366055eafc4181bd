// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
public import UnderstudyDoubles

extension Clock where Self == ImmediateClock {
  /// A clock on which no task waits.
  public static var immediate: ImmediateClock { ImmediateClock() }
}

extension Clock where Self == ManualClock {
  /// A clock that stands still until the test moves it.
  ///
  /// If your test moves the clock, create it before the layer: `let clock = ManualClock()`.
  public static func manual(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ManualClock {
    ManualClock(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Dependencies {
  /// The clock that goes on while the system sleeps.
  public static var continuousClock: Dependency<any Clock<Duration>> { declaredContinuousClock }

  /// The clock that stands still while the system sleeps.
  public static var suspendingClock: Dependency<any Clock<Duration>> { declaredSuspendingClock }
}

private let declaredContinuousClock = Dependency<any Clock<Duration>>(
  inTests: .mustBeOverridden, function: "continuousClock"
) {
  ContinuousClock()
}
private let declaredSuspendingClock = Dependency<any Clock<Duration>>(
  inTests: .mustBeOverridden, function: "suspendingClock"
) {
  SuspendingClock()
}
