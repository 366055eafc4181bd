// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

/// Sends letters.
public protocol Mailer: Sendable {
  /// Sends a letter, and returns its text.
  func send(_ text: String) -> String
}

/// Sends letters by post.
///
/// - Understudy: component cached
public final class Postman: Mailer {
  let office: Office

  init(office: Office) {
    self.office = office
  }

  /// Sends a letter from the office.
  public func send(_ text: String) -> String { "\(office.name): \(text)" }
}

/// Where letters are sorted.
///
/// - Understudy: component cached
final class Office: Sendable {
  let name = "Post office"
}
