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
    var called = given.map { [$0.label, $0.whole.identity] }
    if let payload = component.payload {
      called.append([Component.payloadLabel, payload.identity])
    }
    guard given.count < component.labels.count, component.rivals.contains(called) else { return }
    fail(
      component,
      "`\(component.title)` omits parameters with defaults, and Swift prefers the overload without them."
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
