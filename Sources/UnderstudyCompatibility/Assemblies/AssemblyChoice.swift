// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Resolves every registration of a type in the chosen assemblies, also those that another
  /// assembly hides. `resolve([T].self)` has the answering ones alone.
  ///
  /// The assemblies are those that this resolver has loaded. A parent's assemblies are left out,
  /// although their registrations answer here.
  ///
  /// A `.once` registration that was resolved is left out. If it was resolved above a boundary
  /// layer, it is left out there alone. A weakly held object that is gone is left out, too. A
  /// layer's override of a key replaces all registrations of that key, in the place of the first.
  ///
  /// - Parameters:
  ///   - type: The requested type.
  ///   - choice: The assemblies, and their order.
  ///   - name: The name of the registrations. By default any name.
  /// - Returns: The values, assembly by assembly, each in the order of registration.
  /// - Throws: `ResolutionError`, if one of the blocks fails.
  public func resolve<Value>(
    all type: Value.Type, from choice: AssemblyChoice, named name: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> [Value] {
    let callSite = CallSite(fileID, filePath, line, column)
    let members = members(of: type, choice, name.map { KeyName($0) })
    return try claiming { (claims) throws(ResolutionError) -> [Value] in
      var values: [Value] = []
      var overridden: Set<AnyKey> = []
      for member in members {
        let request = Request(member.key, at: callSite)
        let top = try layerOfCaller(request)
        let isOverridden = isReplaced(request, under: top)
        if isOverridden, !overridden.insert(member.key).inserted { continue }
        let isInFront = isOverridden || store.answers(member)
        let value: Value? = try value(
          for: request, under: top, ofMember: isInFront ? nil : member, claiming: &claims)
        if let value { values.append(value) }
      }
      return values
    }
  }

  /// True if a layer answers a request without production.
  private func isReplaced(_ request: Request, under top: OverrideLayer?) -> Bool {
    answers(to: request.key, under: top).contains {
      $0.isOfLayer && !$0.registration.shadowsOthers(in: $0.level)
    }
  }

  private func members(
    of type: any Any.Type, _ choice: AssemblyChoice, _ name: KeyName?
  ) -> [AnyRegistration] {
    let loaded = loadedAssemblies.all
    var all: [AnyRegistration] = []
    for index in choice.order(loaded) where loaded.indices.contains(index) {
      let filter = RegistrationFilter(type: type, name: name)
      let members = loaded[index].registrations.filter { filter.accepts($0.key) }
      all += members
      if choice.stopsAtFirst, !members.isEmpty { break }
    }
    return all
  }
}

extension AnyRegistration {
  /// True if it shadows a registration below its layer, rather than one of the layer.
  fileprivate func shadowsOthers(in level: LevelStore) -> Bool {
    guard isDecoration else { return false }
    guard let replaced, !level.hasClaimed(replaced) else { return true }
    return replaced.shadowsOthers(in: level)
  }
}

/// The assemblies of a request for all values of a type, among those that its resolver has loaded.
public struct AssemblyChoice: Sendable {
  let stopsAtFirst: Bool
  let order: @Sendable ([LoadedAssembly]) -> [Int]

  /// All assemblies, with the one that answers first in front.
  public static let every = AssemblyChoice(stopsAtFirst: false) { Array($0.indices) }

  /// The first assembly that has such a registration.
  public static let first = AssemblyChoice(stopsAtFirst: true) { Array($0.indices) }

  /// The assemblies that a block returns, in its order. It gets all of them, with the one that
  /// answers first in front.
  public static func custom(
    _ choose: @escaping @Sendable ([any Assembly]) -> [any Assembly]
  ) -> AssemblyChoice {
    AssemblyChoice(stopsAtFirst: false) { loaded in
      choose(loaded.map(\.assembly)).compactMap { chosen in
        loaded.firstIndex { $0.identity == AssemblyIdentity(chosen) }
      }
    }
  }
}
