// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// What is not `Sendable` can be asked for where it is made, and not be waited for.
extension WiringPlanner {
  /// Lets what is made asynchronously ask for what is not `Sendable` without waiting, if that is
  /// made at once.
  mutating func askForUnshared() {
    for position in plan.registrations.indices where plan.registrations[position].isAsync {
      var registration = plan.registrations[position]
      if let owner = registration.owner {
        registration.owner?.isSynchronous = asksAtOnce(owner, for: registration.component)
      }
      for given in registration.givens.indices {
        registration.givens[given].isSynchronous = asksAtOnce(
          registration.givens[given], for: registration.component)
      }
      plan.registrations[position] = registration
    }
  }

  private mutating func asksAtOnce(_ given: WiringPlan.Given, for component: Component) -> Bool {
    guard given.need.kind != .deferred, !isShared(given.need.whole) else { return false }
    guard let slow = given.providers.first(where: isSlow) else { return true }
    // Of what is not `Sendable` itself that is told already.
    if plan.registrations[slow].component.type.identity != given.need.type.identity {
      failSlow(slow, given.need.type, "(\(component.type.title) -> \(given.need.type.title))")
    }
    return false
  }

  /// Whether a component is not made where it is asked for.
  private func isSlow(_ position: Int) -> Bool {
    plan.registrations[position].isAsync || plan.registrations[position].component.isMainActor
  }

  private mutating func failSlow(_ position: Int, _ type: WiredType, _ chain: String) {
    let slow = plan.registrations[position]
    let reason = slow.isAsync ? "is made asynchronously" : "is made on the main actor"
    fail(
      slow.component,
      "`\(slow.component.title)` \(reason), and `\(type.text)` is not `Sendable`. \(chain)")
  }

  /// Leaves out asynchronous aliases of a type that is not `Sendable`. A parameter that needs one
  /// is an error.
  ///
  /// An alias under the key's own name is none of them: it makes nothing itself.
  mutating func dropUnsharedAliases(asked: [WiredType]) {
    for position in plan.registrations.indices where isSlow(position) {
      let registration = plan.registrations[position]
      let unshared = registration.aliases.filter { alias in
        (alias.container != nil || registration.component.isForeign) && !isShared(alias.type)
      }
      plan.registrations[position].aliases.removeAll { unshared.contains($0) }
      for alias in unshared where asked.contains(where: { $0.identity == alias.type.identity }) {
        failSlow(position, alias.type, "(\(alias.type.title))")
      }
    }
  }

  /// Whether values of a type can go from one thread to another; what no graph says is taken to be
  /// fine.
  private func isShared(_ type: WiredType) -> Bool {
    let isUnknown = type.usrs.contains {
      index.symbols[$0] == nil && StandardProtocol.isProtocol($0)
    }
    guard !isUnknown, let usr = type.usrs.first else { return true }
    var tokens = type.tokens
    if tokens.isEmpty { tokens = [Token(type.title, usr: usr)] }
    if type.isExistential, tokens[0].text != "any" { tokens.insert(Token("any"), at: 0) }
    return TypeFacts(index: index, names: [:], unsharedNames: []).isSendable(TypeText(tokens))
  }
}
