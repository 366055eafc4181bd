// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

public import Understudy
public import UnderstudyCompatibility

extension Registering {
  /// Registers everything that production consists of.
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

/// The offered profiles, for `UNDERSTUDY_PROFILE` and `--understudy-profile`.
public let profiles = [
  OverrideProfile("dry-run") { $0.register { DryCounter() as any Counter } }
]
