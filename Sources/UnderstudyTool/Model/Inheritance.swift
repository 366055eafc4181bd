// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The members that a double inherits from its class.
struct Inheritance {
  struct Member {
    var declaration: Declaration
    /// The name in messages, `Screen.show()`.
    var name: String
    var canBeOverridden = true
    var isVisible = true
    var isAvailable = true
    /// Whether an initialiser is designated. A subclass overrides no other ones.
    var isDesignated = true
    /// Whether the source, which was not given, may hide its setter.
    var mayHideSetter = false
    /// The parameters of its class whose arguments are unknown.
    var unknown: Set<String> = []
  }

  private let index: GraphIndex
  /// The types that replace associated types.
  private let pinned: [String: TypeText]
  private(set) var superclass: Superclass
  /// Whether every subclass is `Sendable`, and on no actor.
  private(set) var isSendable = false
  /// The global actor of the class.
  private(set) var actor: Token?
  private var members: [String: [Member]] = [:]
  private var initializers: [Member] = []
  /// The unavailable members, which no graph has.
  private var unavailable: [Member] = []
  /// The SPI group of the class.
  private let group: String?
  /// The first class whose source was not given.
  private var unreadClass: String?

  /// - Parameter testable: The modules that the double imports with `@testable`.
  init(
    of superclass: Superclass, _ index: GraphIndex, testable: Set<String>,
    pinned: [String: TypeText]
  ) {
    self.index = index
    self.pinned = pinned
    self.superclass = superclass
    let isOfGroup = index.symbols[superclass.usr]?.spi == true
    group = isOfGroup ? index.group(of: superclass.usr) : nil
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
      let remedy = isOwn ? "; remove 'final', since the double is a subclass" : ""
      self.superclass.obstacle =
        head.contains("actor") ? "which is an actor" : "which is final" + remedy
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
    readPlainInitializer(isOfObjectiveC: chain.contains(where: index.isOnUnknownActor))
    self.superclass.members = Set(members.values.joined().map(\.declaration.name))
      .union(nestedNames(of: chain, visible))
  }

  private var canBeMade: Bool { initializers.contains { $0.isVisible && $0.isAvailable } }

  /// The relation of a requirement to the members of the class.
  enum Standing: Hashable {
    /// The class fulfils it.
    case fulfilled
    /// The double declares it.
    case missing
    /// The double overrides a member of the class that does not fulfil it, with this modifier.
    case overrides(String)
    /// A member with this name neither fulfils it nor can be overridden, with the reason.
    case hindered(String)
  }

  /// The standing among all members with the name, whatever their order in the graph is.
  func standing(of requirement: Declaration) -> Standing {
    var requirement = requirement
    requirement.mapTokens { $0.replacing(types: pinned) }
    let candidates =
      requirement.kind == .initializer ? initializers : members[requirement.title] ?? []
    let standings = candidates.filter(\.isVisible).compactMap { standing(of: requirement, to: $0) }
    if standings.contains(.fulfilled) { return .fulfilled }
    let reasons = standings.compactMap { standing in
      if case .hindered(let reason) = standing { reason } else { nil }
    }
    if let reason = reasons.min() { return .hindered(reason) }
    if let standing = standings.first { return standing }
    if let hidden = unavailable.first(where: { $0.mayBe(requirement) }) {
      return .hindered("whose unavailable '\(hidden.name)' has the name of the requirement")
    }
    if let unreadClass {
      return .hindered(
        "and the source of \(unreadClass), which may have an unavailable '\(requirement.title)',"
          + " was not given")
    }
    return .missing
  }

