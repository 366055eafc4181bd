// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

public import ArgumentParser
internal import Foundation
internal import Understudy

/// The command. What its options say is registered when it runs, so that whatever is made from it
/// asks for it as for anything else, and a test overrides it as anything else.
///
/// Its own properties are the parser's: they are decoded, so none of them can be injected. What the
/// command needs is asked for in `run`.
public struct PrintTickets: ParsableCommand {
  /// What the help says.
  public static let configuration = CommandConfiguration(
    commandName: "print-tickets", abstract: "Prints a numbered ticket for each seat.")

  @Argument(help: "The seats: A1 A2.")
  var seats: [String]

  @Option(help: "What is played.")
  var play: String

  @Option(help: "The file that counts the tickets.")
  var counter = "tickets.count"

  @Option(help: "A word that is printed on the first ticket, and on no other.")
  var greeting: String?

  /// Makes a command; the parser fills it in.
  public init() {}

  /// Refuses what is no seat.
  public func validate() throws {
    guard let wrong = seats.first(where: { $0.isEmpty }) else { return }
    throw ValidationError("'\(wrong)' is not a seat.")
  }

  /// Prints the tickets.
  public func run() throws {
    let resolver = Resolver.current
    resolver.registerProduction(counter: counter)
    if let greeting { resolver.register(greeting, named: OneTime.greeting, lifecycle: .once) }
    let printer = try resolver.resolve(TicketPrinter.self)
    for seat in seats { try printer.printTicket(for: seat, at: play) }
  }
}

/// The names of values that are given once and then gone.
public enum OneTime: Hashable, Sendable {
  /// A word for the first ticket: a `String`.
  case greeting
}
