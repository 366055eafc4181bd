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
        resolver: name == nil ? nil : descriptionUnlessMain, isEndless: isEndless)
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

  /// A description of the resolver, if it is not `Resolver.main`: `'shop'`.
  var descriptionUnlessMain: String? {
    self === Resolver.main ? nil : name.map { "'\($0)'" } ?? "an unnamed resolver"
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