  /// The standing to one member, or `nil` if the double may have both.
  private func standing(of requirement: Declaration, to member: Member) -> Standing? {
    guard member.declaration.kind == requirement.kind,
      member.declaration.title == requirement.title,
      member.declaration.isStatic == requirement.isStatic
    else { return nil }
    let isProperty = requirement.kind == .property
    let isUnknown = mentions(member.unknown, member.declaration)
    if isUnknown {
      let isLike = member.declaration.isLike(requirement, given: member.unknown)
      if !isProperty, !isLike { return nil }
      // No conforming class can have a property of another type.
      if !isProperty || !isLike {
        return .hindered(
          "whose '\(member.name)' has a type that depends on unknown arguments of a superclass")
      }
    } else if !isSame(member, requirement) {
      return looseStanding(of: requirement, to: member)
    }
    let hindered = Standing.hindered(
      "whose '\(member.name)' does not fulfil the requirement, and cannot be overridden")
    guard isUnknown || isOfType(member.declaration, requirement) else {
      return hindered
    }
    if member.mayHideSetter, requirement.isSettable {
      return .hindered("whose '\(member.name)' may have a hidden setter, and no source was given")
    }
    if member.isAvailable, member.declaration.fulfils(requirement) { return .fulfilled }
    // A synchronous function is an overload of an asynchronous one.
    if requirement.kind == .function, member.declaration.isAsync != requirement.isAsync {
      return nil
    }
    let words = member.declaration.modifiers
    if requirement.kind == .initializer {
      if words.contains("required") { return .overrides("required") }
      if !member.isDesignated { return nil }
    }
    guard member.canBeOverridden, member.isAvailable,
      member.declaration.canBeOverridden(with: requirement)
    else { return hindered }
    return .overrides("override")
  }

  private func isSame(_ member: Member, _ other: Declaration) -> Bool {
    var declaration = member.declaration
    declaration.isAsync = other.isAsync
    return declaration.identity(index) == other.identity(index)
  }

  func isClass(_ usr: String) -> Bool { index.isClass(usr) }

  func isInherited(_ usr: String, by heir: String) -> Bool { index.chain(of: heir).contains(usr) }

  /// A type without aliases.
  func expanded(_ tokens: [Token]) -> [Token] {
    AliasExpander(index: index, isOfAll: true).expanded(tokens)
  }

  /// Whether a property has the type of another one.
  private func isOfType(_ property: Declaration, _ other: Declaration) -> Bool {
    guard property.kind == .property else { return true }
    let types = [property, other].map { expanded($0.type?.tokens ?? []).map(\.text) }
    return types[0] == types[1]
  }

  private func mentions(_ names: Set<String>, _ declaration: Declaration) -> Bool {
    declaration.types.contains { $0.tokens.mentions(names) }
  }

  /// The type that a member of the class gives to a free associated type of a requirement without
  /// parameters.
  func fixedType(
    by requirement: Declaration, _ names: Set<String>
  ) -> (String, TypeText)? {
    guard requirement.parameters.isEmpty, requirement.generics.isEmpty,
      let general = requirement.type
    else { return nil }
    let found = (members[requirement.title] ?? []).filter { member in
      member.isVisible && member.isAvailable && member.declaration.kind == requirement.kind
        && member.declaration.isStatic == requirement.isStatic
        && member.declaration.generics.isEmpty && !mentions(member.unknown, member.declaration)
    }.compactMap(\.declaration.type)
    guard Set(found.map(\.text)).count == 1 else { return nil }
    return ProtocolModel.match(general, found[0], names)
  }

  // MARK: Reading

  private mutating func readMembers(of chain: [String], _ visible: Set<String>) {
    members = [:]
    unavailable = []
    unreadClass = nil
    var own: [[Member]] = []
    var arguments: [ArraySlice<Token>]? = superclass.type[...].genericArguments
    for usr in chain {
      let parameters = index.symbols[usr]?.tokens[...].genericParameters ?? []
      let types = Dictionary(zip(parameters, arguments ?? [])) { first, _ in first }
        .mapValues { TypeText(Array($0).replacing(types: pinned)) }
      let unknown = arguments == nil ? Set(parameters) : []
      let all =
        standardMembers(of: usr)
        + (index.members[usr] ?? []).compactMap { member in
          self.member(member, of: usr, visible, types, unknown)
        }
      let hidden = index.hiddenMembers(of: usr)
      unavailable += (hidden ?? []).filter(\.isUnavailable).compactMap { member in
        self.member(member, of: usr, visible)
      }
      if hidden == nil, index.symbols[usr] != nil, unreadClass == nil {
        unreadClass = index.name(of: usr)
      }
      own.append(all.filter { $0.declaration.kind == .initializer })
      for member in all where member.declaration.kind != .initializer {
        members[member.declaration.title, default: []].append(member)
      }
      // A graph has no arguments of a class's superclass.
      let next = chain.drop { $0 != usr }.dropFirst().first
      let isGeneric = next.map { index.isGeneric($0) } ?? false
      arguments = isGeneric ? nil : []
    }
    initializers = inherited(own[...])
    if chain.contains(where: hasHiddenDesignatedInitializer) {
      // Then no class of another module inherits the convenience initialisers, even with
      // `@testable`.
      let others = initializers.filter { !$0.isDesignated }
      initializers.removeAll { !$0.isDesignated }
      superclass.isHiding = true
      if let needed = others.first(where: { $0.declaration.modifiers.contains("required") }),
        superclass.obstacle == nil
      {
        superclass.obstacle = "whose required '\(needed.name)' no double can inherit"
      }
    }
  }

