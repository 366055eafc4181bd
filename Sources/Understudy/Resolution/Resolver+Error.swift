// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  func error(
    _ reason: ResolutionError.Reason, _ request: Request, path: [AnyKey],
    registration: AnyRegistration?, _ levels: LevelStack, from start: LevelStore?,
    note: String? = nil, isEndless: Bool = false, place: MessagePlace? = nil
  ) -> ResolutionError {
    switch reason {
    case .missing: break
    case .fellThrough, .mustBeOverridden:
      return ResolutionError(
        reason, key: path.last ?? request.key, path: path, callSite: request.callSite,
        registeredAt: reason.guardian == nil ? nil : registration?.callSite,
        consulted: consulted(levels, from: start), place: place ?? .current)
    default:
      return ResolutionError(
        reason, key: request.key, path: path, callSite: request.callSite,
        registeredAt: registration?.callSite, note: note,
        resolver: name == nil ? nil : description(ifOther: .main), isEndless: isEndless)
    }
    let usedUp = levels.reading { () -> (registered: CallSite, handedOut: CallSite)? in
      var level = start ?? levels.production
      while true {
        if let found = level.state.value.usedUp.last(where: { $0.key == request.key }) {
          return (found.registered, found.handedOut)
        }
        guard let outer = levels.level(below: level) else { return nil }
        level = outer
      }
    }
    // Unordered, since few errors are read.
    let known = levels.reading {
      levels.unorderedRegistrations(from: start).map {
        ResolutionError.KnownKey(key: $0.key, serial: $0.serial)
      }
    }
    return ResolutionError(
      reason, key: request.key, path: path, callSite: request.callSite,
      registeredAt: usedUp?.registered, handedOutAt: usedUp?.handedOut,
      consulted: consulted(levels, from: start), known: known, place: .current)
  }

  /// A description of the resolver, if it is another one: `'shop'`.
  func description(ifOther resolver: Resolver) -> String? {
    self === resolver ? nil : name.map { "'\($0)'" } ?? "an unnamed resolver"
  }

  /// The searched levels: each layer, innermost first, then production, then the parents of the
  /// resolver.
  func consulted(_ levels: LevelStack, from start: LevelStore?) -> [ResolutionError.Consulted] {
    levels.reading {
      var consulted: [ResolutionError.Consulted] = []
      var layer = start
      while let next = layer {
        if levels.isOverridden(by: next) {
          consulted.append(.init(layer: next.label?.name ?? "", next.state.value.all))
        }
        layer = next.outer
      }
      for resolver in lineage {
        let count = resolver.store.state.value.visible.count
        consulted.append(.init(productionOf: resolver, registrationCount: count))
      }
      return consulted
    }
  }
}

extension [ResolutionError.KnownKey] {
  /// The keys that are similar to another one, at most three.
  func nearMisses(of key: AnyKey) -> [AnyKey] {
    ordered { $0.serial }.map(\.key).nearMisses(of: key)
  }
}

extension [AnyKey] {
  /// The keys that the user may have meant: the same type with another name, nearest first, or in
  /// another container; otherwise the same name with another type, or types with nearly the same
  /// name. At most three.
  fileprivate func nearMisses(of key: AnyKey) -> [AnyKey] {
    var seen: Set<AnyKey> = [key]
    let unique = filter { seen.insert($0).inserted }
    let sameType = unique.filter { $0.type == key.type }
    guard sameType.isEmpty else { return Array(sameType.nearestFirst(to: key).prefix(3)) }
    let sameName = unique.filter { $0.name != nil && $0.name == key.name }
    guard sameName.isEmpty else { return Array(sameName.prefix(3)) }
    let wanted = key.bareTypeName
    let close = unique.map { (key: $0, distance: $0.bareTypeName.editDistance(to: wanted)) }
      .filter { $0.distance <= Swift.max(1, wanted.count / 4) }
      .ordered { $0.distance }
    return close.prefix(3).map(\.key)
  }

  /// The keys by the distance of their names from a name. Without a name, or with very many keys,
  /// they keep their order.
  private func nearestFirst(to key: AnyKey) -> [AnyKey] {
    guard let name = key.name?.base as? String, count <= 1_000 else { return self }
    return ordered { ($0.name?.base as? String)?.editDistance(to: name) ?? .max }
  }
}

extension AnyKey {
  /// The type's name without `any`.
  fileprivate var bareTypeName: String { String(describing: type).lowercased() }
}
