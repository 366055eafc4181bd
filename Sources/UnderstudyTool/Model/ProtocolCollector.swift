// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Collects a protocol's own requirements and all inherited ones.
struct ProtocolCollector {
  private let index: GraphIndex
  private var model: ProtocolModel
  private var seen: Set<String> = []
  /// The positions of the requirements, by their identity.
  private var positions: [String: Int] = [:]
  private let superclass: Superclass?
  /// The protocols that the class conforms to. It implements their requirements.
  private let implemented: Set<String>

  /// The model of the protocol with this unique identifier, or `nil` if there is none.
  static func model(of usr: String, in index: GraphIndex) -> ProtocolModel? {
    guard let symbol = index.symbols[usr], symbol.isProtocol else {
      return nil
    }
    var collector = ProtocolCollector(symbol, index)
    collector.collect(usr, name: collector.model.name)
    collector.addNamed()
    collector.model.fixRestated(index)
    if let superclass = collector.superclass { collector.model.inherit(from: superclass, index) }
    collector.model.leaveHomonyms(index)
    collector.model.splitActors()
    collector.model.leaveActors()
    collector.model.findGroups(index)
    return collector.model
  }

  private init(_ symbol: SymbolGraph.Symbol, _ index: GraphIndex) {
    self.index = index
    let usr = symbol.identifier.precise
    superclass = index.superclass(of: usr)
    implemented = superclass.map { index.conformances(ofClass: $0.usr) } ?? []
    model = ProtocolModel(
      usr: usr, name: index.name(of: usr), module: index.modules[usr] ?? "",
      accessLevel: symbol.accessLevel)
    model.availability = symbol.availability ?? []
    model.globalActor = actor(of: usr)
    model.asksForDouble = DoubleMarker.asksForDouble(symbol)
  }

  private mutating func collect(_ usr: String, name: String) {
    guard !implemented.contains(usr), seen.insert(usr).inserted else { return }
    if let recipe = StandardProtocol.all[usr] {
      return apply(recipe, usr, name: name)
    }
    guard let symbol = index.symbols[usr] else {
      if name == "AnyObject" || name.hasSuffix(".AnyObject") { return }
      model.unknown.append(name)
      if let module = ModuleName.declaring(usr), let failure = index.failures[module] {
        model.unread.insert(failure.reason)
      }
      return
    }
    readHead(symbol)
    readMembers(of: usr)
    let inherited = (index.conformances[usr] ?? []).sorted { $0.name < $1.name }
    for parent in inherited where !index.isClass(parent.usr) {
      collect(parent.usr, name: parent.name)
    }
  }

  /// The global actor of a protocol, its own or an inherited one.
  private func actor(of usr: String) -> Token? {
    for usr in [usr] + index.allConformances(of: usr).sorted() {
      let head = (index.symbols[usr]?.tokens ?? [])
        .prefix { $0.text != "protocol" }
      if index.symbols[usr]?.isProtocol == true,
        let attribute = head.first(where: { $0.text.hasPrefix("@") && $0.usr != nil })
          ?? head.first(where: { $0.text == "@MainActor" })
      {
        return attribute
      }
    }
    return nil
  }

  private mutating func readHead(_ symbol: SymbolGraph.Symbol) {
    let tokens = symbol.tokens
    if tokens.isCutShort(index) { model.unsaid = index.name(of: symbol.identifier.precise) }
    let rest = tokens.drop { $0.text != "protocol" }
    if let start = rest.first(["where"]) {
      model.whereClause += rest[(start + 1)...].split(at: ",")
        .map { Array($0).spelledOut(index) }
    }
  }

  private mutating func readMembers(of usr: String) {
    var found: [ProtocolModel.Requirement] = []
    let isOnNoActor =
      actor(of: usr) == nil && !index.allConformances(of: usr).contains(StandardProtocol.actor)
    let isOfClasses =
      index.superclass(of: usr) != nil
      || index.allConformances(of: usr).union([usr]).contains { parent in
        (index.symbols[parent]?.tokens ?? []).contains { $0.text == "AnyObject" }
      }
    let heirs = index.allConformances(of: model.usr)
    for member in index.members[usr] ?? []
    where !heirs.contains(where: { index.defaults[$0]?.contains(member) == true }) {
      guard let symbol = index.symbols[member], symbol.swiftExtension == nil else { continue }
      guard let declaration = Self.declaration(of: symbol, index) else { continue }
      guard declaration.isChecked else {
        model.unreadable = declaration.title
        continue
      }
      found.append(
        ProtocolModel.Requirement(
          declaration: declaration, usr: member, availability: symbol.availability ?? [],
          line: symbol.location?.position.line ?? 0,
          column: symbol.location?.position.character ?? 0, isOfClasses: isOfClasses,
          isOnNoActor: isOnNoActor, owner: usr))
    }
    found.sort {
      ($0.line, $0.column) == ($1.line, $1.column)
        ? ($0.declaration.title, $0.usr) < ($1.declaration.title, $1.usr)
        : ($0.line, $0.column) < ($1.line, $1.column)
    }
    for requirement in found { add(requirement) }
  }

