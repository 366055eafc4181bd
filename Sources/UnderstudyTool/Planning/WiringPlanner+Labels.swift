// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// An omitted parameter must not be confused with a given one.
extension WiringPlanner {
  /// Finds arguments that Swift would pass to an earlier parameter, which has the same label and is
  /// omitted.
  mutating func checkLabels(_ registration: WiringPlan.Registration) {
    let component = registration.component
    // A missing argument is already reported, and is not an omitted one.
    guard registration.givens.count == component.needs.count,
      registration.later.count == component.injectors.flatMap(\.needs).count
    else { return }
    checkLabels(registration.givens, of: component.labels, component)
    for (injector, givens) in registration.injections {
      checkLabels(givens, of: injector.labels, component)
    }
  }

  /// Finds an overload that Swift would call instead, or cannot tell from the component's own
  /// initialiser or function. An overload that cannot be known to be one of these is none.
  mutating func checkRivals(_ registration: WiringPlan.Registration) {
    let component = registration.component
    guard registration.givens.count == component.needs.count else { return }
    let omitted = registration.givens.filter(\.isOmitted).map(\.need.whole.identity)
    let called = registration.called
    let count = component.labels.count + (component.payload == nil ? 0 : 1)
    let isSynchronousCall = registration.isAsync && !component.isAsyncFunction
    let rival = component.rivals.first { rival in
      guard !rival.isLast, let defaults = rival.parameters.defaults(around: called) else {
        return false
      }
      // Swift prefers an asynchronous overload in an asynchronous block, and calls none in a
      // synchronous one.
      if rival.isAsync != (registration.isAsync && component.isAsyncFunction) {
        return rival.isAsync && registration.isAsync
      }
      // Otherwise it prefers the one with fewer parameters.
      if rival.parameters.count != count { return rival.parameters.count < count }
      return !rival.isFailable && !mayPrefer(omitted, to: defaults)
    }
    // Functions that differ in their results are told apart.
    guard let rival, called.count < count || component.maker == .initializer else { return }
    if rival.isAsync, isSynchronousCall {
      fail(
        component,
        "`\(component.title)` is called in an asynchronous block, and Swift prefers the"
          + " asynchronous overload there.")
      return
    }
    guard called.count < count else { return }
    let isWhole = rival.parameters.count == called.count
    fail(
      component,
      "`\(component.title)` omits parameters with defaults, and "
        + (isWhole
          ? "Swift prefers the overload without them." : "an overload takes the same arguments.")
    )
  }

  /// Whether Swift may prefer a call that omits parameters of some types to a call that omits
  /// equally many of others. It does if each type is converted to the other one. A type that the
  /// tool cannot read is missing.
  private func mayPrefer(_ own: [String], to others: [String]) -> Bool {
    own.count != others.count
      || own != others && zip(own, others).allSatisfy { $0 == $1 || !isOnlyItself($1) }
  }

  /// Whether no value of another type is converted to a type.
  private func isOnlyItself(_ type: String) -> Bool {
    guard type.hasPrefix("s:"), !type.contains(" ") else { return false }
    if let symbol = index.symbols[type] {
      return ["swift.struct", "swift.enum"].contains(symbol.kind.identifier)
    }
    return !StandardProtocol.isProtocol(type) && !["C", "P"].contains(type.last)
      && type != "s:s11AnyHashableV"
  }

  private mutating func checkLabels(
    _ givens: [WiringPlan.Given], of labels: [String], _ component: Component
  ) {
    var rest = givens.filter { !$0.isOmitted }.map { ($0.need.label, $0.need.position) }
    if component.payload != nil { rest.append((Component.payloadLabel, labels.count)) }
    for (position, label) in labels.enumerated() {
      guard let next = rest.first, next.0 == label else { continue }
      guard next.1 == position else {
        let what = label == "_" ? "without a label" : "`\(label)`"
        fail(
          component,
          "`\(component.title)` omits a parameter \(what) and passes a later one \(what):"
            + " Swift would take it for the first.")
        return
      }
      rest.removeFirst()
    }
  }
}

extension [Component.Parameter] {
  /// The types of the parameters that a call omits, or `nil` if the others do not take its
  /// arguments.
  func defaults(around arguments: [Component.Parameter]) -> [String]? {
    var rest = arguments[...]
    var omitted: [String] = []
    for parameter in self {
      if let next = rest.first, next.label == parameter.label {
        guard next.type == parameter.type else { return nil }
        rest.removeFirst()
      } else if parameter.hasDefault {
        omitted.append(parameter.type)
      } else {
        return nil
      }
    }
    return rest.isEmpty ? omitted : nil
  }
}
