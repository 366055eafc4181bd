// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import BoxOffice

/// The start of a program with many registrations, up to its report.
struct `The start of the program` {
  private final class Extras: Sendable {
    private let made = AtomicInt(0)

    var count: Int { made.relaxedValue }

    func register(_ count: Int, on resolver: Resolver) {
      for index in 0..<count {
        resolver.register(named: index, lifecycle: .cached) { () -> Int in
          self.made.add(1)
          return index
        }
      }
    }
  }

  /// Returns the report, and the time until it was written.
  private func start(_ extras: Extras, _ count: Int, on resolver: Resolver) throws -> String {
    let store = FileManager.default.temporaryDirectory.appending(path: "box-office-\(UUID())")
    let begin = ContinuousClock.now
    extras.register(count, on: resolver)
    let setup = try Setup(CommandLineWords(["report", "--store", store.path]))
    resolver.install(setup)
    resolver.registerProduction(setup.settings)
    let report = try withResolver(resolver) { try resolver.resolve(Report.self).text() }
    if ProcessInfo.processInfo.environment["UNDERSTUDY_MEASURE"] != nil {
      print("measured: start with \(count) more registrations: \(ContinuousClock.now - begin)")
    }
    return report
  }

  @Test func `creates none of a thousand registrations that are not requested`() throws {
    let (few, many) = (Extras(), Extras())
    _ = try start(few, 0, on: Resolver())
    let plain = try start(few, 0, on: Resolver())
    let resolver = Resolver()
    #expect(try start(many, 1_000, on: resolver) == plain)
    #expect(plain.contains("ghost-light"))
    #expect(many.count == 0)
    #expect(try resolver.resolve(Int.self, named: 999) == 999)
    #expect(many.count == 1)
  }
}
