// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension DependencyGraph {
  /// Something that is wrong with a graph.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// Something is needed and nothing answers it.
      case missing
      /// Something is needed without a name, and only registrations with different names are there.
      case ambiguous
      /// Some registrations need each other. `path` has exactly those, the first again at its end.
      case cycle
      /// Something that is kept holds something that is not: a one-time value or a weak one. `path`
      /// leads from the one to the other.
      case captive
      /// One key was registered in two places, and only one of them answers.
      case duplicate
      /// A registration stands behind one of an assembly of higher priority and never answers.
      case shadowed
      /// Something that takes an argument is needed where none is passed.
      case argumentNeeded
    }

    /// What is wrong.
    public let kind: Kind
    /// What it is about.
    public let path: [AnyKey]
    /// Where to look.
    public let callSite: CallSite?
    /// The other place, if there are two.
    package let otherCallSite: CallSite?
    /// What may have been meant.
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

    /// What is wrong, where, and ways to fix it.
    public var description: String { message.description }
  }

  /// Everything that is wrong with a graph, at once.
  public struct ValidationError: Error, Sendable, CustomStringConvertible {
    /// Everything that was found.
    public let findings: [Finding]

    /// How much was found, and each finding in full.
    public var description: String {
      let count = "\(findings.count) finding\(findings.count == 1 ? "" : "s")"
      return (["The dependency graph has \(count)."] + findings.map(\.description))
        .joined(separator: "\n\n")
    }
  }
}

extension DependencyGraph.Finding {
  var message: Message {
    Message(headline, facts: facts, remedies: remedies)
  }

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
    case .shadowed: "A registration of \(first) never answers: another one stands before it."
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
      facts.append(
        Message.Fact("Registered", candidates.map(visible).joined(separator: "\n")))
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
