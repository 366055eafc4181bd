// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A planned double.
struct DoublePlan: Hashable {
  var name: String
  var module: String
  /// The protocol as the double's code names it.
  var protocolName: String
  /// The protocol with its module, as the double's comment names it.
  var subject: String
  var access = DoublesAccess.internal
  /// The names that the double writes itself.
  var words = Vocabulary.plain
  var attributes: [String] = []
  var isActor = false
  /// The class of which the double is a subclass.
  var superclass: Superclass?
  /// Whether the double is `Sendable` without the compiler's check, as its class is not checked.
  var isUnchecked = false
  /// Whether the double must be `Sendable`, with its spies.
  var isShared = false
  var isIsolated = false
  /// Whether it is isolated to a global actor, and some of its requirements are nonisolated.
  var isMixed = false
  /// Whether the protocol is isolated to a global actor, and the double is not.
  var isOffActor = false
  var generics: [String] = []
  var whereClause: [String] = []
  var typealiases: [String] = []
  var members: [MemberPlan] = []
  var fixedMembers: [String] = []
  var imports: [String] = []
  /// The associated types that a real dependency must share with the double.
  var associatedTypes: [String] = []
  /// Whether the real dependency is captured although it is not `Sendable`.
  var forwardsUnchecked = false
  /// Whether the protocol requires `init()`, so the double has it anyway.
  var hasPlainInitializer = false

  func count(_ shape: MemberPlan.Shape) -> Int { members.count { $0.shape == shape } }

  /// Requires `SendableMetatype` of the generic parameters that a spy's answer without a stub
  /// captures with their conformances.
  mutating func sendMetatypes() {
    if isShared { return }
    let types = members.flatMap(\.spies).filter { $0.fallback != nil }.map(\.type)
    let captured = Set(types.flatMap { [Token](parsing: $0).map(\.text) })
    let sent: Set = [words("Error"), words("Sendable")]
    for index in generics.indices {
      let name = String(generics[index].prefix { $0 != ":" })
      let bounds = generics[index].dropFirst(name.count + 2).split(separator: " & ").map(
        String.init)
      let isBound = !bounds.isEmpty
      guard captured.contains(name), sent.isDisjoint(with: bounds),
        isBound || whereClause.contains(where: { $0.hasPrefix(name + ":") })
      else { continue }
      generics[index] += (isBound ? " & " : ": ") + words("SendableMetatype")
    }
  }
}
