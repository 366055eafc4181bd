// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// A value that is not `Sendable` can be resolved synchronously, but cannot be awaited.
extension WiringPlanner {
  /// Lets an asynchronous block resolve a value that is not `Sendable` synchronously, if its
  /// creation is synchronous.
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
    // For a component that is not `Sendable` itself, this is already reported.
    if plan.registrations[slow].component.type.identity != given.need.type.identity {
      failSlow(slow, given.need.type, "(\(component.type.title) -> \(given.need.type.title))")
    }
    return false
  }

  /// Whether a component's creation has to be awaited.
  private func isSlow(_ position: Int) -> Bool {
    plan.registrations[position].isAsync || plan.registrations[position].component.isMainActor
  }

  private mutating func failSlow(_ position: Int, _ type: WiredType, _ chain: String) {
    let slow = plan.registrations[position]
    fail(
      slow.component,
      "`\(slow.component.title)` \(reason(of: slow)), and `\(type.text)` is not `Sendable`. \(chain)"
    )
  }

  /// Removes asynchronous aliases of a type that is not `Sendable`. A parameter that needs one is
  /// an error.
  ///
  /// An alias under the key's own name stays, since it creates nothing itself.
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

  /// Why the value of a registration crosses threads.
  private func reason(of registration: WiringPlan.Registration) -> String {
    registration.isAsync ? "is made asynchronously" : "is made on the main actor"
  }

  static let remedy = ": make it `Sendable`, or isolate it to `@MainActor`."

  /// A payload is sent to the actor that creates the value.
  mutating func checkPayload(_ registration: WiringPlan.Registration) {
    let component = registration.component
    guard let payload = component.payload, registration.isAsync || component.isMainActor,
      !isShared(payload)
    else { return }
    fail(
      component,
      "`\(component.title)` \(reason(of: registration)), and its payload `\(payload.text)` is not `Sendable`"
        + Self.remedy)
  }

  /// Whether values of a type can be sent between threads. A type without a graph counts as
  /// `Sendable`.
  func isShared(_ type: WiredType) -> Bool {
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
