// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

/// What a resolution needs of the stack: in a debug build each function of a chain has room for all
/// that it names, and secondary threads of some systems have half a megabyte.
@Suite struct `A graph of thirty levels` {
  @Test func `fits on half a megabyte of stack`() async {
    await #expect(processExitsWith: .success) {
      for lifecycle in [Lifecycle.cached, .notCached] {
        for isLayered in [false, true] {
          let levels = try Self.levels(lifecycle, isLayered: isLayered, onStackOf: 512 << 10)
          precondition(levels == 30)
        }
      }
    }
  }

  private final class Level: Sendable {
    let number: Int

    init(on lower: Level? = nil) { number = (lower?.number ?? 0) + 1 }
  }

  private static func levels(
    _ lifecycle: Lifecycle, isLayered: Bool, onStackOf size: Int
  ) throws -> Int {
    let resolver = Resolver()
    resolver.register(named: 30, lifecycle: lifecycle) { Level() }
    for number in 1..<30 {
      resolver.register(named: number, lifecycle: lifecycle) { resolver in
        let lower: Level = try resolver.resolve(named: number + 1)
        return Level(on: lower)
      }
    }
    let (levels, isDone) = (Box(0), DispatchSemaphore(value: 0))
    let thread = Thread {
      func ask() { levels.value = (try? resolver.resolve(Level.self, named: 1).number) ?? 0 }
      if isLayered {
        withLayer(of: resolver) { _ in
        } operation: {
          ask()
        }
      } else {
        ask()
      }
      isDone.signal()
    }
    thread.stackSize = size
    thread.start()
    isDone.wait()
    return levels.value
  }
}
