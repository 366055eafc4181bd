// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One spy of a double.
struct SpyPlan: Hashable {
  /// The name of the property, without backticks.
  var name: String
  /// The type with its generic arguments, `AsyncSpy<Int, Item, any Error>`.
  var type: String
  /// The requirement's name in Swift, for messages. For an overload, it has the name of the spy.
  var title: String
  var isStatic = false
  /// Whether it holds the value of a settable property.
  var isProperty = false
  /// The answer without a stub, as the body of a closure: `{ $0 }`.
  var fallback: String?
  /// The result of a call without a stub.
  var placeholder: String?
  /// Whether its type is deprecated, so that other code would be warned of it.
  var isDeprecated = false
}

/// How the calls of a spy reach the real dependency.
struct Forwarding: Hashable {
  /// The spy, `spy.fetch`.
  var spy: String
  /// The closure without its braces.
  var closure: String
}

/// A requirement with its spies and its witness.
struct MemberPlan: Hashable {
  enum Shape: Hashable {
    /// A spy returns the requirement's own result.
    case spy
    /// A spy returns a function, which takes the arguments that cannot be stored.
    case handler
    /// No stub is possible, so the witness traps.
    case refusal
  }

  var title: String
  var shape: Shape
  var spies: [SpyPlan]
  /// The lines of the implementation.
  var witness: [String]
  /// How its calls reach the real dependency, or empty if they cannot.
  var forwarding: [Forwarding] = []
  /// The reason why they cannot, after the title: "is static".
  var obstacle: String?
  /// The reason why no cassette can record them.
  var recordingObstacle: String?
  /// Remarks for `--explain`, one sentence each.
  var notes: [String] = []
}