  /// The initialisers of a class, of all initialisers in its chain.
  private func inherited(_ chain: ArraySlice<[Member]>) -> [Member] {
    guard let own = chain.first else { return [] }
    let above = inherited(chain.dropFirst())
    let isOverridden: (Member) -> Bool = { parent in
      own.contains { isSame($0, parent.declaration) }
    }
    // A class with a designated initialiser inherits none, unless it overrides all designated ones.
    let inherits =
      !own.contains(where: \.isDesignated)
      || above.filter(\.isDesignated).allSatisfy(isOverridden)
    return own + (inherits ? above.filter { !isOverridden($0) } : [])
  }

  /// Whether a public class has a designated initialiser that is not public.
  private func hasHiddenDesignatedInitializer(_ usr: String) -> Bool {
    index.symbols[usr]?.isPublic == true
      && index.memberSymbols(of: usr).contains { symbol in
        symbol.kind.identifier == "swift.init" && symbol.isDesignated && !symbol.isPublic
      }
  }

  /// Finds the initialiser that `self.init()` calls: the one without parameters, or else the only
  /// one whose parameters all have defaults.
  private mutating func readPlainInitializer(isOfObjectiveC: Bool) {
    let callable = initializers.filter { member in
      member.isVisible && !member.declaration.isAsync
        && member.declaration.parameters.allSatisfy(\.canBeOmitted)
    }
    let exact = callable.filter(\.declaration.parameters.isEmpty)
    let called = exact.isEmpty ? callable : exact
    guard let first = called.first, first.isAvailable, first.declaration.isPlainInitializer,
      Set(called.map { $0.declaration.identity(index) }).count == 1
    else { return }
    let actors = first.declaration.actors
    superclass.isPlain = actors.isEmpty || actors == actor.map { [$0.text] }
    superclass.isPlainByDefaults = exact.isEmpty
    superclass.isPlainOnActor = !actors.isEmpty || isOfObjectiveC
    superclass.isPlainOffActor =
      actor != nil && superclass.isPlain && !exact.isEmpty && first.isDesignated
      && first.declaration.modifiers.filter { $0 != "public" && $0 != "open" } == ["nonisolated"]
      && initializers.filter(\.isDesignated).count == 1
  }

  private func standardMembers(of usr: String) -> [Member] {
    (StandardClass.of(usr)?.declarations ?? []).compactMap(Declaration.init(parsing:))
      .map { Member(declaration: $0, name: "NSObject.\($0.title)") }
  }

