// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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

    package init(
      _ kind: Kind, _ path: [AnyKey], at callSite: CallSite?, and otherCallSite: CallSite? = nil,
      candidates: [AnyKey] = []
    ) {
      self.kind = kind
      self.path = path
      self.callSite = callSite
      self.otherCallSite = otherCallSite
      self.candidates = candidates
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
      let count = "\(findings.count) finding\(findings.count == 1 ? "" : "s")"
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
    case .ambiguous: "\(first) needs \(last), and only others of its type are registered."
    case .cycle: "\(first) needs itself."
    case .captive: "\(first) is kept and holds \(last), which is not."
    case .duplicate: "\(first) is registered twice."
    case .shadowed: "A registration of \(first) never answers: another registration shadows it."
    case .argumentNeeded: "\(first) needs \(last), which takes an argument."
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
      facts.append(Message.Fact("Registered", candidates.map(visible).joined(separator: "\n")))
    }
    return facts
  }

  private var remedies: [String] {
    switch kind {
    case .missing: ["Register \(last).", "Ask for it as an optional."]
    case .ambiguous: ["Ask for one of them by its name.", "Register one without a name."]
    case .cycle: ["Take a Provider of one of them.", "Register one of them with 'then:'."]
    case .captive: ["Take a Provider of it.", "Keep both, or neither."]
    case .duplicate: ["Remove one of them.", "Give one a name."]
    case .shadowed: ["Remove it.", "Allow it:  validate(ignoring: [.shadowed])"]
    case .argumentNeeded:
      ["Take a Provider of a function to it.", "Resolve it with its argument in a block."]
    }
  }
}
