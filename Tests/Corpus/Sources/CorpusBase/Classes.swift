// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// A class with members that a protocol may require.
open class Frame {
  /// The title.
  public var title = "frame"
  /// Makes a frame.
  public init() {}
  /// Closes the frame.
  open func close() -> Int { 1 }
  /// The width.
  public func width() -> Int { 2 }
  /// The number of its parts.
  open var count: Int { 3 }
  /// Checks a value.
  open func check(_ value: Int) throws -> Bool { true }
  /// The number of all frames.
  open class func total() -> Int { 4 }
  // Invisible outside the module.
  func hidden() -> Int { 5 }
}

/// A class with a superclass.
open class Panel: Frame {
  /// Tilts the panel.
  open func tilt() -> Int { 6 }
}

/// A class on the main actor.
@MainActor open class Surface {
  /// How visible it is.
  public var alpha = 7
  /// Makes a surface.
  public init() {}
}

/// A generic class.
open class Shelf<Item> {
  /// The items.
  public var items: [Item] = []
  /// Makes a shelf.
  public init() {}
  /// Takes the last item.
  open func takeLast() -> Item? { items.popLast() }
}

/// A class that is `Sendable`.
open class Latch: @unchecked Sendable {
  /// Makes a latch.
  public init() {}
}

/// A class without an initialiser that needs no argument.
open class Strip: Named {
  /// The length.
  public let length: Int
  /// The name.
  open var name: String { "strip" }
  /// Makes a strip.
  public init(length: Int) { self.length = length }
}

/// A class that only this package can make, and inherit from.
public class Sealed {
  init() {}
}

/// A class that other modules can make only with an initialiser that calls a hidden one.
open class Crate {
  let weight: Int
  init(weight: Int) { self.weight = weight }
  /// Makes a crate.
  public convenience init() { self.init(weight: 1) }
}

/// A class whose members have the types of associated types.
open class Post: Equatable {
  /// The identity.
  public let id: UUID
  /// Makes a post.
  public init(id: UUID = UUID()) { self.id = id }
  /// Takes the next number.
  open func next() -> Int { 12 }
  /// Whether two posts are equal.
  public static func == (left: Post, right: Post) -> Bool { left.next() == right.next() }
}

/// A class that is a subclass of a generic one.
open class Bookshelf: Shelf<String> {
  /// Makes a shelf.
  override public init() { super.init() }
}

extension Shelf where Item: Comparable {
  /// The largest item.
  public func largest() -> Item? { items.max() }
}

/// A class that inherits an initialiser from another one, since it overrides the other one.
open class Bin {
  /// The size.
  public let size: Int
  /// Makes a bin.
  public init(size: Int) { self.size = size }
  /// Makes a bin of one size.
  public convenience init() { self.init(size: 13) }
}
/// A bin with a lid.
open class LiddedBin: Bin {
  /// Makes a bin.
  override public init(size: Int) { super.init(size: size + 1) }
}

/// A class with members that no graph has, and setters that no other module can call.
open class Door {
  /// Makes a door.
  public init() {}
  /// Cannot be called.
  @available(*, unavailable) open func shut(_ id: Int) -> Int { id }
  /// The number of a row, which only this class can set.
  open private(set) subscript(row: Int) -> Int {
    get { row }
    set {}
  }
  /// The width, which only this class can set.
  public private(set) var width: Int {
    get { 18 }
    set {}
  }
}
extension Door {
  /// Is for one group of clients.
  @_spi(Doors) public func peek() -> Int { 20 }
  /// Cannot be called in a newer Swift.
  @available(swift, obsoleted: 5) public func slam() -> Int { 21 }
  /// Cannot be used.
  @available(*, unavailable) public var height: Int { 19 }
}

/// A class whose members an override may narrow.
open class Almanac {
  /// Makes an almanac.
  public init() {}
  /// Finds a number.
  open func find(_ id: Int) throws -> Int? { id }
  /// A panel's frame.
  open func frame(_ ids: [Int]) -> Frame { Frame() }
  /// The number in a row.
  open subscript(row: Int) -> Int? { row }
  /// Counts.
  public func count(_ id: Int) -> Int { id }
}
