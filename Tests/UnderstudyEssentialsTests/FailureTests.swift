// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyEssentials
import UnderstudyTesting

@Suite struct `A check of the program` {
  private let resolver = Resolver.main

  private func first(of seats: [Int]) throws -> Int {
    guard let first = seats.first else {
      try resolver.resolve(\.fatalError)("No seat was asked for.")
    }
    return first
  }

  @Test func `that fails is recorded, and the program continues`() async {
    let recorder = FailureRecorder()
    await underLayer {
      $0.override(\.precondition, with: .recorded(by: recorder))
      $0.override(\.assert, with: .recorded(by: recorder))
      $0.override(\.fatalError, with: .recorded(by: recorder))
    } operation: {
      resolver.resolve(\.precondition)(1 + 1 == 2, "Arithmetic")
      resolver.resolve(\.precondition)(1 + 1 == 3, "Other arithmetic")
      resolver.resolve(\.assert).failure("Never here")
      #expect(throws: ProgramEnd.self) { try first(of: []) }
    }
    #expect(
      recorder.failures.map(\.message) == [
        "Other arithmetic", "Never here", "No seat was asked for.",
      ])
    #expect(recorder.failures.allSatisfy { $0.callSite.fileID.hasSuffix("FailureTests.swift") })
  }

  @Test func `that ends the program throws in a test`() async throws {
    try await underLayer {
      $0.override(\.fatalError, with: .throwing)
    } operation: {
      #expect(try first(of: [1]) == 1)
      let end = try #require(throws: ProgramEnd.self) { try first(of: []) }
      #expect(end.message == "No seat was asked for.")
    }
  }

  @Test func `can be an issue of the test`() async {
    let issues = await issues {
      await underLayer {
        $0.override(\.precondition, with: .reporting)
        $0.override(\.fatalError, with: .reporting)
      } operation: {
        resolver.resolve(\.precondition)(false, "No seat was asked for.")
        resolver.resolve(\.precondition)(false)
        #expect(throws: ProgramEnd.self) { try first(of: []) }
      }
    }
    #expect(
      issues == [
        "No seat was asked for.", "A check of the program failed.", "No seat was asked for.",
      ])
  }

  @Test func `that holds passes in production`() {
    resolver.resolve(\.precondition)(true)
    resolver.resolve(\.assert)(true)
  }

  @Test func `that fails ends the process in production`() async {
    await #expect(processExitsWith: .failure) {
      Resolver.main.resolve(\.precondition)(false, "No seat was asked for.")
    }
    await #expect(processExitsWith: .failure) {
      try Resolver.main.resolve(\.fatalError)("No seat was asked for.")
    }
  }
}
