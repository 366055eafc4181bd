// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

extension BoxOfficeError: CustomStringConvertible {
  /// The problem, in one sentence or two.
  public var description: String {
    switch self {
    case .noCommand(let known): "No command. \(choice(of: known))"
    case .unknownCommand(let word, let known):
      "No command '\(word)'. \(suggestion(for: word, known))"
    case .unknownOption(let word, let command, let known):
      "'\(command)' has no option '\(word)'. \(suggestion(for: word, known))"
    case .unexpectedWord(let word, let command):
      "'\(command)' does not take '\(word)': every value follows its option."
    case .valueMissing(let option): "'\(option)' needs a value."
    case .optionRepeated(let option): "'\(option)' is there twice."
    case .optionMissing(let option, let command): "'\(command)' needs '\(option)'."
    case .notASeat(let word):
      "'\(word)' is not a seat: write a row and a number, such as A1, and a comma between seats."
    case .seatRepeated(let seat): "Seat \(seat) is there twice."
    case .notADiscount(let word):
      "'\(word)' is not a discount: write a whole number of per cent, from 1 to 100."
    case .unknownProfile(let word, let known):
      "No profile '\(word)'. \(choice(of: known))"
    case .profile(let problem): problem
    default: refusal
    }
  }

  private var refusal: String {
    switch self {
    case .noSuchPerformance(let id, let known):
      "No performance '\(id)'. \(suggestion(for: id, known))"
    case .begun(let performance, let start):
      "'\(performance)' began at \(start); its seats are no longer sold."
    case .soldOut(let performance): "'\(performance)' is sold out."
    case .noSuchSeats(let seats, let performance, let rows):
      "No \(named(seats)) for '\(performance)'. The house has \(list(rows))."
    case .seatsTaken(let seats, let performance):
      "\(named(seats, isFirst: true)) for '\(performance)' "
        + "\(seats.count == 1 ? "is" : "are") sold already."
    default: file
    }
  }

  private var file: String {
    switch self {
    case .unknownSetting(let path, let provenance, let known):
      "Setting \(provenance): there is no such setting. \(suggestion(for: path, known))"
    case .unknownService(let name, let file, let known):
      "Services file '\(file)' defines '\(name)', and the program has no such service. "
        + suggestion(for: name, known)
    case .badSetting(let provenance, let problem): "Setting \(provenance): \(problem)."
    case .unreadable(let file, let reason): "Cannot read '\(file)': \(reason)."
    case .malformedSeason(let file, let place, let problem):
      "Season file '\(file)' is malformed\(location(place)): \(problem)."
    case .damagedSales(let file, let place, let problem):
      "Sales file '\(file)' is damaged\(location(place)): \(problem). It was left as it is."
    case .unwritable(let path, let reason):
      "Cannot keep sales in '\(path)': \(reason). Nothing was sold."
    case .receiptNotWritten(let sale, let reason):
      "Sale \(sale) is made and kept, but its receipt could not be written: \(reason)."
    case .storeTouched(let path):
      "The store '\(path)' changed during the rehearsal: another sale was made meanwhile."
    default: ""
    }
  }
}

/// Proposes the words that may have been meant, or lists all known words.
private func suggestion(for word: String, _ known: [String]) -> String {
  let near = NearMiss.candidates(for: word, among: known)
  guard !near.isEmpty else { return choice(of: known) }
  return "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
}

private func choice(of known: [String]) -> String {
  switch known.count {
  case 0: "There is none."
  case 1: "There is only \(known[0])."
  default: "There are \(list(known))."
  }
}

private func location(_ place: String?) -> String { place.map { " at \($0)" } ?? "" }

private func named(_ seats: [String], isFirst: Bool = false) -> String {
  let noun = seats.count == 1 ? "eat" : "eats"
  return "\(isFirst ? "S" : "s")\(noun) \(list(seats))"
}

/// `A1`, `A1 and A2`, `A1, A2 and A3`
func list(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "nothing" }
  return "\(words.dropLast().joined(separator: ", ")) and \(last)"
}
