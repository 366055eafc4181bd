// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The reason of a failure, as facts. `description` has the prose.
public enum BoxOfficeError: Error, Hashable, Sendable {
  // MARK: The command line is wrong

  /// There was no command.
  case noCommand(known: [String])
  /// There is no such command.
  case unknownCommand(String, known: [String])
  /// The command has no such option.
  case unknownOption(String, command: String, known: [String])
  /// A word appeared in the place of an option.
  case unexpectedWord(String, command: String)
  /// An option had no value.
  case valueMissing(option: String)
  /// An option was given twice.
  case optionRepeated(String)
  /// A required option was missing.
  case optionMissing(String, command: String)
  /// A seat was not written as a row and a number.
  case notASeat(String)
  /// A seat was named twice in one sale.
  case seatRepeated(String)
  /// A discount was not a whole number from 1 to 100.
  case notADiscount(String)

  /// The program offers no such profile.
  case unknownProfile(String, known: [String])
  /// No profile was started, for another reason.
  case profile(String)

  // MARK: The sale is refused

  /// The season has no such performance.
  case noSuchPerformance(String, known: [String])
  /// The performance has begun.
  case begun(performance: String, at: String)
  /// Every seat is sold.
  case soldOut(performance: String)
  /// The house has no such seats.
  case noSuchSeats([String], performance: String, rows: [String])
  /// The seats were sold before.
  case seatsTaken([String], performance: String)

  // MARK: A file is wrong

  /// There is no such setting.
  case unknownSetting(String, provenance: String, known: [String])
  /// A file of services defines one that the program does not use.
  case unknownService(String, file: String, known: [String])
  /// A setting has a value that is not allowed.
  case badSetting(String, problem: String)
  /// A file cannot be read.
  case unreadable(file: String, reason: String)
  /// The season file is not a season.
  case malformedSeason(file: String, place: String?, problem: String)
  /// The file of the sales was not written by this program.
  case damagedSales(file: String, place: String?, problem: String)
  /// Sales cannot be written.
  case unwritable(path: String, reason: String)
  /// The sale is stored, but its receipt was not written.
  case receiptNotWritten(sale: Int, reason: String)
  /// The sales file changed while a rehearsal ran.
  case storeTouched(path: String)
}
