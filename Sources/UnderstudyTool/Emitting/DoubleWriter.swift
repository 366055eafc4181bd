// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Writes the Swift text of a double.
struct DoubleWriter {
  private var lines: [String] = []
  /// The access modifier of every declaration, with a space, or empty.
  private var access = ""

  /// The text without the header.
  static func text(of plan: DoublePlan) -> String {
    var writer = DoubleWriter()
    writer.access = plan.access.modifier
    writer.write(plan)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ plan: DoublePlan) {
    lines += (plan.imports + ["import UnderstudyDoubles"]).sorted {
      $0.withoutImportAttributes < $1.withoutImportAttributes
    }
    lines += ["", "/// A double of `\(plan.subject)`."]
    lines += plan.attributes
    // A nonisolated double stays so in a module with a default isolation. A shared one does anyway.
    let isOnNone =
      !plan.isIsolated && (!plan.isShared || plan.superclass != nil || plan.isOffActor)
    let kind = plan.isActor ? "actor" : isOnNone ? "nonisolated final class" : "final class"
    let generics = plan.generics.isEmpty ? "" : "<\(plan.generics.joined(separator: ", "))>"
    let clause =
      plan.whereClause.isEmpty ? "" : " where " + plan.whereClause.joined(separator: ", ")
    // Otherwise a module that infers isolated conformances would isolate the whole conformance,
    // with the nonisolated parents.
    let conformance = (plan.isMixed ? "nonisolated " : "") + plan.protocolName
    let parents =
      (plan.superclass.map { [$0.type.text] } ?? []) + [conformance]
      + (plan.isUnchecked ? ["@unchecked \(plan.words("Sendable"))"] : [])
    lines.append(
      "\(access)\(kind) \(plan.name.escaped)\(generics): \(parents.joined(separator: ", "))\(clause) {"
    )
    for alias in plan.typealiases { add(access + alias) }
    let spies = plan.members.flatMap(\.spies)
    writeSpies(spies.filter { !$0.isStatic }, plan)
    writeStaticSpies(spies.filter(\.isStatic), plan)
    if !plan.hasPlainInitializer, plan.superclass == nil {
      // The initial value of a test case's property is created on no actor.
      add("\(access)\(plan.isIsolated ? "nonisolated " : "")init() {}", blank: true)
    }
    // In a module with a default isolation, the inherited initialiser would be isolated.
    if plan.superclass?.isPlainOffActor == true, !plan.hasPlainInitializer {
      add("\(access)nonisolated override init() {}", blank: true)
    }
    writeForwarding(plan)
    for member in plan.members {
      lines.append("")
      let head = member.witness.firstIndex { !$0.hasPrefix("@") }
      for (position, line) in member.witness.enumerated() {
        add(position == head ? access + line : line)
      }
    }
    for member in plan.fixedMembers {
      let isNonisolated = plan.isActor || plan.isIsolated
      let text = isNonisolated ? member : member.replacing("nonisolated ", with: "")
      add(access + text, blank: true)
    }
    lines.append("}")
  }

  private mutating func writeSpies(_ spies: [SpyPlan], _ plan: DoublePlan) {
    guard !spies.isEmpty else { return }
    if lines.last?.hasSuffix("{") == false { lines.append("") }
    add("/// The spies, by the names of the requirements.")
    // In a module with a default isolation, its initialiser and its values would be isolated.
    let isolation = plan.isIsolated ? "nonisolated " : ""
    // Only a public structure has to say so.
    let isSaid = plan.isShared && plan.access == .public
    let conformance = isSaid ? ": \(plan.words("Sendable"))" : ""
    add("\(access)\(isolation)struct \(plan.words.spies)\(conformance) {")
    for spy in spies {
      let title = "(\"\(spy.title.literal)\"\(placeholder(of: spy)))"
      // An expression cannot begin a type's generic arguments with these words.
      let isDeclared = spy.type.contains("@isolated(") || spy.type.contains("nonisolated(")
      let value = isDeclared ? ": \(spy.type) = .init\(title)" : " = \(spy.type)\(title)"
      addDeprecation(of: [spy])
      add("  \(access)let \(spy.name.escaped)\(value)")
    }
    let fallbacks = spies.filter { $0.fallback != nil }
    if !fallbacks.isEmpty {
      add("")
      add("  init() {")
      for spy in fallbacks {
        add("    \(spy.name.escaped).forwards \(spy.fallback ?? "")")
      }
      add("  }")
    }
    add("}")
    let isNonisolated = plan.isShared && (plan.isActor || plan.isIsolated)
    add(
      "\(access)\(isNonisolated ? "nonisolated " : "")let \(plan.words.property) = \(plan.words.spies)()",
      blank: true)
  }

  private func placeholder(of spy: SpyPlan) -> String {
    spy.placeholder.map { ", placeholder: \($0)" } ?? ""
  }

