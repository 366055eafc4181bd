// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ResolutionError {
  package var message: Message {
    Message(headline, facts: facts, remedies: remedies, hint: hint)
  }

  private var headline: String {
    switch reason {
    case .missing: "No registration for \(key)."
    case .released: "The object registered weakly for \(key) is gone."
    case .notAnObject: "\(key) was registered 'weak:', but a value type cannot be held weakly."
    case .argument(let expected, nil):
      "\(key) takes an argument of type '\(name(expected))', and none was given."
    case .argument(let expected, let given?):
      "\(key) takes an argument of type '\(name(expected))', not '\(name(given))'."
    case .cycle: "Making \(key) needs \(key) itself."
    case .tooDeep: "Making \(key) goes more than \(Resolver.maximumDepth) resolutions deep."
    case .notShareable: "\(key) may not be kept: its type is not known to be Sendable."
    case .failed(let error): "The block registered for \(key) threw an error: \(error)"
    }
  }

  private var facts: [Message.Fact] {
    var facts: [Message.Fact] = []
    if path.count > 1 {
      facts.append(Message.Fact("Requested by", path[path.count - 2].step))
      facts.append(Message.Fact("Path", path.map(\.step).joined(separator: " → ")))
    }
    facts.append(Message.Fact("At", "\(callSite)"))
    if let registeredAt { facts.append(Message.Fact("Registered", "\(registeredAt)")) }
    if !consulted.isEmpty {
      facts.append(Message.Fact("Consulted", consulted.map(\.text).joined(separator: ", ")))
    }
    return facts
  }

  private var remedies: [String] {
    let type = name(key.type)
    let example = key.isPlain ? type : "\(type)\(key.isPlain ? "" : " …")"
    switch reason {
    case .missing:
      return [
        "Register it:  resolver.register\(labels) { … as \(type) }",
        "Override it:  @Test(.overrides { $0.register\(labels) { … as \(type) } })",
      ]
    case .released:
      return [
        "Keep the object for as long as it is asked for.",
        "Ask for '\(type)?', which is nil when the object is gone.",
      ]
    case .notAnObject:
      return [
        "Register the value itself:  resolver.register(value)",
        "Register an object:  resolver.register(weak: object)",
      ]
    case .argument(let expected, _):
      return [
        "Pass one:  resolver.resolve(\(example).self, with: … as \(name(expected)))",
        "Register a block that takes what is passed.",
      ]
    case .cycle:
      return [
        "Ask for one of them later:  @LazyInject",
        "Take what both need into a third registration.",
      ]
    case .tooDeep:
      return ["End the recursion, or build the value in a loop within one block."]
    case .notShareable:
      return ["Make '\(type)' Sendable, or register it with .notCached."]
    case .failed:
      return []
    }
  }

  private var hint: String? {
    guard let first = nearMisses.first else { return nil }
    let rest = nearMisses.dropFirst().map { "\($0)" }
    return "Did you mean " + (["\(first)"] + rest).joined(separator: ", or ") + "?"
  }

  private var labels: String {
    var labels: [String] = []
    if let name = key.name { labels.append("named: \(name)") }
    if let container = key.container { labels.append("in: \(container)") }
    return labels.isEmpty ? "" : "(\(labels.joined(separator: ", ")))"
  }

  private func name(_ type: any Any.Type) -> String { TypeDescription.of(type) }
}

extension ResolutionError.Consulted {
  fileprivate var text: String {
    let count = "\(registrationCount) registration\(registrationCount == 1 ? "" : "s")"
    return "\(layer.map { "layer '\($0)'" } ?? "production") (\(count))"
  }
}
