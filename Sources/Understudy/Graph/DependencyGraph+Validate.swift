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
  ///
  /// Each member of a cycle is in a reported cycle, up to 64 cycles of one group. A longer cycle
  /// of the same members may remain after the reported ones are broken.
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
      guard edge.origin == .autowired, edge.kind != .deferred else { return nil }
      if let argument = to.argumentType {
        return Finding(
          .argumentNeeded, path, at: from.callSite, and: to.callSite,
          provider: to.isAwaitedEachTime
            ? nil : TypeDescription.provider(of: to.key.type, from: argument))
      }
      // A cached one may be resolved first.
      return to.isAwaitedEachTime
        ? Finding(.asynchronous, path, at: from.callSite, and: to.callSite) : nil
    }
  }

  /// Finds cached instances that hold, directly or through values created for them, a value that is
  /// not cached.
  private func captiveFindings() -> [Finding] {
    let needs = adjacency
    let components = Cycles.components(of: needs)
    let routes = CaptiveKind.allCases.map { kind in
      (kind: kind, next: nextSteps(to: kind, needs, components))
    }
    var findings: [Finding] = []
    for (holder, node) in nodes.enumerated() where node.lifecycle == .cached {
      for need in needs[holder] {
        for (kind, next) in routes where kind == .once || node.retention == .strong {
          var path = [holder, need]
          var seen = Set(path)
          while let last = path.last, nodes[last].captiveKind != kind, let further = next[last],
            seen.insert(further).inserted
          {
            path.append(further)
          }
          guard let last = path.last, nodes[last].captiveKind == kind else { continue }
          findings.append(
            Finding(
              .captive, path.map { nodes[$0].key }, at: node.callSite, and: nodes[last].callSite))
        }
      }
    }
    return findings
  }

  /// For each node that is created for its requester: the next node on a path to a short-lived
  /// value of a kind.
  private func nextSteps(
    to kind: CaptiveKind, _ needs: [[Int]], _ components: [[Int]]
  ) -> [Int?] {
    var next = [Int?](repeating: nil, count: nodes.count)
    for component in components {
      // One pass may not reach all members of a cycle. But a cycle is a finding of its own.
      for node in component where nodes[node].lifecycle == .notCached {
        next[node] = needs[node].first { nodes[$0].captiveKind == kind || next[$0] != nil }
      }
    }
    return next
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

/// The kinds of values that live shorter than a cached instance.
private enum CaptiveKind: CaseIterable {
  case once
  case weak
}

extension DependencyGraph.Node {
  fileprivate var captiveKind: CaptiveKind? {
    if lifecycle == .once { return .once }
    return retention == .weak ? .weak : nil
  }
}

extension DependencyGraph {
  /// A mistake in a graph.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The kind of the finding.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// No registration answers a dependency.
      case missing
      /// A dependency has no name, and its type has only registrations with names.
      case ambiguous
      /// Registrations depend on each other. `path` has exactly those, with the first again at its
      /// end.
      case cycle
      /// A cached instance holds a one-time or a weak value. `path` leads from the instance to the
      /// value.
      case captive
      /// One key was registered in two places, and only one of them answers.
      case duplicate
      /// An assembly of higher priority hides the registration, so it never answers.
      case shadowed
      /// A dependency takes an argument, and none is passed.
      case argumentNeeded
      /// An autowired dependency is created asynchronously and is not cached. `autowiring:` cannot
      /// wait for it.
      case asynchronous
    }

    /// The kind of the finding.
    public let kind: Kind
    /// The keys of the finding.
    public let path: [AnyKey]
    /// The place of the registration, if it is known.
    public let callSite: CallSite?
    package let otherCallSite: CallSite?
    /// The keys that the user may have meant.
    package let candidates: [AnyKey]
    /// The code for the provider to take, if the dependency takes an argument, and a provider can
    /// make it.
    private let provider: String?

    package init(
      _ kind: Kind, _ path: [AnyKey], at callSite: CallSite?, and otherCallSite: CallSite? = nil,
      candidates: [AnyKey] = [], provider: String? = nil
    ) {
      self.kind = kind
      self.path = path
      self.callSite = callSite
      self.otherCallSite = otherCallSite
      self.candidates = candidates
      self.provider = provider
    }

    /// The mistake, its place, and ways to correct it.
    public var description: String { message.description }
  }

  /// All findings of a graph.
  public struct ValidationError: Error, Sendable, CustomStringConvertible {
    /// The findings.
    public let findings: [Finding]

    /// The number of findings, and each finding in full.
    public var description: String {
      let count = counted(findings.count, "finding")
      return (["The dependency graph has \(count)."] + findings.map(\.description))
        .joined(separator: "\n\n")
    }
  }
}

