// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Prints the output and the errors of the program.
public protocol Console: Sendable {
  /// Prints requested output.
  func say(_ text: String)

  /// Prints an error in one line.
  func complain(_ text: String)
}

/// Production's console: standard output and standard error.
public struct StandardConsole: Console {
  /// Makes a console.
  public init() {}

  /// Writes text and a line break to standard output.
  public func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  /// Writes one line to standard error.
  public func complain(_ text: String) {
    FileHandle.standardError.write(Data("box-office: \(text.inOneLine)\n".utf8))
  }
}

extension String {
  /// The text with escapes for line breaks and other control characters. So a message stays in one
  /// line, whatever a user or a file put into it.
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
