// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer: CustomStringConvertible {
  /// What the layer overrides, and how often each was made and reused.
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
      "  \(key.step)  made \(counts.made), reused \(counts.reused), missed \(counts.missed)"
    }
    let place = callSite.isKnown ? " at \(callSite)" : ""
    return (["layer '\(name)'\(place)"] + overrides + others).joined(separator: "\n")
  }

  /// What another layer overrides and resolved otherwise than this one, a line each; empty if
  /// nothing.
  ///
  /// - Parameter other: What this layer is compared with.
  /// - Returns: Lines that begin with `-` for what only this layer has, `+` for what only the other
  ///   has.
  public func diff(_ other: OverrideLayer) -> String {
    let own = lines
    let others = other.lines
    let removed = own.filter { !others.contains($0) }.map { "- \($0)" }
    let added = others.filter { !own.contains($0) }.map { "+ \($0)" }
    return (removed + added).joined(separator: "\n")
  }

  private var lines: [String] {
    store.all.map { "overrides \($0.key.step)" }
      + log.allCounts.map { key, counts in
        "\(key.step): made \(counts.made), reused \(counts.reused), missed \(counts.missed)"
      }
  }
}