extension DependencyGraph.Finding {
  var message: Message { Message(headline, facts: facts, remedies: remedies) }

  private var first: String { path.first.map(visible) ?? "" }
  private var last: String { path.last.map(visible) ?? "" }

  private func visible(_ value: some CustomStringConvertible) -> String {
    value.description.withInvisibleScalarsEscaped
  }

  private var headline: String {
    switch kind {
    case .missing: "\(first) needs \(last), and nothing is registered for it."
    case .ambiguous: "\(first) needs \(last), and only other keys of its type are registered."
    case .cycle: "\(first) needs itself."
    case .captive: "\(first) is cached and holds \(last), which is not."
    case .duplicate: "\(first) is registered twice."
    case .shadowed: "A registration of \(first) never answers: another registration shadows it."
    case .argumentNeeded: "\(first) needs \(last), which takes an argument."
    case .asynchronous:
      "\(first) is autowired, and needs \(last), which is created asynchronously."
    }
  }

  private var facts: [Message.Fact] {
    var facts: [Message.Fact] = []
    if path.count > 1 {
      facts.append(Message.Fact("Path", path.map(\.visibleStep).joined(separator: " → ")))
    }
    if let callSite { facts.append(Message.Fact("At", visible(callSite))) }
    if let otherCallSite {
      facts.append(Message.Fact(kind == .duplicate ? "And" : "Other", visible(otherCallSite)))
    }
    if !candidates.isEmpty {
      facts.append(Message.Fact("Registered", firstCandidates.joined(separator: "\n")))
    }
    return facts
  }

  /// The first ten candidates. A type may have thousands of names.
  private var firstCandidates: [String] {
    let rest = candidates.count - 10
    return candidates.prefix(10).map(visible) + (rest > 0 ? ["… and \(rest) more"] : [])
  }

  /// The remedy that asks for the only registration of the type.
  private var askingForCandidate: [String] {
    guard candidates.count == 1, !candidates[0].labels.isEmpty else { return [] }
    return ["Ask for it in a block:  try resolver.resolve(\(visible(candidates[0].arguments)))"]
  }

  private var remedies: [String] {
    switch kind {
    case .missing: askingForCandidate + ["Register \(last).", "Ask for it as an optional."]
    case .ambiguous: ["Ask for one of them by its name.", "Register one without a name."]
    case .cycle: ["Take a Provider of one of them.", "Register one of them with 'then:'."]
    case .captive: ["Take a Provider of it.", "Keep both, or neither."]
    case .duplicate: ["Remove one of them.", "Give one a name."]
    case .shadowed: ["Remove it.", "Allow it:  validate(ignoring: [.shadowed])"]
    case .argumentNeeded:
      (provider.map { ["Take a Provider of a function:  \($0)"] } ?? [])
        + ["Resolve it with its argument in a block."]
    case .asynchronous:
      [
        "Wait for it in an asynchronous block:  "
          + "resolver.register { r in …(try await r.resolveAsync()) }",
        "Resolve it before, and keep it:  lifecycle: .cached",
      ]
    }
  }
}