  private func member(
    _ usr: String, of owner: String, _ visible: Set<String>, _ types: [String: TypeText],
    _ unknown: Set<String>
  ) -> Member? {
    guard let symbol = index.symbols[usr], symbol.swiftExtension?.constraints?.isEmpty != false,
      var declaration = ProtocolCollector.declaration(of: symbol, index), declaration.isChecked
    else { return nil }
    let tokens = symbol.tokens
    let keyword = tokens.first { ["var", "let"].contains($0.text) }?.text
    if declaration.kind == .property, keyword == "var", !tokens.contains(where: { $0.text == "{" })
    {
      declaration.isSettable = true
    }
    // The graph shows the setter of a computed property or of a subscript, whatever its level is.
    let mayHide = declaration.isSettable && tokens.contains { $0.text == "set" }
    let hidden = mayHide ? index.hiddenMembers(of: owner) : []
    if hidden?.contains(where: { $0.hidesSetter(of: declaration, visible, index) }) == true {
      declaration.isSettable = false
    }
    if !types.isEmpty { declaration.mapTokens { $0.replacing(types: types) } }
    let isFixed =
      declaration.modifiers.contains(where: ["final", "static"].contains)
      || declaration.kind == .property && keyword == "let"
    let isOpen = symbol.accessLevel == "open" || visible.contains(index.modules[usr] ?? "")
    let isUnavailable = symbol.availability?.contains { availability in
      // This tool is for Swift 6.
      availability.isUnconditionallyUnavailable == true
        || availability.domain == "Swift" && availability.obsoleted.map { $0.major <= 6 } == true
    }
    return Member(
      declaration: declaration, name: index.name(of: usr),
      canBeOverridden: (isOpen || declaration.kind == .initializer) && !isFixed
        && symbol.swiftExtension == nil,
      isVisible: isVisible(symbol, visible), isAvailable: isUnavailable != true,
      isDesignated: symbol.isDesignated, mayHideSetter: mayHide && hidden == nil, unknown: unknown)
  }

  /// An unavailable member of a class that only its source has, or `nil` if the double does not see
  /// it.
  private func member(
    _ hidden: HiddenMember, of usr: String, _ visible: Set<String>
  ) -> Member? {
    let access = hidden.access ?? "internal"
    guard index.isVisible(access, of: hidden.module, testable: visible),
      let declaration = hidden.declaration
    else { return nil }
    // Only a convenience initialiser hinders one of the double.
    if declaration.kind == .initializer, !declaration.modifiers.contains("convenience") {
      return nil
    }
    return Member(declaration: declaration, name: "\(index.name(of: usr)).\(declaration.title)")
  }

  private func isVisible(_ symbol: SymbolGraph.Symbol, _ visible: Set<String>) -> Bool {
    // A double imports the SPI group of its class, but none for a member alone.
    if symbol.spi == true {
      guard let group, index.group(of: symbol.identifier.precise) == group else { return false }
    }
    let module = index.modules[symbol.identifier.precise] ?? ""
    return index.isVisible(symbol.accessLevel, of: module, testable: visible)
  }

