// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The exit status of the process.
public enum ProgramStatus: Int32, Hashable, Sendable, CaseIterable {
  /// The command succeeded.
  case done = 0
  /// The sale was refused.
  case refused = 1
  /// The command line is wrong.
  case usage = 2
  /// A file cannot be read or written, or has the wrong contents.
  case file = 3
}

extension BoxOfficeError {
  /// The exit status of the process.
  public var status: ProgramStatus {
    switch self {
    case .noCommand, .unknownCommand, .unknownOption, .unexpectedWord, .valueMissing,
      .optionRepeated, .optionMissing, .notASeat, .seatRepeated, .notADiscount, .unknownProfile,
      .profile:
      .usage
    case .noSuchPerformance, .begun, .soldOut, .noSuchSeats, .seatsTaken: .refused
    case .unknownSetting, .unknownService, .badSetting, .unreadable, .malformedSeason,
      .damagedSales, .unwritable, .receiptNotWritten, .storeTouched:
      .file
    }
  }
}
