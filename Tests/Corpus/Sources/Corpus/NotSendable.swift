// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Arguments and results that are not `Sendable`, in requirements that suspend.

import Foundation

public final class Scratch {
  public var lines: [String] = []
  public init() {}
}

public struct ScratchPair {
  public var first = Scratch()
  public var second = Scratch()
  public init() {}
}

public protocol SavesScratch { func save(_ scratch: Scratch) async }
public protocol SavesScratchThrowing { func save(_ scratch: Scratch, named name: String) async throws }
public protocol LoadsScratch { func load(_ name: String) async throws -> Scratch }
public protocol ExchangesScratch { func exchange(_ scratch: Scratch) async -> Scratch }
public protocol SavesPairs { func save(_ pairs: [ScratchPair]) async throws -> Int }
public protocol Downloads {
  func download(_ url: URL, progress: @escaping (Double) -> Void) async throws -> Data
}
public protocol PostsBodies { func post(_ body: [String: Any]) async throws -> Any }
public protocol PostsTwice { func post(_ body: Any, _ other: AnyObject?) async -> [Any] }
public protocol TypedScratch { func save(_ scratch: Scratch) async throws(Failing) -> Bool }
public protocol SharedScratch: Sendable { func save(_ scratch: Scratch) async throws -> Scratch }
@MainActor public protocol MainScratch { func save(_ scratch: Scratch) async -> Scratch }
public protocol ActorScratch: Actor { func save(_ scratch: Scratch) async -> Int }
public protocol ScratchProperty { var scratch: Scratch { get async } }
public protocol ScratchSubscript { subscript(scratch: Scratch) -> Int { get async } }
public protocol OptionalScratch { func save(_ scratch: Scratch?, _ other: (Scratch, Int)) async }
public protocol GivesClosures { func handler(for name: String) async -> () -> Void }
public protocol TakesExistentials { func send(_ value: any GivesClosures) async -> any SavesScratch }
public protocol TakesSelfless<Item> {
  associatedtype Item
  func send(_ item: Item) async throws -> Item
}
public protocol SharedItems<Item>: Sendable {
  associatedtype Item
  func send(_ item: Item, _ scratch: Scratch) async throws -> [Item]
}
public protocol ConcurrentScratch {
  @concurrent func save(_ scratch: sending Scratch) async -> Int
}
public protocol VariadicScratch { func save(_ scratches: Scratch...) async }
public protocol InoutScratch { func fill(_ scratch: inout Scratch) async }
public protocol PointerScratch {
  func read(_ pointer: UnsafeRawPointer, count: Int) async -> Int
}

public enum Failing: Error { case failed }
