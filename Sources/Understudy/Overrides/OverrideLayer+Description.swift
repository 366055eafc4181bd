// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer: CustomStringConvertible {
  /// The overrides of the layer, and how often the value of each was created and reused.
  ///
  /// ```
  /// layer 'a confirmed order' at Shop/CheckoutTests.swift:12
  ///   any Mailer  overridden at Shop/CheckoutTests.swift:13, made 1, reused 0
  /// ```
  public var description: String {
    let overridden = Set(store.all.map(\.key))
    let overrides = store.all.map { registration in
      let counts = log.counts(of: registration.key)
      return "  \(registration.key.step)  overridden at \(registration.callSite), "
        + "made \(counts.made), reused \(counts.reused)"
    }
    let others = log.allCounts.filter { !overridden.contains($0.key) }.map { key, counts in
      "  \(key.step)  \(counts.text)"
    }
    let place = callSite.isKnown ? " at \(callSite)" : ""
    return (["layer '\(name)'\(place)"] + overrides + others).joined(separator: "\n")
  }
}
