// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The members that a double inherits from its class.
struct Inheritance {
  private struct Member {
    var declaration: Declaration
    /// The name in messages, `Screen.show()`.
    var name: String
    var canBeOverridden: Bool
    /// Whether its types depend on unknown arguments of a generic superclass.
    var isUnknown: Bool
  }

  private let index: GraphIndex
  private(set) var superclass: Superclass
  /// Whether every subclass is `Sendable`, and on no actor.
  private(set) var isSendable = false
  /// The global actor of the class.
  private(set) var actor: Token?
  private var members: [String: [Member]] = [:]
  private var initializers: [Member] = []

  /// - Parameter testable: The modules that the double imports with `@testable`.
  init(of superclass: Superclass, _ index: GraphIndex, testable: Set<String>) {
    self.index = index
    self.superclass = superclass
    let chain = index.chain(of: superclass.usr)
    let module = index.modules[superclass.usr] ?? ""
    let isOwn = index.symbols[superclass.usr] != nil && !index.otherPackages.contains(module)
    let isOpen = index.symbols[superclass.usr].map { $0.accessLevel == "open" } ?? true
    let head = index.symbols[superclass.usr]?.tokens.prefix { $0.text != "<" }.map(\.text) ?? []
    actor = actor(of: chain)
    isSendable =
      actor == nil
      && index.conformances(ofClass: superclass.usr).contains(StandardProtocol.sendable)
    self.superclass.isTestable = !isOpen && isOwn
    if superclass.obstacle != nil { return }
    if let unknown = index.unknownSuperclass(of: chain) {
      self.superclass.obstacle = "and the symbol graph of its superclass \(unknown) was not given"
    } else if head.contains("final") || head.contains("actor") {
      self.superclass.obstacle = "which is \(head.contains("actor") ? "an actor" : "final")"
    } else if !isOpen, !isOwn {
      self.superclass.obstacle = "which is not open outside its package"
    }
    var visible = testable
    if self.superclass.isTestable { visible.insert(module) }
    readMembers(of: chain, visible)
    if !canBeMade, isOwn, !visible.contains(module) {
      // An internal initialiser needs the attribute, too.
      self.superclass.isTestable = true
      visible.insert(module)
      readMembers(of: chain, visible)
    }
    if !canBeMade, self.superclass.obstacle == nil {
      self.superclass.obstacle =
        "none of whose initialisers is visible to a double; give it a public 'init()'"
    }
    self.superclass.isPlain = initializers.contains { $0.declaration.isPlainInitializer }
    self.superclass.members = Set(members.values.joined().map(\.declaration.name))
      .union(nestedNames(of: chain, visible))
  }

  private var canBeMade: Bool { !initializers.isEmpty }

  /// The relation of a requirement to the members of the class.
  enum Standing: Hashable {
    /// The class fulfils it.
    case fulfilled
    /// The double declares it.
    case missing
    /// The double overrides a member of the class that does not fulfil it.
    case overrides
    /// The member with this name neither fulfils it nor can be overridden.
    case hindered(String)
  }

  func standing(of requirement: Declaration) -> Standing {
    let candidates =
      requirement.kind == .initializer ? initializers : members[requirement.title] ?? []
    for member in candidates where isSame(member, requirement) {
      if member.declaration.fulfils(requirement) { return .fulfilled }
      // A function that is not asynchronous is an overload of one that is.
      if requirement.kind == .function, member.declaration.isAsync, !requirement.isAsync {
        continue
      }
      guard member.canBeOverridden, member.declaration.isOfType(of: requirement) else {
        return .hindered(member.name)
      }
      return .overrides
    }
    return .missing
  }

  private func isSame(_ member: Member, _ requirement: Declaration) -> Bool {
    var declaration = member.declaration
    guard declaration.kind == requirement.kind, declaration.title == requirement.title,
      declaration.isStatic == requirement.isStatic
    else { return false }
    declaration.isAsync = requirement.isAsync
    return member.isUnknown || declaration.identity(index) == requirement.identity(index)
  }

  // MARK: Reading

  private mutating func readMembers(of chain: [String], _ visible: Set<String>) {
    members = [:]
    initializers = []
    var arguments = superclass.type.genericArguments
    // A class with a designated initialiser inherits none.
    var inherits = true
    for usr in chain {
      let parameters = index.symbols[usr]?.tokens.genericParameters ?? []
      let types = Dictionary(zip(parameters, arguments ?? [])) { first, _ in first }
      let all =
        standardMembers(of: usr)
        + (index.members[usr] ?? []).compactMap { member in
          self.member(member, of: usr, visible, types, isKnown: arguments != nil)
        }
      let own = all.filter { $0.declaration.kind == .initializer }
      for member in all where member.declaration.kind != .initializer {
        members[member.declaration.title, default: []].append(member)
      }
      if inherits { initializers += own }
      let isDesignated = (index.members[usr] ?? []).contains { member in
        guard let symbol = index.symbols[member], symbol.kind.identifier == "swift.init" else {
          return false
        }
        return symbol.swiftExtension == nil && !symbol.tokens.contains { $0.text == "convenience" }
      }
      if isDesignated { inherits = false }
      // A graph has no arguments of a class's superclass.
      let next = chain.drop { $0 != usr }.dropFirst().first
      let isGeneric = next.map { index.isGeneric($0) } ?? false
      arguments = isGeneric ? nil : []
    }
  }

