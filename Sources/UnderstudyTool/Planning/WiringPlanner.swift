// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Chooses the arguments of all components, and finds all errors.
struct WiringPlanner {
  let index: GraphIndex
  private let module: String
  private let isProvided: (WiredType) -> Bool
  private var components: [Component]
  var plan = WiringPlan()

  /// Plans the wiring of this module's components, then of other modules' components.
  ///
  /// Components are registered under the protocols of `module` even without a request for them. A
  /// type is registered by hand if `isProvided` is true for it. `lifecycle` is that of a component
  /// of this module without one.
  static func plan(
    _ components: [Component], module: String,
    lifecycle: ComponentMarker.Lifecycle = .notCached, _ index: GraphIndex,
    isProvided: @escaping (WiredType) -> Bool
  ) -> WiringPlan {
    let components = components.map { component in
      var component = component
      // A factory creates a value for each payload.
      if component.payload != nil { component.lifecycle = .notCached }
      if !component.isForeign { component.lifecycle = component.lifecycle ?? lifecycle }
      return component
    }
    var planner = WiringPlanner(
      index: index, module: module, isProvided: isProvided, components: components)
    planner.run()
    return planner.plan
  }

  private init(
    index: GraphIndex, module: String, isProvided: @escaping (WiredType) -> Bool,
    components: [Component]
  ) {
    self.index = index
    self.module = module
    self.isProvided = isProvided
    self.components = components
  }

  private mutating func run() {
    checkDuplicates()
    for component in components {
      var registration = WiringPlan.Registration(component: component)
      if !component.isForeign {
        if case .member(_, let owner) = component.maker {
          registration.owner = given(Component.Need(of: owner), for: component)
        }
        registration.givens = component.needs.compactMap { given($0, for: component) }
        registration.later = component.injectors.flatMap(\.needs).compactMap {
          given($0, for: component)
        }
        checkLabels(registration)
      }
      plan.registrations.append(registration)
    }
    checkCycles()
    checkClosedCycles()
    spreadAsync()
    askForUnshared()
    warnOfOnce()
    for registration in plan.own {
      checkRivals(registration)
      checkSharing(registration)
      checkWaiting(registration)
    }
    addAliases()
  }

  mutating func fail(_ component: Component, _ message: String) {
    plan.diagnostics.append(Diagnostic(place: component.place, message: message))
  }

  private mutating func checkDuplicates() {
    var first: [[String]: Component] = [:]
    for component in components {
      let key = [component.type.identity, component.name ?? ""]
      guard let other = first.updateValue(component, forKey: key) else { continue }
      let place = other.place.map { " (first at \($0.text))" } ?? ""
      fail(component, "`\(component.title)` is registered twice.\(place)")
    }
  }

  private mutating func given(
    _ need: Component.Need, for component: Component
  ) -> WiringPlan.Given? {
    if let property = need.property { return chosen(need, by: property, for: component) }
    let isWhole =
      [.optional, .every].contains(need.kind)
      && components.contains {
        $0.type.identity == need.whole.identity
      }
    let need = isWhole ? need.ofWhole : need
    var given = WiringPlan.Given(need: need)
    let all = components.indices.filter { components[$0].provides(need.type) }
    let labelled = need.label == "_" ? [] : all.filter { components[$0].name == need.label }
    if need.isMany {
      given.providers = labelled.isEmpty ? all : labelled
      given.name = labelled.isEmpty ? nil : need.label
    } else {
      let unnamed = all.filter { components[$0].name == nil }
      given.providers = !labelled.isEmpty ? labelled : !unnamed.isEmpty ? unnamed : all
      let exact = given.providers.filter { components[$0].type.identity == need.type.identity }
      if exact.count == 1 { given.providers = exact }
      given.name = given.providers.first.flatMap { components[$0].name }
    }
    guard given.providers.isEmpty else {
      if !need.isMany, given.providers.count > 1 {
        let titles = given.providers.map { components[$0].title }.joined(separator: ", ")
        fail(component, "Ambiguous implementation on `\(need.type.title)` (\(titles))")
        return nil
      }
      return check(given, for: component) ? given : nil
    }
    if isProvided(need.type) { return given }
    if need.hasDefault {
      given.isOmitted = true
      return given
    }
    if !need.isRequired { return given }
    let chain = "(\(component.type.title) -> \(need.type.title))"
    fail(
      component,
      need.type.isExistential
        ? "Not found implementation on `\(need.type.title)`. \(chain)\(unsaid(need.type))"
        : "`\(need.type.title)` is unregistered dependency. \(chain)")
    return nil
  }

