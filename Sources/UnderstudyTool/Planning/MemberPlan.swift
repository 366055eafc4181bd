// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One spy of a double.
struct SpyPlan: Hashable {
  /// The name of the property, without backticks.
  var name: String
  /// The kind with its generic arguments, `AsyncSpy<Int, Item, any Error>`.
  var type: String
  /// The requirement's name in Swift, for messages.
  var title: String
  var isStatic = false
  /// The answer without a stub, as the body of a closure: `{ $0 }`.
  var fallback: String?
  /// The result of a call without a stub.
  var placeholder: String?
}

/// How the calls of a spy reach the real thing.
struct Forwarding: Hashable {
  /// The spy, `spy.fetch`.
  var spy: String
  /// The closure without its braces.
  var closure: String
}

/// A requirement with its spies and its witness.
struct MemberPlan: Hashable {
  enum Shape: Hashable {
    /// A spy answers with the requirement's own result.
    case spy
    /// A spy answers with a function, which takes the arguments that cannot be stored.
    case handler
    /// Nothing can answer: the witness traps.
    case refusal
  }

  var title: String
  var shape: Shape
  var spies: [SpyPlan]
  /// The lines of the witness.
  var witness: [String]
  /// How its calls reach the real thing; empty if they cannot.
  var forwarding: [Forwarding] = []
  /// Whether a recording can keep its calls.
  var isRecordable = false
  /// The remarks about it, a sentence each.
  var notes: [String] = []
}

/// A double, ready to be written.
struct DoublePlan: Hashable {
  var name: String
  var module: String
  var protocolName: String
  /// The property that has the spies.
  var spies = "spy"
  var attributes: [String] = []
  var isActor = false
  /// Whether other threads reach the double: its spies have to be `Sendable`.
  var isShared = false
  var isIsolated = false
  /// Whether it is on a global actor, and some of its requirements are on none.
  var isMixed = false
  var generics: [String] = []
  var whereClause: [String] = []
  var typealiases: [String] = []
  var members: [MemberPlan] = []
  var fixedMembers: [String] = []
  var imports: [String] = []
  /// The associated types, which a real thing has to share with the double.
  var associatedTypes: [String] = []
  /// Whether the real thing is reached although it is not `Sendable`.
  var forwardsUnchecked = false
  /// The name of `any Error`.
  var error = "Error"
  /// Whether the protocol requires `init()`, so that the double has it already.
  var hasPlainInitializer = false
  var notes: [String] = []

  /// Whether a recording can keep all calls, and tell them apart by their names.
  var isRecordable: Bool {
    members.allSatisfy { $0.isRecordable && !$0.forwarding.isEmpty }
      && Set(members.map(\.title)).count == members.count
  }

  func count(_ shape: MemberPlan.Shape) -> Int { members.count { $0.shape == shape } }
}
