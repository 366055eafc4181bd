// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The doubles of a run that other doubles may return without a stub. They are the ones with
/// `init()`.
///
/// A double must not create itself. So a double returns no other double from whose protocol its own
/// can be reached.
struct DoubleReferences {
  /// The names of the doubles with `init()`, by protocol.
  private var names: [String: String] = [:]
  /// The protocols of those doubles that each protocol's requirements mention.
  private var mentioned: [String: Set<String>] = [:]

  init(_ models: [ProtocolModel], _ index: GraphIndex) {
    var owners: [String: Int] = [:]
    for model in models { owners[DoublePlanner.name(of: model, index), default: 0] += 1 }
    for model in models where Self.isPlain(model) {
      let name = DoublePlanner.name(of: model, index)
      if owners[name] == 1 { names[model.usr] = name }
    }
    for model in models {
      mentioned[model.usr] = Set(model.tokens.compactMap(\.usr)).filter { names[$0] != nil }
    }
  }

  /// The doubles that the double of a protocol may return, by their protocols.
  func names(for usr: String) -> [String: String] {
    guard let own = mentioned[usr], !own.isEmpty else { return [:] }
    return names.filter { own.contains($0.key) && !isReached(usr, from: $0.key) }
  }

  /// Removes protocols that turned out to have no double.
  ///
  /// - Returns: Whether a double could have returned one of them.
  mutating func remove(_ usrs: some Sequence<String>) -> Bool {
    var isRemoved = false
    for usr in usrs where names.removeValue(forKey: usr) != nil {
      isRemoved = isRemoved || mentioned.values.contains { $0.contains(usr) }
    }
    return isRemoved
  }

  private func isReached(_ usr: String, from start: String) -> Bool {
    var seen: Set<String> = [start]
    var open = [start]
    while let next = open.popLast() {
      if next == usr { return true }
      for other in mentioned[next] ?? [] where seen.insert(other).inserted { open.append(other) }
    }
    return false
  }

  /// Whether `init()` creates the double outside any isolation.
  private static func isPlain(_ model: ProtocolModel) -> Bool {
    model.superclass?.isPlain != false && model.associatedTypes.isEmpty && model.globalActor == nil
      && model.availability.isEmpty
      && !model.requirements.contains { requirement in
        requirement.declaration.kind == .initializer && requirement.declaration.parameters.isEmpty
      }
  }
}
