// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

public import ArgumentParser
internal import Foundation
internal import Understudy

/// The command. It registers the values of its options when it runs, so the code that needs them
/// requests them like anything else, and a test can override them.
///
/// Its own properties belong to the parser. They are decoded, so they cannot be injected. The
/// command requests its dependencies in `run`.
public struct PrintTickets: ParsableCommand {
  /// The text of the help.
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

  /// Makes a command, which the parser fills in.
  public init() {}

  /// Refuses an argument that is not a seat.
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

/// The names of values that can be resolved only once.
public enum OneTime: Hashable, Sendable {
  /// A word for the first ticket: a `String`.
  case greeting
}
