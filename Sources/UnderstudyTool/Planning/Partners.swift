// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The clauses that lead from an associated type back to `Self`, as in
/// `protocol Key { associatedtype Lock: Locking where Lock.Key == Self }`.
///
/// No generic class can have such a clause. So the associated type becomes the double of `Locking`,
/// which is made in the same run: `LockingDouble`, or `LockingDouble<KeyDouble>` if no clause of
/// `Locking` leads back to `Key`. Other associated types of `Locking` become generic parameters of
/// both: `LockingDouble<KeyDouble, Item>`.
struct Partners {
  private let models: [String: ProtocolModel]
  private let index: GraphIndex
  /// The names of doubles that belong to one protocol only.
  private let names: [String: String]

  /// The models, with each such associated type fixed for which a double in this run can stand.
  ///
  /// The protocols in `refused` have no double.
  static func fixed(
    _ models: [ProtocolModel], without refused: Set<String>, _ index: GraphIndex
  ) -> [ProtocolModel] {
    let partners = Partners(models.filter { !refused.contains($0.usr) }, index)
    return models.map(partners.fixed)
  }

  private init(_ models: [ProtocolModel], _ index: GraphIndex) {
    self.index = index
    self.models = Dictionary(models.map { ($0.usr, $0) }) { first, _ in first }
    let owners = Dictionary(grouping: models) { DoublePlanner.name(of: $0, index) }
    names = Dictionary(
      uniqueKeysWithValues: owners.filter { $0.value.count == 1 }.map { ($1[0].usr, $0) })
  }

  private func fixed(_ model: ProtocolModel) -> ProtocolModel {
    var model = model
    for loop in model.loops {
      guard let position = model.associatedTypes.firstIndex(where: { $0.name == loop.type }),
        let (partner, text, others) = double(for: loop, of: model)
      else { continue }
      model.associatedTypes[position].fixed = TypeText(parsing: text)
      model.associatedTypes += others
      if !partner.isSharedType, let name = names[partner.usr] {
        model.unsharedPartners.insert(name)
      }
    }
    return model
  }

  /// The other protocol, the type of its double with its arguments, and the further generic
  /// parameters that this type needs.
  private func double(
    for loop: ProtocolModel.Loop, of model: ProtocolModel
  ) -> (ProtocolModel, String, [ProtocolModel.AssociatedType])? {
    guard let type = model.associatedTypes.first(where: { $0.name == loop.type }),
      let partner = (type.constraint + model.clauses(about: loop.type).joined())
        .compactMap({ $0.usr.flatMap { models[$0] } })
        .first(where: { partner in
          partner.associatedTypes.contains { $0.name == loop.member }
            && meets(type.constraint, partner)
            && model.clauses(about: loop.type)
              .count(where: { !isMet($0, by: partner, as: loop.type) }) == 1
        }),
      let own = names[model.usr], let name = names[partner.usr],
      let others = others(of: partner, loop, model),
      let back = partner.associatedTypes.first(where: { $0.name == loop.member })
    else { return nil }
    guard partner.loops.contains(where: { $0.type == loop.member }) else {
      let isSent = !partner.isSharedType || model.isSharedType
      guard free(in: partner).contains(loop.member), isSent, meets(back.constraint, model),
        partner.clauses(about: loop.member).allSatisfy({ isMet($0, by: model, as: loop.member) })
      else { return nil }
      let free = free(in: partner)
      let arguments = partner.associatedTypes.map(\.name).filter(free.contains)
        .map { $0 == loop.member ? own.escaped : $0.escapedType }
      return (partner, "\(name.escaped)<\(arguments.joined(separator: ", "))>", others)
    }
    let isBack =
      others.isEmpty && partner.loops.contains { $0.type == loop.member && $0.member == loop.type }
      && free(in: model).subtracting([loop.type]).isEmpty && meets(back.constraint, model)
      && partner.clauses(about: loop.member)
        .count(where: { !isMet($0, by: model, as: loop.member) }) == 1
    return isBack ? (partner, name.escaped, []) : nil
  }

  /// The free associated types of the other protocol without the one that leads back, or `nil` if
  /// they cannot be generic parameters here, too.
  private func others(
    of partner: ProtocolModel, _ loop: ProtocolModel.Loop, _ model: ProtocolModel
  ) -> [ProtocolModel.AssociatedType]? {
    let free = free(in: partner).subtracting([loop.member])
    var others = partner.associatedTypes.filter { free.contains($0.name) }
    let own = Set(model.associatedTypes.map(\.name))
    let isPlain = others.allSatisfy {
      !own.contains($0.name) && $0.whereClause.isEmpty && partner.clauses(about: $0.name).isEmpty
    }
    guard isPlain else { return nil }
    for position in others.indices { others[position].isOfDouble = true }
    return others
  }

  /// The associated types that no clause fixes.
  private func free(in model: ProtocolModel) -> Set<String> {
    let pinned = model.pinned(as: [:])
    return Set(model.associatedTypes.map(\.name)).subtracting(pinned.keys)
  }

  /// Whether a clause `name: Constraint` is true for the double of a protocol.
  private func isMet(_ clause: [Token], by model: ProtocolModel, as name: String) -> Bool {
    clause.count > 2 && clause[0].text == name && clause[1].text == ":"
      && meets(Array(clause[2...]), model)
  }

  /// Whether the double of a protocol has all these conformances.
  private func meets(_ constraint: [Token], _ model: ProtocolModel) -> Bool {
    var conformances = index.allConformances(of: model.usr).union([model.usr])
    if model.isSharedType { conformances.insert(StandardProtocol.sendable) }
    return constraint.allSatisfy { $0.text == "&" || $0.usr.map(conformances.contains) == true }
  }
}

extension ProtocolModel {
  /// A clause `type.member == Self`.
  struct Loop: Hashable {
    var type: String
    var member: String
  }

  fileprivate var loops: [Loop] {
    clauses.compactMap { words in
      guard let sign = words[...].first(["=="]) else { return nil }
      let sides = [words[..<sign].map(\.text), words[(sign + 1)...].map(\.text)]
      guard let path = sides.first(where: { $0 != ["Self"] }), sides.contains(["Self"]),
        path.count == 3, path[1] == "."
      else { return nil }
      return Loop(type: path[0], member: path[2])
    }
  }

  /// The different clauses that begin with an associated type, on either side.
  fileprivate func clauses(about name: String) -> [[Token]] {
    var found: [[Token]] = []
    for clause in clauses {
      let words = clause.map { Token($0.text, usr: $0.usr) }
      let isAbout = words[...].split(at: "==").contains { $0.first?.text == name }
      if isAbout, !found.contains(words) { found.append(words) }
    }
    return found
  }

  /// Whether the double is `Sendable`.
  fileprivate var isSharedType: Bool { isSendable || isActor || globalActor != nil }
}
