// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

/// Prints numbered tickets, the first one with a greeting.
public struct TicketPrinter: Sendable {
  private let counter: any Counter
  private let paper: any Paper
  private let greeting: @Sendable () throws -> String?

  /// Makes a printer.
  public init(
    counter: any Counter, paper: any Paper, greeting: @escaping @Sendable () throws -> String?
  ) {
    self.counter = counter
    self.paper = paper
    self.greeting = greeting
  }

  /// Prints one ticket.
  public func printTicket(for seat: String, at play: String) throws {
    let number = try counter.next()
    let words = try greeting().map { " \($0)" } ?? ""
    paper.put("No. \(number): \(play), seat \(seat).\(words)")
  }
}
