// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Where the program speaks.
public protocol Console: Sendable {
  /// Says something that was asked for.
  func say(_ text: String)

  /// Prints an error in one line.
  func complain(_ text: String)
}

/// Production's console: standard output and standard error.
public struct StandardConsole: Console {
  /// Makes a console.
  public init() {}

  /// Writes text and a line's end to standard output.
  public func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  /// Writes one line to standard error.
  public func complain(_ text: String) {
    FileHandle.standardError.write(Data("box-office: \(text.inOneLine)\n".utf8))
  }
}

extension String {
  /// The text with line ends and other control characters written out, so that whatever a user or a
  /// file put into a message, it stays one line.
  var inOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator:
            Array(scalar.escaped(asASCII: true).unicodeScalars)
          default: [scalar]
          }
        }))
  }
}
