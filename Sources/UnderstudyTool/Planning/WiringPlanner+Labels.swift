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
      registration.later.count == component.injector?.needs.count ?? 0
    else { return }
    checkLabels(registration.givens, of: component.labels, component)
    checkLabels(registration.later, of: component.injector?.labels ?? [], component)
    let given = registration.givens.filter { !$0.isOmitted }.map(\.need)
    var called = given.map { Component.Parameter(label: $0.label, type: $0.whole.identity) }
    if let payload = component.payload {
      called.append(.init(label: Component.payloadLabel, type: payload.identity))
    }
    // Swift prefers the overload with fewer parameters, and cannot choose between equally many.
    let count = component.labels.count + (component.payload == nil ? 0 : 1)
    guard called.count < count,
      let rival = component.rivals.first(where: { $0.count <= count && $0.takes(called) })
    else { return }
    let isWhole = rival.count == called.count
    fail(
      component,
      "`\(component.title)` omits parameters with defaults, and "
        + (isWhole
          ? "Swift prefers the overload without them." : "an overload takes the same arguments.")
    )
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
  /// Whether these parameters take all arguments of a call, apart from omitted defaults.
  fileprivate func takes(_ arguments: [Component.Parameter]) -> Bool {
    var rest = arguments[...]
    for parameter in self {
      if rest.first?.label == parameter.label, rest.first?.type == parameter.type {
        rest.removeFirst()
      } else if !parameter.hasDefault {
        return false
      }
    }
    return rest.isEmpty
  }
}
