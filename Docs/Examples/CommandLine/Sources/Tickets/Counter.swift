// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Counts tickets.
public protocol Counter: Sendable {
  /// The next number.
  func next() throws -> Int
}

/// Production's counter: a number in a file.
struct FileCounter: Counter {
  let file: String

  func next() throws -> Int {
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    let number = (text.flatMap { Int($0) } ?? 0) + 1
    try "\(number)".write(toFile: file, atomically: true, encoding: .utf8)
    return number
  }
}

/// Counts without storing anything: a fake.
struct DryCounter: Counter {
  func next() -> Int { 0 }
}