  /// The named components from which a property chooses at run time.
  private mutating func chosen(
    _ need: Component.Need, by property: String, for component: Component
  ) -> WiringPlan.Given? {
    var given = WiringPlan.Given(need: need)
    given.providers = components.indices.filter {
      components[$0].name != nil && components[$0].provides(need.type)
    }
    given.choices = given.providers.compactMap { components[$0].name }
    let titles = given.providers.map { components[$0].title }.joined(separator: ", ")
    guard !given.providers.isEmpty else {
      fail(
        component,
        "The property `\(property)` chooses `\(need.type.title)` by its name, and no"
          + " implementation has one. (\(component.type.title) -> \(need.type.title))")
      return nil
    }
    guard Set(given.choices).count == given.choices.count else {
      fail(component, "Ambiguous implementation on `\(need.type.title)` (\(titles))")
      return nil
    }
    return check(given, for: component) ? given : nil
  }

  /// A hint for a request of a generic protocol such as `any Repo<User>`. A graph does not contain
  /// the arguments of a conformance.
  private func unsaid(_ type: WiredType) -> String {
    guard let bracket = type.tokens.firstIndex(where: { $0.text == "<" }),
      let head = type.tokens[..<bracket].last?.usr,
      let near = components.first(where: { $0.ancestors.contains(head) })
    else { return "" }
    return
      " `\(near.title)` is a `\(type.tokens[bracket - 1].text)`, and no symbol graph contains its arguments:"
      + " declare a static function that returns `\(type.text)` as the component."
  }

  /// Whether the answering component fits the request. A factory fits only a parameter with a
  /// payload.
  private mutating func check(_ given: WiringPlan.Given, for component: Component) -> Bool {
    let need = given.need
    for provider in given.providers.map({ components[$0] }) {
      switch (provider.payload, need.payload) {
      case (nil, nil): break
      case (.some, nil):
        fail(
          component, "The Factory type `\(provider.title)` cannot be used as Dependency.")
        return false
      case (nil, .some(let payload)):
        fail(
          component,
          "Not found payload type. `\(provider.title)` takes no `\(payload.text)`.")
        return false
      case (.some(let wanted), .some(let payload)):
        guard wanted.identity != payload.identity, wanted.text != payload.text else { break }
        fail(
          component,
          "`\(provider.title)` takes the payload `\(wanted.text)`, not `\(payload.text)`.")
        return false
      }
    }
    return true
  }

  private mutating func checkCycles() {
    for cycle in WiringGraph.components(of: plan).cycles() { failCycle(cycle, "") }
  }

  /// An injector closes a cycle only if its component is cached, so that the cycle finds it again.
  /// Among other injectors, any cached component of the cycle is enough.
  private mutating func checkClosedCycles() {
    var told = Set(WiringGraph.components(of: plan).cycles())
    for position in plan.registrations.indices
    where !plan.registrations[position].later.isEmpty && !isKept(position) {
      let title = plan.registrations[position].component.title
      for cycle in WiringGraph.components(of: plan, completing: [position]).cycles()
      where cycle.contains(position) && told.insert(cycle).inserted {
        failCycle(cycle, ", and `\(title)`, which closes it, is not cached")
      }
    }
    let made = Set(plan.registrations.indices.filter { !isKept($0) })
    for cycle in WiringGraph.components(of: plan, completing: made, among: made).cycles()
    where told.insert(cycle).inserted {
      failCycle(cycle, ", and none of it is cached")
    }
  }

  private func isKept(_ position: Int) -> Bool {
    [.cached, .eager].contains(plan.registrations[position].component.lifecycle)
  }

  private mutating func failCycle(_ cycle: [Int], _ reason: String) {
    let members = cycle.map { plan.registrations[$0].component }
    let chain = (members + [members[0]]).map(\.title).joined(separator: " -> ")
    fail(members[0], "The circular dependency exists\(reason). (\(chain))")
  }

  /// Makes each component asynchronous that needs an asynchronous one.
  private mutating func spreadAsync() {
    for position in plan.registrations.indices {
      plan.registrations[position].isAsync = plan.registrations[position].component.isAsync
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      for position in plan.registrations.indices where !plan.registrations[position].isAsync {
        let registration = plan.registrations[position]
        let isMain = registration.component.isMainActor
        let needs = registration.sources.filter { $0.need.kind != .deferred }.flatMap(\.providers)
        guard
          needs.contains(where: { provider in
            plan.registrations[provider].isAsync
              || !isMain && plan.registrations[provider].component.isMainActor
          })
        else { continue }
        plan.registrations[position].isAsync = true
        isChanged = true
      }
    }
  }

