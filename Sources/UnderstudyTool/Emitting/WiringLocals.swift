// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The names of the parameters and constants of an assembly. They must not hide a component's name.
struct WiringLocals: Hashable {
  private(set) var registrar = "registrar"
  private(set) var resolver = "r"
  private(set) var value = "value"
  private(set) var payload = "payload"
  private(set) var key = "key"

  init(_ plan: WiringPlan) {
    var taken: Set<String> = []
    for registration in plan.registrations {
      let component = registration.component
      let givens = registration.sources + registration.later
      var texts =
        [component.type.text] + givens.map(\.need.metatype) + registration.aliases.map(\.type.text)
      if case .shared(let name) = component.maker { texts.append(name) }
      for text in texts { taken.formUnion([Token](parsing: text).map(\.text)) }
    }
    func free(_ name: String) -> String {
      var name = name
      while taken.contains(name) { name += "_" }
      return name
    }
    registrar = free(registrar)
    resolver = free(resolver)
    value = free(value)
    payload = free(payload)
    key = free(key)
  }
}
