// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The differences between the overrides and resolutions of two layers, one line for each: lines
  /// that begin with `-` for entries of this layer alone, and with `+` for entries of the other one
  /// alone.
  ///
  /// The overrides are those of layers that are live: a layer that has ended has none.
  public func diff(_ other: OverrideLayer) -> String {
    let own = lines
    let others = other.lines
    let removed = own.filter { !others.contains($0) }.map { "- \($0)" }
    let added = others.filter { !own.contains($0) }.map { "+ \($0)" }
    return (removed + added).joined(separator: "\n")
  }

  private var lines: [String] {
    store.all.map { "overrides \($0.key.step)" }
      + log.allCounts.map { "\($0.key.step): \($0.counts.text)" }
  }
}
