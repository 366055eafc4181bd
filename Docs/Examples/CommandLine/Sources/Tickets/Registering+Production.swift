// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

public import Understudy
public import UnderstudyCompatibility

extension Registering {
  /// Registers what production is made of: all of it, here and nowhere else.
  func registerProduction(counter: String) {
    register { FileCounter(file: counter) as any Counter }
    register { StandardOutput() as any Paper }
    register { r in
      TicketPrinter(
        counter: try r.resolve(), paper: try r.resolve(),
        greeting: { try Resolver.current.resolve(String?.self, named: OneTime.greeting) })
    }
  }
}

/// What the program may be run under, with `UNDERSTUDY_PROFILE` or `--understudy-profile`.
public let profiles = [
  OverrideProfile("dry-run") { $0.register { DryCounter() as any Counter } }
]