  /// The declaration of a member, in one form whatever its graph is.
  static func declaration(of symbol: SymbolGraph.Symbol, _ index: GraphIndex) -> Declaration? {
    let tokens = symbol.tokens.identifyingRanges(of: symbol.identifier.precise)
    let expanded = AliasExpander(index: index).expanded(tokens.withoutModules(index))
    guard var declaration = Declaration(expanded.spelledOut(index)) else { return nil }
    guard declaration.isChecked else { return declaration }
    let usr = symbol.identifier.precise
    declaration.modifiers += ["prefix", "postfix"].filter { symbol.isOperator($0) }
    declaration.equalise(index)
    // A graph has a clause like `(repeat (each A, each B)): Any` for two packs of one length.
    declaration.hasPairedPacks = declaration.whereClause[...].split(at: ",").contains {
      $0.first?.text == "(" && $0.suffix(2).map(\.text) == [":", "Any"]
    }
    declaration.restoreAttributes(from: usr, index)
    declaration.findUnknownFunction(in: usr, index)
    declaration.sayIsolation(from: usr)
    if symbol.tokens.isCutShort(index) { declaration.isUnsaid = true }
    declaration.nameOpaque()
    // A protocol may override a requirement of its parent.
    declaration.modifiers.removeAll { $0 == "override" }
    return declaration
  }

  private mutating func apply(_ recipe: StandardProtocol, _ usr: String, name: String) {
    if let closed = recipe.closed { model.closed = "\(name), \(closed)" }
    if usr == StandardProtocol.actor { model.isActor = true }
    if recipe.isSendable { model.isSendable = true }
    for text in recipe.declarations { add(ofRecipe: text, usr) }
    for member in recipe.members where !model.fixedMembers.contains(member) {
      model.fixedMembers.append(member)
    }
    for parent in recipe.inherited { collect(parent, name: parent) }
  }

  private mutating func add(ofRecipe text: String, _ owner: String) {
    // Only this type in the recipes needs an identifier.
    let tokens = [Token](parsing: text).map { token in
      token.text == "ExecutorJob"
        ? Token(token.text, usr: "s:12_Concurrency11ExecutorJobV", spaceBefore: token.spaceBefore)
        : token
    }
    guard let declaration = Declaration(tokens) else { return }
    add(
      ProtocolModel.Requirement(
        declaration: declaration, usr: "", isOnNoActor: true, owner: owner))
  }

  /// Adds members of recipes that are only needed if the protocol's requirements name them.
  private mutating func addNamed() {
    let rare = seen.compactMap { StandardProtocol.all[$0]?.whereNamed }.filter { !$0.isEmpty }
    guard !rare.isEmpty else { return }
    let symbols = seen.flatMap { [$0] + (index.members[$0] ?? []) }
    let fragments = symbols.flatMap { index.symbols[$0]?.declarationFragments ?? [] }
    let named = Set(fragments.compactMap(\.preciseIdentifier))
    for (usr, text) in rare.joined().sorted(by: { $0.key < $1.key }) where named.contains(usr) {
      add(ofRecipe: text, usr)
    }
  }

