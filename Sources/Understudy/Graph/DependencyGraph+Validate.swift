// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension DependencyGraph {
  /// Throws all findings at once, or returns if there are none. No block runs.
  ///
  /// - Parameter ignored: The kinds of findings that are allowed.
  /// - Throws: `ValidationError`, with every finding.
  /// - Complexity: O(registrations + edges), besides the cycles that are found.
  public func validate(ignoring ignored: Set<Finding.Kind> = []) throws(ValidationError) {
    let findings = findings.filter { !ignored.contains($0.kind) }
    if !findings.isEmpty { throw ValidationError(findings: findings) }
  }

  /// All findings: by kind, then in the order of registration.
  public var findings: [Finding] {
    let all = needFindings() + cycleFindings() + captiveFindings() + notices
    return Finding.Kind.allCases.flatMap { kind in all.filter { $0.kind == kind } }
  }

  private func needFindings() -> [Finding] {
    var candidates: [ObjectIdentifier: [AnyKey]] = [:]
    for node in nodes where node.kind == .registered {
      candidates[ObjectIdentifier(node.key.type), default: []].append(node.key)
    }
    return edges.compactMap { edge in
      let (from, to) = (nodes[edge.from], nodes[edge.to])
      let path = [from.key, to.key]
      if to.kind == .missing {
        let others = candidates[ObjectIdentifier(to.key.type)] ?? []
        let isAmbiguous = others.count > 1 && to.key.isPlain
        return Finding(
          isAmbiguous ? .ambiguous : .missing, path, at: from.callSite, candidates: others)
      }
      guard to.argumentType != nil, edge.origin == .autowired, edge.kind != .deferred else {
        return nil
      }
      return Finding(.argumentNeeded, path, at: from.callSite, and: to.callSite)
    }
  }

  /// Finds cached instances that hold, directly or through values created for them, a value that is
  /// not cached.
  private func captiveFindings() -> [Finding] {
    let needs = adjacency
    // For each node that is created for its requester: the next node on a path to a short-lived
    // value.
    var next = [Int?](repeating: nil, count: nodes.count)
    for component in Cycles.components(of: needs) {
      // One pass may not reach all members of a cycle. But a cycle is a finding of its own.
      for node in component where nodes[node].lifecycle == .notCached {
        next[node] = needs[node].first { nodes[$0].isShortLived || next[$0] != nil }
      }
    }
    var findings: [Finding] = []
    for (holder, node) in nodes.enumerated() where node.lifecycle == .cached {
      for need in needs[holder] {
        var path = [holder, need]
        var step = need
        while !nodes[step].isShortLived, let further = next[step], !path.contains(further) {
          path.append(further)
          step = further
        }
        let isHeldTooLong =
          nodes[step].lifecycle == .once
          || nodes[step].retention == .weak && node.retention == .strong
        guard isHeldTooLong else { continue }
        findings.append(
          Finding(
            .captive, path.map { nodes[$0].key }, at: node.callSite, and: nodes[step].callSite))
      }
    }
    return findings
  }

  private func cycleFindings() -> [Finding] {
    cycles().map { cycle in
      Finding(.cycle, (cycle + [cycle[0]]).map { nodes[$0].key }, at: nodes[cycle[0]].callSite)
    }
  }

  /// The cycles, up to the limit, each starting with the member that was registered first.
  package func cycles() -> [[Int]] {
    let needs = adjacency
    guard nodes.contains(where: \.isCompletedLater) else { return Cycles.all(in: needs) }
    // A completion closes its cycle after everything is created. But if nothing in the cycle is
    // cached, each value would need another new value.
    let atOnce = needs.indices.map { nodes[$0].isCompletedLater ? [] : needs[$0] }
    let unkept = needs.indices.map { nodes[$0].lifecycle == .cached ? [] : needs[$0] }
    return Set(Cycles.all(in: atOnce) + Cycles.all(in: unkept))
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  private var adjacency: [[Int]] {
    var needs = [[Int]](repeating: [], count: nodes.count)
    for edge in edges where edge.kind != .deferred { needs[edge.from].append(edge.to) }
    return needs
  }
}
