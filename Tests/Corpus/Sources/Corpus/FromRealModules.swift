// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Shapes of the protocols of real modules.

import CorpusBase
import Foundation

protocol TakesRanges {
  var marks: [NSRange] { get }
  func mark(_ range: NSRange, after other: NSRange?) -> NSRange
}

@MainActor protocol OnTwoActors {
  @Kitchen var document: Document { get }
  @Kitchen func cook(_ dish: String) -> Int
  func show(_ text: String) -> Int
  nonisolated func name(_ id: Int) -> String
}
@MainActor protocol OnTwoActorsShared: Sendable {
  @Kitchen func cook(_ document: Document) -> Int
  var level: Int { get set }
  func load(_ id: Int) async throws -> Int
}

protocol KeepsDefaults {
  associatedtype Item
  var item: Item { get }
  var first: Item { get }
}
extension KeepsDefaults {
  var item: Item { first }
}
protocol RenamesItem: KeepsDefaults {
  associatedtype Other
  var item: Other { get }
}

protocol PointersWithin {
  var callbacks: [@convention(c) (Int32) -> Int32] { get }
  func register(_ callback: (@convention(c) (Int32) -> Int32)?) -> Int
}

protocol RunsForever {
  func run(_ id: Int) async throws -> Never
}

protocol URLShelf { func put(_ id: Int) -> Int }
protocol UrlShelf { func put(_ id: Int) -> Int }

/// A parent of an SPI group.
@_spi(Testing) public protocol SPIParent {
  /// Its requirement.
  var tag: Int { get }
}
protocol SPIChild: SPIParent {
  var number: Int { get }
}
/// A protocol of one group with a requirement of another one.
@_spi(Testing) public protocol SPIOfTwo {
  /// Its requirement.
  @_spi(Other) func other() -> Int
}
/// A class of an SPI group.
@_spi(Testing) open class SPIScreen {
  /// Makes a screen.
  public init() {}
  /// A member that the double inherits.
  open func title() -> String { "screen" }
}
protocol SPIOfScreen: SPIScreen {
  func show(_ id: Int) -> Int
}
/// A type of an SPI group, whose extension names no group.
@_spi(Testing) public enum SPISpace {}
extension SPISpace {
  /// A protocol in the extension.
  public protocol Inner {
    /// Its requirement.
    func look(_ id: Int) -> Int
  }
}

@MainActor protocol OnMainResult {
  var document: Document { get set }
  func find(_ id: Int) -> Document
  static func make(_ id: Int) -> Document
}
@MainActor protocol OnMainClosure: Sendable {
  func each(_ body: (Int) -> Void)
  func find(_ document: Document) async -> Document
  nonisolated func name(_ id: Int) -> String
}