  private mutating func add(_ requirement: ProtocolModel.Requirement) {
    let declaration = requirement.declaration
    model.declared.append(requirement)
    if declaration.kind == .associatedType {
      if declaration.isUnsaid { model.unsaid = declaration.name }
      // A default counts only for a protocol of the toolchain.
      let isOfToolchain = requirement.usr.isEmpty || index.toolchain.contains(requirement.usr)
      let fixed = isOfToolchain ? declaration.type : nil
      if let index = model.associatedTypes.firstIndex(where: { $0.name == declaration.name }) {
        let constraint = declaration.constraint
        model.associatedTypes[index].fixed = model.associatedTypes[index].fixed ?? fixed
        model.associatedTypes[index].meet(declaration.whereClause)
        if !model.associatedTypes[index].constraint.map(\.text).starts(with: constraint.map(\.text))
        {
          let comma = model.associatedTypes[index].constraint.isEmpty ? [] : [Token("&")]
          model.associatedTypes[index].constraint += comma + constraint
        }
        return
      }
      model.associatedTypes.append(
        ProtocolModel.AssociatedType(
          name: declaration.name, constraint: declaration.constraint,
          whereClause: declaration.whereClause, fixed: fixed))
      return
    }
    let identity = declaration.identity(index)
    if let position = positions[identity] {
      return model.requirements[position].meet(requirement)
    }
    positions[identity] = model.requirements.count
    // A spied `==` replaces the recipe's member.
    model.requirements.append(requirement)
  }
}

extension Declaration {
  /// Writes the isolation of each asynchronous function type. The module of the double may have
  /// another default, and only an extracted graph has an isolation that differs from the language's
  /// default.
  ///
  /// The mangled name still has it: `YC` for a function that runs on its caller's actor.
  fileprivate mutating func sayIsolation(from usr: String) {
    let said = types.map(\.tokens.isolationsOfFunctions)
    guard said.contains(where: { $0.unsaid > 0 }) else { return }
    let signs = usr.withoutNames
    let isNonsending =
      !said.contains { $0.nonsending > 0 } && signs.contains(#/YC(c|X[AEK])/#)
    // One of the functions is isolated otherwise, and the graph does not say which.
    if isNonsending, signs.contains(#/Ya(Yb)?K?(c|X[AEK])/#) { isUnsaid = true }
    let word = isNonsending ? "nonisolated(nonsending)" : "@concurrent"
    let isolation = [Token](parsing: word)
    for index in parameters.indices {
      parameters[index].type.tokens = parameters[index].type.tokens.saying(isolation)
    }
    type = type.map { TypeText($0.tokens.saying(isolation)) }
  }
}

extension [Token] {
  /// Restores the identifier of `NSRange`, which an extracted graph omits. The mangled name of the
  /// declaration has the structure for which `NSRange` is an alias.
  fileprivate func identifyingRanges(of usr: String) -> [Token] {
    guard usr.contains("8_NSRangeV") else { return self }
    return map { token in
      guard token.text == "NSRange", token.usr == nil else { return token }
      return Token(token.text, usr: "s:10Foundation7NSRangea", spaceBefore: token.spaceBefore)
    }
  }
}

extension SymbolGraph.Symbol {
  /// Whether this is an operator of a fixity, which only the unique identifier contains.
  fileprivate func isOperator(_ fixity: String) -> Bool {
    guard kind.identifier == "swift.func.op" else { return false }
    let usr = identifier.precise
    return usr.hasOperator(ofKind: fixity == "prefix" ? "op" : "oP")
  }
}

extension String {
  /// A mangled name without identifiers, each of which is a number and that many characters.
  ///
  /// A substitution is an `A` with letters, and with numbers that count no characters: `A2kL`.
  var withoutNames: String {
    var signs = ""
    var rest = self[...]
    while let first = rest.first {
      if first == "A", !["X", "Y", "Sc"].contains(where: signs.hasSuffix),
        let again = rest.prefixMatch(of: #/A([0-9]*[a-z])*[0-9]*[A-Z_]/#)
      {
        signs.append("A")
        rest = rest[again.range.upperBound...]
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard first != "0", let length = Int(digits) else {
        signs.append(rest.removeFirst())
        continue
      }
      rest = rest.dropFirst(digits.count).dropFirst(length)
    }
    return signs
  }

  /// Whether a unique identifier contains an operator's name: a number, that many characters, and
  /// the kind.
  func hasOperator(ofKind kind: String) -> Bool {
    var start = startIndex
    while start < endIndex {
      guard self[start].isNumber else {
        start = index(after: start)
        continue
      }
      let digits = self[start...].prefix(while: \.isNumber)
      guard let length = Int(digits),
        let end = index(digits.endIndex, offsetBy: length, limitedBy: endIndex)
      else { return false }
      if self[end...].hasPrefix(kind) { return true }
      start = end
    }
    return false
  }
}