  private func nestedNames(of chain: [String], _ visible: Set<String>) -> Set<String> {
    Set(
      chain.flatMap(index.memberSymbols).filter { $0.isType && isVisible($0, visible) }
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
    let usrs = [usr] + tokens.compactMap(\.usr)
    let testable = Set(usrs.filter(index.isInternal).compactMap { index.modules[$0] })
    func inheritance(_ pinned: [String: TypeText]) -> Inheritance {
      Inheritance(of: parent, index, testable: testable, pinned: pinned)
    }
    fixInherited(from: inheritance(pinned(as: [:])))
    let inheritance = inheritance(pinned(as: [:]))
    let superclass = inheritance.superclass
    self.superclass = superclass
    if superclass.obstacle != nil { return }
    if isActor { self.superclass?.obstacle = "and no actor can be a subclass" }
    if inheritance.isSendable { isSendable = true }
    // A subclass has the actor of its class, but a class of Objective-C may leave it open. The
    // requirements name their actor themselves.
    if !superclass.isOfObjectiveC || inheritance.actor != nil { globalActor = inheritance.actor }
    requirements = requirements.compactMap { requirement in
      var requirement = requirement
      switch inheritance.standing(of: requirement.declaration) {
      case .fulfilled: return nil
      case .missing: break
      case .overrides(let word): requirement.declaration.modifiers.insert(word, at: 0)
      case .hindered(let reason): self.superclass?.obstacle = reason
      }
      return requirement
    }
    fixedMembers.removeAll { member in
      guard let declaration = member.declaration else { return false }
      switch inheritance.standing(of: declaration) {
      case .fulfilled: return true
      case .hindered(let reason): self.superclass?.obstacle = reason
      case .missing, .overrides: break
      }
      return false
    }
    if index.conformances(ofClass: parent.usr).contains("s:SQ"),
      let position = fixedMembers.firstIndex(of: .hash)
    {
      fixedMembers[position] = .constantHash
    }
    let needed =
      requirements.map(\.declaration).filter { $0.kind == .initializer }
      + fixedMembers.filter { $0 == .decode }.compactMap(\.declaration)
    if let obstacle = needed.lazy.compactMap(superclass.obstacle).first {
      self.superclass?.obstacle = obstacle
    }
  }

  /// Fixes an associated type if the class has a member for a requirement without parameters.
  private mutating func fixInherited(from inheritance: Inheritance) {
    let names = Set(associatedTypes.map(\.name))
    for requirement in requirements {
      guard let (name, type) = inheritance.fixedType(by: requirement.declaration, names),
        let position = associatedTypes.firstIndex(where: { $0.name == name }),
        associatedTypes[position].fixed == nil
      else { continue }
      associatedTypes[position].fixed = type
    }
  }
}

extension Superclass {
  /// The reason why an initialiser of the double cannot call `init()`, or `nil` if it can.
  fileprivate func obstacle(to initializer: Declaration) -> String? {
    if isPlainOnActor, initializer.actors.isEmpty {
      return "whose 'init()' is on an actor, and the double's '\(initializer.title)' is not"
    }
    // With default values, it would call itself.
    let isItself = isPlainByDefaults && initializer.parameters.allSatisfy(\.isVariadic)
    guard !isPlain || isItself else { return nil }
    let advice = isHiding ? "make its designated initialisers public" : "give it one"
    return "which has no 'init()' for the double's '\(initializer.title)' to call; \(advice)"
  }
}

extension SymbolGraph.Symbol {
  /// Whether an initialiser is designated.
  fileprivate var isDesignated: Bool {
    swiftExtension == nil
      && !tokens.prefix { $0.text != "init" }.contains { $0.text == "convenience" }
  }
}

extension Declaration {
  /// Whether a call without arguments creates an instance.
  fileprivate var isPlainInitializer: Bool {
    kind == .initializer && !isFailable && !isAsync && throwing == .never && generics.isEmpty
  }

  /// Whether a member of the same identity and type fulfils a requirement.
  func fulfils(_ requirement: Declaration) -> Bool {
    guard !isAsync || requirement.isAsync, isSettable || !requirement.isSettable,
      !isFailable || requirement.isFailable, actors.isEmpty || actors == requirement.actors
    else { return false }
    return throwing == .never || throwing == requirement.throwing || requirement.throwing == .any
  }

  /// Whether a member of the same identity and type can have an override with the effects and the
  /// actor of a requirement.
  func canBeOverridden(with requirement: Declaration) -> Bool {
    guard isAsync || !requirement.isAsync, isFailable || !requirement.isFailable,
      actors == requirement.actors
    else { return false }
    return requirement.throwing == .never || throwing == requirement.throwing || throwing == .any
  }

  /// Whether the types are those of another declaration if the names stand for any types.
  fileprivate func isLike(_ other: Declaration, given names: Set<String>) -> Bool {
    guard parameters.count == other.parameters.count else { return false }
    let pairs =
      zip(parameters, other.parameters).map { ($0.type.tokens, $1.type.tokens) }
      + [(type?.tokens ?? [], other.type?.tokens ?? [])]
    // Names of generic parameters do not matter.
    let names = names.union(generics.map(\.name))
    return pairs.allSatisfy { $0[...].matches($1[...], given: names) }
  }
}

extension ArraySlice<Token> {
  /// Whether another type is equal to this one if the names stand for any types.
  fileprivate func matches(_ other: ArraySlice<Token>, given names: Set<String>) -> Bool {
    guard let first else { return other.isEmpty }
    guard !other.isEmpty else { return false }
    if !names.contains(first.text) {
      return first.text == other.first?.text
        && dropFirst().matches(other.dropFirst(), given: names)
    }
    return (1...other.count).contains { length in
      dropFirst().matches(other.dropFirst(length), given: names)
    }
  }
}