  private func standardMembers(of usr: String) -> [Member] {
    (StandardClass.of(usr)?.declarations ?? []).compactMap { text in
      var parser = DeclarationParser([Token](parsing: text))
      return parser.parse().map {
        Member(
          declaration: $0, name: "NSObject.\($0.title)", canBeOverridden: true, isUnknown: false)
      }
    }
  }

  private func member(
    _ usr: String, of owner: String, _ visible: Set<String>, _ types: [String: TypeText],
    isKnown: Bool
  ) -> Member? {
    guard let symbol = index.symbols[usr], isVisible(symbol, visible),
      var declaration = ProtocolCollector.declaration(of: symbol, index)
    else { return nil }
    let words = Set(symbol.tokens.map(\.text))
    if declaration.kind == .property, words.contains("var"), !words.contains("{") {
      declaration.isSettable = true
    }
    if !types.isEmpty { declaration.mapTokens { $0.replacing(types: types) } }
    let isUnavailable = symbol.availability?.contains { $0.isUnconditionallyUnavailable == true }
    if declaration.kind == .initializer, isUnavailable == true { return nil }
    let isFixed = !words.isDisjoint(with: ["final", "static", "let", "required"])
    let module = index.modules[usr] ?? ""
    let isOpen = symbol.accessLevel == "open" || visible.contains(module)
    return Member(
      declaration: declaration, name: index.name(of: usr),
      canBeOverridden: (isOpen || declaration.kind == .initializer) && !isFixed
        && symbol.swiftExtension == nil,
      isUnknown: !isKnown)
  }

  private func isVisible(_ symbol: SymbolGraph.Symbol, _ visible: Set<String>) -> Bool {
    let module = index.modules[symbol.identifier.precise] ?? ""
    switch symbol.accessLevel {
    case "open", "public": return true
    case "package": return !index.otherPackages.contains(module)
    case "internal": return visible.contains(module)
    default: return false
    }
  }

  private func nestedNames(of chain: [String], _ visible: Set<String>) -> Set<String> {
    let symbols = chain.flatMap { index.members[$0] ?? [] }.compactMap { index.symbols[$0] }
    return Set(
      symbols.filter { $0.isType && isVisible($0, visible) }
        .compactMap(\.pathComponents.last))
  }

  private func actor(of chain: [String]) -> Token? {
    chain.flatMap { (index.symbols[$0]?.tokens ?? []).prefix { $0.text != "class" } }
      .first { $0.text == "@MainActor" || $0.usr.map(index.isGlobalActor) == true }
  }
}

extension ProtocolModel {
  /// Leaves to a class the requirements that it fulfils, and marks those that override a member.
  mutating func inherit(from parent: Superclass, _ index: GraphIndex) {
    superclass = parent
    let usrs = [usr] + tokens.compactMap(\.usr)
    let inheritance = Inheritance(
      of: parent, index,
      testable: Set(usrs.filter(index.isInternal).compactMap { index.modules[$0] }))
    let superclass = inheritance.superclass
    self.superclass = superclass
    if superclass.obstacle != nil { return }
    if isActor { self.superclass?.obstacle = "and no actor can be a subclass" }
    if inheritance.isSendable { isSendable = true }
    // A subclass has the actor of its class, but a class of Objective-C may leave it open. The
    // requirements name their actor themselves.
    if !superclass.isOfObjectiveC || inheritance.actor != nil { globalActor = inheritance.actor }
    var left: [Requirement] = []
    for var requirement in requirements {
      switch inheritance.standing(of: requirement.declaration) {
      case .fulfilled: continue
      case .missing: break
      case .overrides: requirement.declaration.modifiers.insert("override", at: 0)
      case .hindered(let name):
        self.superclass?.obstacle =
          "whose '\(name)' does not fulfil the requirement, and cannot be overridden"
      }
      left.append(requirement)
    }
    requirements = left
    let needed =
      left.map(\.declaration).first { $0.kind == .initializer }?.title
      ?? (fixedMembers.contains(.decode) ? "init(from:)" : nil)
    if let needed, !superclass.isPlain {
      self.superclass?.obstacle =
        "which has no 'init()' for the double's '\(needed)' to call; give it one"
    }
  }
}

extension Declaration {
  /// Whether a call without arguments creates an instance.
  fileprivate var isPlainInitializer: Bool {
    kind == .initializer && !isFailable && !isAsync && throwing == .never && generics.isEmpty
      && parameters.allSatisfy(\.hasDefault)
  }

  /// Whether a member of the same identity fulfils a requirement.
  fileprivate func fulfils(_ requirement: Declaration) -> Bool {
    guard isOfType(of: requirement), !isAsync || requirement.isAsync,
      isSettable || !requirement.isSettable, !isFailable || requirement.isFailable
    else { return false }
    return throwing == .never || throwing == requirement.throwing || requirement.throwing == .any
  }

  /// Whether a property has the type of another one.
  fileprivate func isOfType(of other: Declaration) -> Bool {
    kind != .property || type?.text == other.type?.text
  }
}

extension [Token] {
  /// The names of the generic parameters in the head of a class.
  fileprivate var genericParameters: [String] {
    guard let start = firstIndex(where: { $0.text == "<" }) else { return [] }
    return self[(start + 1)..<Swift.max(start + 1, self[...].closing(from: start))].split(at: ",")
      .compactMap(\.first?.text)
  }

  /// The generic arguments of a type.
  fileprivate var genericArguments: [TypeText]? {
    guard let start = firstIndex(where: { $0.text == "<" }) else { return [] }
    return self[(start + 1)..<Swift.max(start + 1, self[...].closing(from: start))].split(at: ",")
      .map { TypeText(Array($0)) }
  }
}
