// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The access level of generated doubles.
enum DoublesAccess: String, CaseIterable {
  case `internal`, package, `public`

  static let words = allCases.map(\.rawValue)

  /// The modifier before a declaration, with a space.
  var modifier: String { self == .internal ? "" : rawValue + " " }

  /// Whether a double with this access level can have the members of a protocol with another one.
  func fits(_ level: String) -> Bool {
    switch self {
    case .internal: true
    case .package: ["package", "public", "open"].contains(level)
    case .public: ["public", "open"].contains(level)
    }
  }
}
