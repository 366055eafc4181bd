// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

private protocol Leveled: Sendable {}

private final class Level: Leveled {
  let number: Int

  init(on lower: Level? = nil) { number = (lower?.number ?? 0) + 1 }
}

/// A level that is injected with the next one.
private struct Injected {
  @Inject var lower: Level

  init(named number: Int) { _lower = Inject(named: number) }
}

/// The form of request with which each level resolves the next one.
private enum Asking: String, CaseIterable, Codable {
  case type, wrapper, optional, array, argument, provider, alias, decorator

  /// The number of levels that fit, as documented.
  var depth: Int { self == .type || self == .wrapper ? 30 : 12 }

  /// The resolution of a level. Each form is a function of its own, with stack space for its own
  /// values only.
  var level: @Sendable (Resolver, Int) throws -> Level? {
    switch self {
    case .type, .decorator: { try $0.resolve(Level.self, named: $1) }
    case .wrapper: { Injected(named: $1).lower }
    case .optional: { try $0.resolve(Level?.self, named: $1) }
    case .array: { try $0.resolve([Level].self, named: $1).first }
    case .argument: { try $0.resolve(Level.self, with: $1, named: $1) }
    case .provider: { try $0.resolve(Provider<Level>.self, named: $1)() }
    case .alias: { try $0.resolve((any Leveled).self, named: $1) as? Level }
    }
  }

  func register(_ lifecycle: Lifecycle, on resolver: Resolver) {
    let (depth, lower) = (depth, level)
    for number in 1...depth {
      if self == .argument {
        resolver.register(named: number, lifecycle: lifecycle) { (resolver, _: Int) throws in
          Level(on: number == depth ? nil : try lower(resolver, number + 1))
        }
      } else {
        resolver.register(named: number, lifecycle: lifecycle) { resolver throws in
          Level(on: number == depth ? nil : try lower(resolver, number + 1))
        }
      }
      if self == .alias {
        resolver.alias(Key<Level>(named: number), as: (any Leveled).self)
      }
    }
  }
}

/// The stack that a resolution needs. In a debug build each function reserves space for all its
/// variables, and secondary threads of some systems have half a megabyte.
@Suite struct `A deep graph` {
  @Test(arguments: Asking.allCases)
  private func `fits on half a megabyte of stack`(form: Asking) async {
    await #expect(processExitsWith: .success) { [form] in
      for lifecycle in [Lifecycle.cached, .notCached] {
        for isLayered in [false, true] {
          let levels = Self.levels(form, lifecycle, isLayered: isLayered, onStackOf: 512 << 10)
          precondition(levels == form.depth, "\(form), \(lifecycle), \(isLayered): \(levels)")
        }
      }
    }
  }

  private static func levels(
    _ form: Asking, _ lifecycle: Lifecycle, isLayered: Bool, onStackOf size: Int
  ) -> Int {
    let resolver = Resolver()
    form.register(lifecycle, on: resolver)
    let (levels, isDone, first) = (Box(0), DispatchSemaphore(value: 0), form.level)
    let thread = Thread {
      @Sendable func ask() {
        levels.value = withResolver(resolver) { (try? first(resolver, 1))?.number ?? 0 }
      }
      if isLayered {
        withLayer(of: resolver) { layer in
          guard form == .decorator else { return }
          for number in 1...form.depth { layer.decorate(Level.self, named: number) { $0 } }
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
