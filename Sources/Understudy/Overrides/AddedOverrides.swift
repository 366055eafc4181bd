// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The overrides that were added to a layer, in order. The first is stored inline, since many
/// layers have only one.
package struct AddedOverrides: Sendable {
  private var first: AnyRegistration?
  private var others: [AnyRegistration] = []

  var count: Int { first == nil ? 0 : others.count + 1 }

  mutating func append(_ registration: AnyRegistration) {
    guard first != nil else { return first = registration }
    // Few tests have more than 8 overrides, and this avoids growing step by step.
    if others.isEmpty { others.reserveCapacity(8) }
    others.append(registration)
  }

  var all: [AnyRegistration] {
    var all: [AnyRegistration] = []
    all.reserveCapacity(count)
    forEach { all.append($0) }
    return all
  }

  func forEach(_ body: (AnyRegistration) -> Void) {
    guard let first else { return }
    body(first)
    for other in others { body(other) }
  }
}
