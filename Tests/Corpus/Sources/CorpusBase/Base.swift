// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What protocols of another module inherit.
public protocol Named {
  var name: String { get }
}

public protocol Renamable: Named {
  func rename(to name: String) throws
}

public struct Label: Hashable, Sendable {
  public struct Style: Hashable, Sendable {
    public var bold: Bool
    public init(bold: Bool) { self.bold = bold }
  }
  public var text: String
  public init(text: String) { self.text = text }
}
