// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

private final class Cell: Sendable {}

/// The pool has one thread for each processor. If requests blocked all of them, the test would
/// hang.
@Suite struct `The cooperative pool` {
  private let resolver = Resolver()

  /// Two decorating layers, so that instances on three levels are being created.
  @Test(.timeLimit(.minutes(20)))
  func `is not blocked by more synchronous requests than it has threads`() async throws {
    let (begun, door) = (Door(), Door())
    resolver.register(lifecycle: .cached) {
      begun.open()
      await door.wait()
      return Cell()
    }
    let count = ProcessInfo.processInfo.activeProcessorCount * 8
    try await withOverrides(of: resolver) {
      $0.decorate(Cell.self) { $0 }
    } operation: {
      try await withOverrides(of: resolver) {
        $0.decorate(Cell.self) { $0 }
      } operation: {
        async let made = resolver.resolveAsync(Cell.self)
        await begun.wait()
        let refusals = await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<count {
            group.addTask {
              do throws(ResolutionError) {
                _ = try resolver.resolve(Cell.self)
                return false
              } catch {
                if case .asynchronous = error.reason { return true }
                return false
              }
            }
          }
          return await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        #expect(refusals == count)
        door.open()
        let cell = try await made
        try #expect(resolver.resolve(Cell.self) === cell)
      }
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `runs the blocks of synchronous requests on the thread of one of them`() async throws {
    resolver.register(lifecycle: .cached) { Cell() }
    let count = ProcessInfo.processInfo.activeProcessorCount * 8
    try await withOverrides(of: resolver) {
      $0.decorate(Cell.self) { $0 }
    } operation: {
      let cells = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
        for index in 0..<count {
          group.addTask {
            let cell: Cell =
              index.isMultiple(of: 2)
              ? try resolver.resolve() : try await resolver.resolveAsync()
            return ObjectIdentifier(cell)
          }
        }
        return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
      }
      #expect(cells.count == 1)
    }
  }
}

private final class First: Sendable {}
private final class Second: Sendable {}

/// Two aliases of each other.
@Suite struct `A circle of aliases` {
  private let resolver = Resolver()

  init() {
    resolver.alias(Key<First>(), as: Second.self)
    resolver.alias(Key<Second>(), as: First.self)
  }

  @Test(arguments: [false, true])
  func `is a cycle in every form of request, and no stack overflow`(isDecorated: Bool) async throws
  {
    await withOverrides(of: resolver) {
      if isDecorated { $0.decorate(First.self) { $0 } }
    } operation: {
      let error = #expect(throws: ResolutionError.self) { try resolver.resolve(First.self) }
      #expect(error?.reason.isCycle == true)
      #expect(error.map { Set($0.path.map(\.step)) } == ["First", "Second"])
      let later = await #expect(throws: ResolutionError.self) {
        try await resolver.resolveAsync(Second.self)
      }
      #expect(later?.reason.isCycle == true)
      let optional = #expect(throws: ResolutionError.self) { try resolver.resolve(First?.self) }
      #expect(optional?.reason.isCycle == true)
    }
  }

  @Test func `is a cycle in the graph, and nothing for a lookup`() {
    #expect(resolver.existing(First.self) == nil)
    #expect(resolver.existing(First.self, as: First.self) == nil)
    #expect(resolver.contains(Key<First>()))
    #expect(resolver.filter(First.self).count == 1)
    #expect(resolver.graph.findings.map(\.kind).contains(.cycle))
    #expect(throws: DependencyGraph.ValidationError.self) { try resolver.graph.validate() }
  }
}

extension ResolutionError.Reason {
  fileprivate var isCycle: Bool { if case .cycle = self { true } else { false } }
}
