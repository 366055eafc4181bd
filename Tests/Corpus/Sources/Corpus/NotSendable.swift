// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Arguments and results that are not `Sendable`, in asynchronous requirements.

import Foundation

final class Scratch {
  var lines: [String] = []
  init() {}
}

struct ScratchPair {
  var first = Scratch()
  var second = Scratch()
  init() {}
}

protocol SavesScratch { func save(_ scratch: Scratch) async }
protocol SavesScratchThrowing {
  func save(_ scratch: Scratch, named name: String) async throws
}
protocol LoadsScratch { func load(_ name: String) async throws -> Scratch }
protocol ExchangesScratch { func exchange(_ scratch: Scratch) async -> Scratch }
protocol SavesPairs { func save(_ pairs: [ScratchPair]) async throws -> Int }
protocol Downloads {
  func download(_ url: URL, progress: @escaping (Double) -> Void) async throws -> Data
}
protocol PostsBodies { func post(_ body: [String: Any]) async throws -> Any }
protocol PostsTwice { func post(_ body: Any, _ other: AnyObject?) async -> [Any] }
protocol TypedScratch { func save(_ scratch: Scratch) async throws(Failing) -> Bool }
protocol SharedScratch: Sendable { func save(_ scratch: Scratch) async throws -> Scratch }
@MainActor protocol MainScratch { func save(_ scratch: Scratch) async -> Scratch }
protocol ActorScratch: Actor { func save(_ scratch: Scratch) async -> Int }
protocol ScratchProperty { var scratch: Scratch { get async } }
protocol ScratchSubscript { subscript(scratch: Scratch) -> Int { get async } }
protocol OptionalScratch { func save(_ scratch: Scratch?, _ other: (Scratch, Int)) async }
protocol GivesClosures { func handler(for name: String) async -> () -> Void }
protocol TakesExistentials {
  func send(_ value: any GivesClosures) async -> any SavesScratch
}
protocol TakesSelfless<Item> {
  associatedtype Item
  func send(_ item: Item) async throws -> Item
}
protocol SharedItems<Item>: Sendable {
  associatedtype Item
  func send(_ item: Item, _ scratch: Scratch) async throws -> [Item]
}
protocol ConcurrentScratch {
  @concurrent func save(_ scratch: sending Scratch) async -> Int
}
protocol VariadicScratch { func save(_ scratches: Scratch...) async }
protocol InoutScratch { func fill(_ scratch: inout Scratch) async }
protocol PointerScratch {
  func read(_ pointer: UnsafeRawPointer, count: Int) async -> Int
}

enum Failing: Error { case failed }
