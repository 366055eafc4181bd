// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// How many resolutions may ask for each other, one within the block of the other.
  ///
  /// A cycle is found at once, whatever this is; it bounds recursion with arguments.
  public static let maximumDepth = 256

  func error(
    _ reason: ResolutionError.Reason, _ request: Request, path: [AnyKey],
    registration: AnyRegistration?, under start: OverrideLayer?, note: String? = nil
  ) -> ResolutionError {
    guard case .missing = reason else {
      return ResolutionError(
        reason, key: request.key, path: path, callSite: request.callSite,
        registeredAt: registration?.callSite, note: note)
    }
    return ResolutionError(
      reason, key: request.key, path: path, callSite: request.callSite,
      consulted: consulted(from: start),
      nearMisses: registrations(from: start).map(\.key).filter { $0 != request.key }
        .nearMisses(of: request.key))
  }

  /// What is looked at for an answer: each layer, innermost first, then production.
  func consulted(from start: OverrideLayer?) -> [ResolutionError.Consulted] {
    var consulted: [ResolutionError.Consulted] = []
    var layer = start?.nearest(of: self)
    while let next = layer {
      consulted.append(.init(layer: next.name, registrationCount: next.store.all.count))
      layer = next.next(of: self)
    }
    consulted.append(.init(layer: nil, registrationCount: store.all.count))
    return consulted
  }

  /// What a strict layer says when production answers (O8).
  func fallThroughMessage(
    _ request: Request, path: [AnyKey], under layer: OverrideLayer
  ) -> Message {
    let type = TypeDescription.of(request.key.type)
    return Message(
      "\(request.key) fell through to production under the strict layer '\(layer.name)'.",
      facts: Message.facts(path: path, at: request.callSite, consulted(from: layer)),
      remedies: [
        "Override it:  \(request.key.overrideCode)",
        "Allow it:  .overrides(.strict, allowing: (\(type)).self) { … }",
      ])
  }
}

extension [AnyKey] {
  /// The keys that somebody may have meant: the same type under another name, the nearest first, or in
  /// another container; failing that, what has the name and is of another type, or types of nearly the same
  /// name. At most three.
  fileprivate func nearMisses(of key: AnyKey) -> [AnyKey] {
    var seen: Set<AnyKey> = []
    let unique = filter { seen.insert($0).inserted }
    let sameType = unique.filter { $0.type == key.type }
    guard sameType.isEmpty else { return Array(sameType.nearestFirst(to: key).prefix(3)) }
    let sameName = unique.filter { $0.name != nil && $0.name == key.name }
    guard sameName.isEmpty else { return Array(sameName.prefix(3)) }
    let wanted = key.bareTypeName
    let close = unique.map { (key: $0, distance: $0.bareTypeName.editDistance(to: wanted)) }
      .filter { $0.distance <= Swift.max(1, wanted.count / 4) }
      .sorted { $0.distance < $1.distance }
    return close.prefix(3).map(\.key)
  }

  /// The keys by how far their names are from a text; in their order, if that is none or they are very many.
  private func nearestFirst(to key: AnyKey) -> [AnyKey] {
    guard let name = key.name?.base as? String, count <= 1_000 else { return self }
    let distances = map { ($0.name?.base as? String)?.editDistance(to: name) ?? .max }
    return indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.map { self[$0] }
  }
}

extension AnyKey {
  /// The type's name without `any`.
  fileprivate var bareTypeName: String { String(describing: type).lowercased() }
}
