// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyCompatibility

@testable import Understudy

@Suite struct `The order of instances` {
  @Test(arguments: [0, 1, 2, 3, 7, 8, 31, 100])
  func `is the order of their creation, however they are stored`(count: Int) throws {
    let resolver = Resolver()
    let instances = try (0..<count).map { number -> AnyInstance in
      let key = resolver.register(number, named: number)
      return try #require(resolver.store.registration(for: key.erased)?.existingInstance(at: 1))
    }
    let (even, odd) = (stride(from: 0, to: count, by: 2), stride(from: 1, to: count, by: 2))
    let orders = [
      instances, instances.reversed(), even.map { instances[$0] } + odd.map { instances[$0] },
      odd.reversed().map { instances[$0] } + even.map { instances[$0] },
    ]
    for order in orders {
      #expect(order.oldestFirst.map(\.serial) == instances.map(\.serial))
    }
  }

  private final class Link: Sendable {
    let number: Int
    private let released: Lock<[Int]>

    init(_ number: Int, _ released: Lock<[Int]>) {
      (self.number, self.released) = (number, released)
    }

    deinit { released.withLock { $0.append(number) } }
  }

  private final class Chain: Assembly {
    let released = Lock<[Int]>([])

    func assemble(into registrar: some Registering) {
      for number in 0..<30 {
        registrar.register(named: number, in: "chain", lifecycle: .cached) { [released] in
          Link(number, released)
        }
      }
    }
  }

  /// How a resolver can let go of its instances.
  enum Release: CaseIterable {
    case reset, resetOfContainer, unload, endOfResolver
  }

  @Test(arguments: Release.allCases)
  func `is that of their release, backwards`(release: Release) throws {
    let chain = Chain()
    let order = (0..<30).map { $0 * 7 % 30 }
    do {
      let resolver = Resolver()
      try resolver.load(chain)
      // A cached answer retains its instance, too.
      for number in order + order {
        _ = try resolver.resolve(Link.self, named: number, in: "chain")
      }
      switch release {
      case .reset: #expect(resolver.reset(.instances).instances == 30)
      case .resetOfContainer:
        #expect(resolver.reset(.instances, in: "chain").instances == 30)
      case .unload: #expect(resolver.unload(chain))
      case .endOfResolver: break
      }
      if release != .endOfResolver { #expect(chain.released.withLock { $0.count } == 30) }
    }
    #expect(chain.released.withLock { $0 } == order.reversed())
  }
}