  /// A provider and an injector do not wait, so they get an asynchronous component only if it is
  /// cached.
  private mutating func checkWaiting(_ registration: WiringPlan.Registration) {
    let deferred = registration.givens.filter { $0.need.kind == .deferred }
    for given in deferred + registration.later {
      let slow = given.providers.first { position in
        let provider = plan.registrations[position]
        let isKnown = !provider.component.isForeign || provider.component.lifecycle != nil
        return provider.isAsync && isKnown && !isKept(position)
      }
      guard let slow else { continue }
      let title = plan.registrations[slow].component.title
      let waiting = given.need.kind == .deferred ? "its provider" : "the injector"
      fail(
        registration.component,
        "`\(title)` is created asynchronously for each request, and \(waiting) does not wait."
          + " (\(registration.component.title) -> \(title))")
    }
  }

  /// A component that is cached, asynchronous or made on the main actor crosses threads.
  private mutating func checkSharing(_ registration: WiringPlan.Registration) {
    let component = registration.component
    if registration.isAsync, component.lifecycle == .eager {
      fail(
        component,
        "`\(component.title)` is eager and created asynchronously, and nothing waits for it.")
    }
    if !component.injectors.isEmpty, registration.isAsync || component.isMainActor {
      fail(
        component, "`\(component.title)` has an injector, so its creation must not need `await`.")
    }
    checkPayload(registration)
    let isTaken =
      component.type.isExistential
      ? isShared(component.type) : isTakenToBeSendable(component.type)
    guard !component.isSendable, !isTaken else { return }
    let reason: String? =
      switch component.lifecycle {
      case .cached, .once, .eager: component.lifecycle.map { "is \($0.rawValue)" }
      case .notCached, nil:
        !component.injectors.isEmpty
          ? "has an injector" : registration.isAsync ? "is made asynchronously" : nil
      }
    if let reason {
      fail(component, "`\(component.title)` \(reason) and is not `Sendable`.")
    } else if component.isMainActor, !isShared(component.type) {
      fail(
        component,
        "`\(component.title)` is made on the main actor and is not `Sendable`\(Self.remedy)")
    }
  }

  /// Whether a type is in no graph, and is not known to be not `Sendable`.
  private func isTakenToBeSendable(_ type: WiredType) -> Bool {
    let facts = TypeFacts(index: index, names: [:], unsharedNames: [])
    if !type.tokens.isEmpty { return facts.isSendable(TypeText(type.tokens)) }
    return type.usrs.allSatisfy { index.symbols[$0] == nil }
      && facts.isSendable(TypeText(parsing: type.text))
  }

  /// Registers every component under the types that its module declares for it, and under the
  /// requested types.
  private mutating func addAliases() {
    var asked: [WiredType] = []
    var seen: Set<String> = []
    for given in plan.registrations.flatMap({ $0.givens + $0.later })
    where seen.insert(given.need.type.identity).inserted {
      asked.append(given.need.type)
    }
    // A component of exactly the type answers for it. Components of a subtype stand beside it.
    var count: [[String]: Int] = [:]
    for component in components {
      count[[component.type.identity, component.name ?? ""], default: 0] += 1
    }
    for position in plan.registrations.indices {
      let component = plan.registrations[position].component
      var types = asked.filter { component.provides($0) }
      if component.isForeign {
        // Its own wiring already registers it under the types that its module knows.
        let known = Set(component.ancestors).filter { index.modules[$0] == component.module }
        for type in types where known.isSuperset(of: type.usrs) {
          count[[type.identity, component.name ?? ""], default: 0] += 1
        }
        types = types.filter { !known.isSuperset(of: $0.usrs) }
      } else {
        types += component.ancestors.filter { isOwn($0) }.map { WiredType(usr: $0, index) }
      }
      var identities: Set<String> = [component.type.identity]
      let aliases = types.filter { identities.insert($0.identity).inserted }
        .sorted { ($0.text, $0.identity) < ($1.text, $1.identity) }
      plan.registrations[position].aliases = aliases.map { WiringPlan.Alias(type: $0) }
      for alias in aliases { count[[alias.identity, component.name ?? ""], default: 0] += 1 }
    }
    for position in plan.registrations.indices {
      let component = plan.registrations[position].component
      for alias in plan.registrations[position].aliases.indices {
        let type = plan.registrations[position].aliases[alias].type
        guard count[[type.identity, component.name ?? ""], default: 0] > 1 else { continue }
        plan.registrations[position].aliases[alias].container = component.type.title
      }
    }
    dropUnsharedAliases(asked: asked)
  }

  /// Whether this module declares a protocol or class that a key can name. The name of a generic
  /// class is no type without arguments, which no graph contains.
  private func isOwn(_ usr: String) -> Bool {
    guard let symbol = index.symbols[usr], index.modules[usr] == module else { return false }
    return !symbol.isPrivate
      && (symbol.isProtocol || symbol.isClass && !index.isGeneric(usr))
  }
}
