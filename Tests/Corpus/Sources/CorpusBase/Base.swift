// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What has a name.
public protocol Named {
  /// The name.
  var name: String { get }
}

/// What can get another name.
public protocol Renamable: Named {
  /// Gives it another name.
  func rename(to name: String) throws
}

/// A text with a style.
public struct Label: Hashable, Sendable {
  /// How a text looks.
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

/// `Corpus` calls a type so, too.
public struct Seat: Sendable {
  /// Makes a seat.
  public init() {}
}

/// Who leads to a seat.
public protocol Usher {
  /// Leads to a seat.
  func lead(_ seat: Seat) -> Int
}