  private mutating func writeStaticSpies(_ spies: [SpyPlan], _ plan: DoublePlan) {
    guard !spies.isEmpty else { return }
    if lines.last?.hasSuffix("{") == false { lines.append("") }
    add("/// The spies of the static requirements. They belong to the current layer.")
    let isolation = plan.isMixed || plan.isActor ? "nonisolated " : ""
    let name = plan.words.staticSpies
    add("\(access)\(isolation)struct \(name): \(plan.words("StaticSpyList")) {")
    for spy in spies {
      addDeprecation(of: [spy])
      add("  \(access)var \(spy.name.escaped): \(spy.type) {")
      add(
        "    .static(of: \(plan.name.escaped).self, \"\(spy.title.literal)\"\(placeholder(of: spy)))"
      )
      add("  }")
    }
    let all = spies.map { "self.\($0.name.escaped)" }.joined(separator: ", ")
    let list = "[any \(plan.words("Verifiable"))]"
    addDeprecation(of: spies)
    add("  \(access)subscript(all _: \(plan.words("Void"))) -> \(list) { [\(all)] }")
    add("}")
    let isNonisolated = plan.isActor || plan.isIsolated
    add(
      "\(access)\(isNonisolated ? "nonisolated " : "")static var \(plan.words.property): \(name) { \(name)() }",
      blank: true)
  }

  private mutating func writeForwarding(_ plan: DoublePlan) {
    let forwarding = plan.members.flatMap(\.forwarding)
    let missing = plan.members.filter { $0.forwarding.isEmpty }
    // A requirement with such a name is written as such.
    let required = Set(plan.members.map(\.title))
    let initializers = [Self.forwarding, Self.recording].filter { !required.contains($0) }
    guard !forwarding.isEmpty else {
      guard let first = missing.first else { return }
      let more = missing.count - 1
      let others = more == 0 ? "" : ", and \(more) more cannot be forwarded"
      return addReason(initializers, first.title, (first.obstacle ?? "") + others)
    }
    if let superclass = plan.superclass, !superclass.isPlain {
      return addReason(initializers, superclass.name, "has no 'init()'")
    }
    if initializers.contains(Self.forwarding) { writeForwarding(forwarding, missing, plan) }
    if initializers.contains(Self.recording) { writeRecording(forwarding, plan) }
  }

  private static let forwarding = "init(forwardingTo:)"
  private static let recording = "init(tape:errors:live:)"

  private mutating func writeForwarding(
    _ forwarding: [Forwarding], _ missing: [MemberPlan], _ plan: DoublePlan
  ) {
    let others = missing.isEmpty ? "." : ", except for:"
    add("/// Makes a double that forwards unstubbed calls to `real`\(others)", blank: true)
    if !missing.isEmpty { add("///") }
    for member in missing {
      let isAlone = missing.count(where: { $0.title == member.title }) == 1
      let title = isAlone ? member.title : member.spies.first?.title ?? member.title
      add("/// - `\(title)`, which \(member.obstacle ?? "").")
    }
    if let superclass = plan.superclass {
      add("///")
      add("/// The members of `\(superclass.name)` are not forwarded.")
    }
    writeInitializer(
      "forwardingTo real", forwarding.map { "\($0.spy).forwards { \($0.closure) }" }, plan)
  }

  private mutating func writeRecording(_ forwarding: [Forwarding], _ plan: DoublePlan) {
    if let member = plan.members.first(where: { $0.recordingObstacle != nil }) {
      return addReason([Self.recording], member.title, member.recordingObstacle ?? "")
    }
    add(
      "/// Makes a double that plays `tape`, and records the answers of `real` on it.", blank: true)
    add("///")
    add("/// - Parameters:")
    add("///   - tape: Several doubles may share one.")
    add("///   - errors: The types of errors of requirements with untyped `throws`.")
    add("///   - real: The implementation that this double replaces.")
    writeInitializer(
      "tape: \(plan.words("Cassette")),"
        + " errors: (any (\(plan.words("Error")) & \(plan.words("Decodable"))).Type)..., live real",
      forwarding.map { "\($0.spy).plays(tape, errors: errors) { \($0.closure) }" }, plan)
  }

  /// Adds a comment with the reason why the double has no such initialisers.
  private mutating func addReason(_ initializers: [String], _ title: String, _ reason: String) {
    guard !initializers.isEmpty else { return }
    add("// Without \(initializers.joined(separator: " and ")): '\(title)' \(reason).", blank: true)
  }

  /// Writes an initialiser whose last parameter is the real dependency.
  private mutating func writeInitializer(
    _ parameters: String, _ body: [String], _ plan: DoublePlan
  ) {
    let word = access + (plan.superclass == nil ? "" : "convenience ")
    if plan.associatedTypes.isEmpty {
      add("\(word)init(\(parameters): any \(plan.protocolName)) {")
    } else {
      var name = "Real"
      while plan.associatedTypes.contains(name) { name += "Type" }
      let clauses = plan.associatedTypes.map { "\(name).\($0.escapedType) == \($0.escapedType)" }
      add(
        "\(word)init<\(name): \(plan.protocolName)>(\(parameters): \(name)) where "
          + clauses.joined(separator: ", ") + " {")
    }
    if plan.superclass != nil { add("  self.init()") }
    if plan.forwardsUnchecked { add("  let real = \(plan.words("Unchecked"))(real)") }
    for line in body { add("  " + line) }
    add("}")
  }

  /// Adds an attribute to the declaration that follows if one of its spies has it.
  private mutating func addDeprecation(of spies: [SpyPlan]) {
    if spies.contains(where: \.isDeprecated) { add("  \(AvailabilityText.deprecated)") }
  }

  private mutating func add(_ line: String, blank: Bool = false) {
    if blank { lines.append("") }
    lines.append(line.isEmpty ? "" : "  " + line)
  }
}

extension String {
  /// An import without `@testable` and `@_spi`, as the sort key.
  fileprivate var withoutImportAttributes: Substring {
    var rest = self[...]
    while rest.hasPrefix("@"), let space = rest.firstIndex(of: " ") {
      rest = rest[space...].dropFirst()
    }
    return rest
  }
}
