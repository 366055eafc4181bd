// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A place in source code: where something was registered, overridden or resolved.
@frozen
public struct CallSite: Hashable, Sendable, CustomStringConvertible {
  /// Module and file, as `#fileID` spells it: `Shop/Checkout.swift`.
  public var fileID: String { fileIDText.description }
  /// The whole path of the file, as `#filePath` spells it.
  public var filePath: String { staticFilePath.description }
  // The numbers come last, so a call site ends at a word boundary and is copied word by word.
  @usableFromInline let fileIDText: StaticString
  @usableFromInline package let staticFilePath: StaticString
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Makes a call site. Without arguments, it is the place of the call itself.
  @inlinable
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    self.init(fileID, filePath, line, column)
  }

  @inlinable
  package init(_ fileID: StaticString, _ filePath: StaticString, _ line: Int, _ column: Int) {
    self.fileIDText = fileID
    self.staticFilePath = filePath
    self.line = line
    self.column = column
  }

  package static var unknown: CallSite { CallSite(fileID: "", filePath: "", line: 0, column: 0) }

  package var isKnown: Bool { line > 0 }

  /// `Shop/Checkout.swift:14`
  public var description: String { "\(fileID):\(line)" }

  /// Two call sites are equal if they name the same place in the same file.
  public static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.column == right.column && left.fileID == right.fileID
  }

  /// Hashes the place and the file.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(column)
    hasher.combine(fileID)
  }
}

/// How messages and logs call a layer: by the name that it was given, or by where it was pushed.
package final class LayerLabel: Sendable {
  private let givenName: String?
  package let callSite: CallSite

  package init(_ name: String?, at callSite: CallSite) {
    givenName = name
    self.callSite = callSite
  }

  package var name: String { givenName ?? callSite.description }
}
