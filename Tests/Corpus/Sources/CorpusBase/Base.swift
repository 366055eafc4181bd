// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value with a name.
public protocol Named {
  /// The name.
  var name: String { get }
}

/// A value that can be renamed.
public protocol Renamable: Named {
  /// Gives it another name.
  func rename(to name: String) throws
}

/// A text with a style.
public struct Label: Hashable, Sendable {
  /// The style of a text.
  public struct Style: Hashable, Sendable {
    /// Whether it is bold.
    public var bold: Bool
    /// Makes a style.
    public init(bold: Bool) { self.bold = bold }
  }
  /// The text.
  public var text: String
  /// Makes a label.
  public init(text: String) { self.text = text }
}

/// `Corpus` has a type with the same name.
public struct Seat: Sendable {
  /// Makes a seat.
  public init() {}
}

/// Leads people to their seats.
public protocol Usher {
  /// Leads to a seat.
  func lead(_ seat: Seat) -> Int
}
