// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

@Suite struct `Properties that two threads set at once` {
  private static let rounds = 300

  /// Sets two members of each of many new objects, each member by a thread of its own.
  private func setMembers(_ set: @escaping @Sendable (String, PropertyValue) -> Void) {
    let arrived = (0..<Self.rounds).map { _ in Lock(0) }
    let done = DispatchSemaphore(value: 0)
    for index in 0..<2 {
      Thread {
        for round in 0..<Self.rounds {
          // Both threads start a round together.
          arrived[round].withLock { $0 += 1 }
          while arrived[round].withLock({ $0 }) < 2 {}
          set("object\(round).\(index == 0 ? "a" : "b")", .integer(Int64(index)))
        }
        done.signal()
      }.start()
    }
    for _ in 0..<2 { done.wait() }
  }

  /// The objects that lack one of their members.
  private func incomplete(_ resolver: Resolver) throws -> [String] {
    try (0..<Self.rounds).map { "object\($0)" }.filter {
      try resolver.property($0, as: [String: Int].self) != ["a": 0, "b": 1]
    }
  }

  @Test func `are all members of a new object of a resolver`() throws {
    let resolver = Resolver()
    setMembers { try? resolver.set($0, $1) }
    try #expect(incomplete(resolver) == [])
  }

  @Test func `are all members of a new object of a layer`() throws {
    let resolver = Resolver()
    try withOverrides(of: resolver) { [self] layer in
      setMembers { layer.set($0, $1) }
    } operation: {
      try #expect(incomplete(resolver) == [])
    }
  }
}
