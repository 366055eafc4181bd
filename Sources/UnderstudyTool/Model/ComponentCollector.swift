// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Finds the components of a module.
struct ComponentCollector {
  private let index: GraphIndex
  private let reader: NeedReader
  private let directory: String
  private(set) var components: [Component] = []
  /// The identities of the types that are registered by hand.
  private(set) var provided: Set<String> = []
  private(set) var diagnostics: [Diagnostic] = []

  private typealias Symbol = SymbolGraph.Symbol

  init(
    _ index: GraphIndex, module: String, directory: String = "",
    isIncluded: @escaping (SourcePlace?) -> Bool = { _ in true }
  ) {
    self.index = index
    reader = NeedReader(index: index)
    self.directory = directory
    let symbols = index.symbols.values.filter { symbol in
      symbol.docComment != nil && index.modules[symbol.identifier.precise] == module
    }
    let start = SourcePlace(path: "", line: 0, column: 0)
    let placed = symbols.map { symbol in
      (symbol: symbol, place: SourcePlace(symbol.location)?.relative(to: directory))
    }.sorted { left, right in
      let places = (left.place ?? start, right.place ?? start)
      guard places.0 == places.1 else { return places.0 < places.1 }
      return left.symbol.identifier.precise < right.symbol.identifier.precise
    }
    for (symbol, place) in placed where isIncluded(place) { read(symbol, place) }
    // A type that another module marks as registered by hand is also provided for this one.
    for symbol in index.symbols.values {
      guard symbol.docComment?.lines.contains(where: { $0.text.contains("Understudy:") }) == true,
        index.modules[symbol.identifier.precise] != module,
        marker(of: symbol, "", report: nil)?.kind == .provided
      else { continue }
      provided.insert(symbol.identifier.precise)
    }
  }

  private mutating func read(_ symbol: Symbol, _ place: SourcePlace?) {
    let title = index.name(of: symbol.identifier.precise)
    guard let marker = marker(of: symbol, title, report: place) else { return }
    if symbol.isPrivate {
      return fail(place, marker.kind.refusal(of: title, symbol.accessLevel))
    }
    let kind = symbol.kind.identifier
    switch (marker.kind, kind) {
    case (.provided, _): provided.insert(symbol.identifier.precise)
    case (.inject, "swift.init"), (.inject, "swift.method"): break
    case (.inject, _):
      fail(place, "`\(title)` is neither an initialiser nor a method to inject with.")
    case (_, "swift.class"), (_, "swift.struct"), (_, "swift.enum"): readType(symbol, marker, place)
    case (_, "swift.func"), (_, "swift.type.method"), (_, "swift.method"), (_, "swift.var"),
      (_, "swift.type.property"), (_, "swift.property"):
      readMember(symbol, marker, place)
    default: fail(place, "Not allowed `\(title)` declaration.")
    }
  }

  private mutating func readType(_ symbol: Symbol, _ marker: ComponentMarker, _ place: SourcePlace?)
  {
    let usr = symbol.identifier.precise
    let title = index.name(of: usr)
    if index.isGeneric(usr) {
      return fail(place, "`\(title)` is generic and cannot be registered.")
    }
    if let reason = unique(usr) ?? unavailable([usr]) {
      return fail(place, "`\(title)` \(reason) and cannot be registered.")
    }
    var component = Component(
      type: WiredType(usr: usr, index), maker: .initializer, module: index.modules[usr] ?? "",
      place: place)
    component.lifecycle = marker.lifecycle
    component.name = marker.name ?? inheritedName(of: usr)
    component.ancestors = index.allConformances(of: usr)
    component.isSendable = component.ancestors.contains(StandardProtocol.sendable)
    let initializers = initializers(of: usr)
    guard let (maker, declaration) = maker(of: title, initializers, place) else { return }
    component.rivals =
      initializers.filter {
        $0.identifier.precise != maker.identifier.precise
          && !(isMemberwise(maker) && isSynthesisedEmpty($0, place))
      }.compactMap(rival)
    if index.members[usr]?.contains(maker.identifier.precise) == true,
      let explicit = position(of: maker)
    {
      component.place = explicit
    } else if isOfGenericOwner(maker, declaration) {
      let owner = index.owner(of: maker.identifier.precise).map(index.name) ?? ""
      return fail(
        place,
        "`\(title)` inherits an initialiser that uses the generic parameters of `\(owner)`: declare"
          + " one in `\(title)`.")
    }
    take(declaration, marker, title, &component)
    let injecting = injectors(of: usr, title, place)
    component.injectors = injecting.compactMap { injector(of: title, $0) }
    let called = [symbol, maker] + injecting
    component.imports = imports(of: called)
    component.availability = availability(of: called.map(\.identifier.precise))
    component.isDeprecated = called.contains(where: \.isDeprecated)
    if component.isDeprecated { warnDeprecated(title, component.place) }
    if component.payload != nil, !injecting.isEmpty {
      fail(place, "`\(title)` takes a payload and has an injector; it can have one of them.")
    }
    components.append(component)
  }

  /// Why a value of a type cannot be given to several dependents.
  private func unique(_ usr: String) -> String? {
    guard index.unique.contains(usr) else { return nil }
    return index.noncopyable.contains(usr) ? "cannot be copied" : "cannot outlive a call"
  }

  /// A component's subclasses inherit its name, unless they have their own.
  private func inheritedName(of usr: String) -> String? {
    for parent in withSuperclasses(usr).dropFirst() {
      var ignored: [String] = []
      let lines = index.symbols[parent]?.docComment?.lines.map(\.text) ?? []
      let marker = ComponentMarker.read(lines, of: "", problems: &ignored)
      if let name = marker?.name { return name }
    }
    return nil
  }

  /// The initialisers of a type, or those of its superclass if a class has none.
  private func initializers(of usr: String) -> [Symbol] {
    let all = withSuperclasses(usr).lazy.map { type in
      index.memberSymbols(of: type).filter { $0.kind.identifier == "swift.init" }
    }
    return all.first { !$0.isEmpty } ?? []
  }

  /// A type and its superclasses, from the inside out. A graph may have classes that inherit from
  /// each other, which ends the list.
  private func withSuperclasses(_ usr: String) -> [String] {
    var all = [usr]
    while let parent = index.conformances[all[all.count - 1]]?.map(\.usr)
      .first(where: { index.symbols[$0]?.isClass == true }), !all.contains(parent)
    {
      all.append(parent)
    }
    return all
  }

  /// An accessible initialiser or function as an overload of another one.
  private func rival(_ maker: Symbol) -> Component.Rival? {
    guard !maker.isPrivate, let declaration = declaration(of: maker) else { return nil }
    let parameters = declaration.parameters.map {
      Component.Parameter(
        label: $0.label, type: WiredType(reader.unwrapped($0.type.stored.tokens), index).identity,
        hasDefault: $0.canBeOmitted)
    }
    return Component.Rival(
      parameters: parameters, isAsync: declaration.isAsync, isFailable: declaration.isFailable,
      isLast: !declaration.generics.isEmpty || unavailable([maker.identifier.precise]) != nil)
  }

  /// The imports of the sources of some symbols, if they use types of C or Objective-C.
  private func imports(of symbols: [Symbol]) -> Set<String> {
    Set(symbols.compactMap { $0.location?.uri }.flatMap { index.sourceImports[$0] ?? [] })
  }

  /// The other functions with the name of a function: members of its type, or global ones.
  private func overloads(of symbol: Symbol, in owner: String?) -> [Symbol] {
    let usr = symbol.identifier.precise
    func name(_ symbol: Symbol) -> Substring? { symbol.pathComponents.last?.prefix { $0 != "(" } }
    let all =
      owner.map(index.memberSymbols)
      ?? index.symbols.values.filter { index.modules[$0.identifier.precise] == index.modules[usr] }
    return all.filter { other in
      other.kind.identifier == symbol.kind.identifier && name(other) == name(symbol)
        && other.identifier.precise != usr
    }
  }

  private mutating func maker(
    of title: String, _ initializers: [Symbol], _ place: SourcePlace?
  ) -> (Symbol, Declaration)? {
    let all = initializers.filter {
      !$0.isPrivate && unavailable([$0.identifier.precise]) == nil
    }
    let marked = all.filter { marker(of: $0, title, report: nil)?.kind == .inject }
    let ordinary = all.filter { !isConversion($0) }
    let visible = ordinary.isEmpty ? all : ordinary
    // Written initialisers are preferred to synthesised ones.
    let memberwise = visible.filter(isMemberwise)
    let written = visible.filter {
      guard let own = position(of: $0) else {
        // Extracted graphs have no places for internal declarations, synthesised or not.
        return memberwise.isEmpty || !isMemberwise($0) && $0.pathComponents.last != "init()"
      }
      return own != place
    }
    let synthesised = memberwise.filter(isMemberwiseOfDefaults)
    let rest = synthesised.count == 1 ? synthesised : visible
    let chosen = !marked.isEmpty ? marked : !written.isEmpty ? written : rest
    let current = chosen.filter { !$0.isDeprecated }
    let candidates = current.isEmpty ? chosen : current
    guard let maker = candidates.first else {
      fail(place, "Not found `\(title)` constructor.")
      return nil
    }
    guard candidates.count == 1, let declaration = declaration(of: maker) else {
      fail(place, "Ambiguous `\(title)` constructor.")
      return nil
    }
    return (maker, declaration)
  }

  /// Whether an initialiser looks like a synthesised one of a structure: each of its parameters
  /// sets a property.
  private func isMemberwise(_ initializer: Symbol) -> Bool {
    guard let owner = index.owner(of: initializer.identifier.precise),
      index.symbols[owner]?.kind.identifier == "swift.struct",
      let labels = declaration(of: initializer)?.parameters.map(\.label), !labels.isEmpty
    else { return false }
    let properties = index.memberSymbols(of: owner)
      .filter { $0.kind.identifier == "swift.property" }.compactMap(\.pathComponents.last)
    return labels.allSatisfy(properties.contains)
  }

  /// Whether all parameters of a memberwise initialiser have defaults. Its structure may also have
  /// a synthesised `init()`.
  private func isMemberwiseOfDefaults(_ initializer: Symbol) -> Bool {
    declaration(of: initializer)?.parameters.allSatisfy(\.hasDefault) == true
  }

  /// Whether the compiler synthesises an initialiser without parameters, which sets the defaults as
  /// the memberwise one does.
  private func isSynthesisedEmpty(_ initializer: Symbol, _ place: SourcePlace?) -> Bool {
    guard initializer.pathComponents.last == "init()" else { return false }
    let own = position(of: initializer)
    return own == nil || own == place
  }

  /// Whether an initialiser without a place converts a value: the compiler synthesises
  /// `init(from:)` of a `Decodable` type, and `init(rawValue:)` of a `RawRepresentable` one.
  private func isConversion(_ initializer: Symbol) -> Bool {
    guard position(of: initializer) == nil else { return false }
    // Members of protocols, of which only graphs of the compiler have copies.
    if initializer.identifier.precise.contains("::SYNTHESIZED::") { return true }
    switch initializer.pathComponents.last {
    case "init(from:)":
      return initializer.declarationFragments?.contains { $0.preciseIdentifier == "s:s7DecoderP" }
        == true
    case "init(rawValue:)":
      return index.owner(of: initializer.identifier.precise)
        .map { index.allConformances(of: $0).contains("s:SY") } == true
    default: return false
    }
  }

  /// The methods that complete a type and its superclasses, from the outermost superclass on. A
  /// method that overrides another one stands for it.
  private mutating func injectors(
    of usr: String, _ title: String, _ place: SourcePlace?
  ) -> [Symbol] {
    var all: [Symbol] = []
    for type in withSuperclasses(usr).reversed() {
      let marked = index.memberSymbols(of: type).filter {
        $0.kind.identifier == "swift.method" && isVisible($0, from: usr)
          && marker(of: $0, "", report: nil)?.kind == .inject
      }
      if marked.count > 1 { fail(place, "Ambiguous `\(title)` injector.") }
      guard let method = marked.first else { continue }
      let overridden = all.firstIndex { other in
        other.pathComponents.last == method.pathComponents.last
          && declaration(of: method)?.modifiers.contains("override") == true
      }
      if let overridden { all[overridden] = method } else { all.append(method) }
    }
    return all
  }

  /// Whether the module of a type sees a symbol.
  private func isVisible(_ symbol: Symbol, from usr: String) -> Bool {
    index.isVisible(
      symbol.accessLevel, of: index.modules[symbol.identifier.precise] ?? "",
      testable: [index.modules[usr] ?? ""])
  }

  private mutating func injector(of title: String, _ method: Symbol) -> Component.Injector? {
    guard let declaration = declaration(of: method) else { return nil }
    let owner = index.owner(of: method.identifier.precise)
    let isIsolated = declaration.attributes.contains(where: isGlobalActor)
    let obstacles = [
      (declaration.isAsync, "be asynchronous"), (!declaration.generics.isEmpty, "be generic"),
      (declaration.modifiers.contains("mutating"), "be mutating"),
      (isIsolated || isOfActor(declaration, owner), "be isolated to an actor"),
      (
        isOfGenericOwner(method, declaration),
        "use the generic parameters of `\(owner.map(index.name) ?? "")`"
      ),
    ].filter(\.0)
    for (_, obstacle) in obstacles {
      fail(position(of: method), "`\(title).\(declaration.title)` must not \(obstacle).")
    }
    if !obstacles.isEmpty { return nil }
    return Component.Injector(
      name: declaration.name, needs: needs(declaration.parameters, title, position(of: method)),
      labels: declaration.parameters.map(\.label), isThrowing: declaration.throwing != .never,
      isReturning: declaration.type != nil)
  }

  /// Whether a method needs an argument of a type that depends on the generic parameters of its
  /// class. The graph of a subclass does not contain their arguments.
  private func isOfGenericOwner(_ method: Symbol, _ declaration: Declaration) -> Bool {
    let names = Set(method.swiftGenerics?.parameters?.map(\.name) ?? [])
    return declaration.generics.isEmpty
      && declaration.parameters.contains { parameter in
        !parameter.canBeOmitted
          && parameter.type.tokens.contains {
            names.contains($0.text) && $0.usr?.hasSuffix("mfp") != false
          }
      }
  }

  private mutating func readMember(
    _ symbol: Symbol, _ marker: ComponentMarker, _ place: SourcePlace?
  ) {
    let usr = symbol.identifier.precise
    let title = index.name(of: usr)
    if symbol.isDeprecated { warnDeprecated(title, place) }
    guard let declaration = declaration(of: symbol), let result = declaration.type,
      !index.isGeneric(usr)
    else { return fail(place, "Not allowed `\(title)` declaration.") }
    if declaration.modifiers.contains("mutating") {
      return fail(place, "`\(title)` is mutating, and a resolved instance cannot be changed.")
    }
    // It would be registered under the underlying type, which cannot be named here.
    if result.has("some") {
      let reason = "returns `\(result.text)`, which no request can name: declare the type."
      return fail(place, "`\(title)` \(reason)")
    }
    let type = WiredType(reader.unwrapped(result.stored.tokens), index)
    let kinds = ["?", "!"].contains(type.tokens.last?.text) ? type.usrs : type.heads
    if let reason = kinds.lazy.compactMap(unique).first {
      return fail(place, "`\(type.text)` \(reason) and cannot be registered. (\(title))")
    }
    var owner = symbol.pathComponents.dropLast().joined(separator: ".")
    let isInstance = ["swift.method", "swift.property"].contains(symbol.kind.identifier)
    let parents = index.owner(of: usr)
    if !isInstance, parents.flatMap({ index.symbols[$0] })?.isProtocol == true {
      let reason = "a protocol has no static members of its own"
      return fail(place, "Not allowed `\(title)` declaration: \(reason).")
    }
    // In an assembly, these names mean its own members.
    if parents == nil, ["assemble", "dependencies"].contains(declaration.name) {
      owner = index.modules[usr] ?? ""
      guard index.outermost[owner] == nil else {
        return fail(
          place, "Not allowed `\(title)` declaration: an assembly has a member of that name.")
      }
    }
    let named = [usr] + type.usrs + (parents.map { [$0] } ?? [])
    if let reason = unavailable(named) {
      return fail(place, "`\(title)` \(reason) and cannot be registered.")
    }
    var component = Component(
      type: type,
      maker: isInstance
        ? .member(declaration.name, of: WiredType(usr: parents ?? owner, index))
        : .shared((owner.isEmpty ? "" : owner + ".") + declaration.name),
      module: index.modules[usr] ?? "", place: place)
    component.lifecycle = marker.lifecycle
    component.name = marker.name
    component.ancestors = Set(
      type.heads.flatMap { index.allConformances(of: $0, given: type.arguments) })
    // A composition conforms to each of its parts.
    if type.isExistential, type.usrs.count > 1 { component.ancestors.formUnion(type.usrs) }
    component.isSendable = component.ancestors.contains(StandardProtocol.sendable)
    component.isProperty = declaration.kind == .property
    component.owner = isInstance ? nil : parents
    component.imports = imports(of: [symbol])
    component.availability = availability(of: named)
    component.isDeprecated = symbol.isDeprecated
    component.rivals = overloads(of: symbol, in: parents).compactMap(rival)
    take(declaration, marker, title, &component)
    if isInstance, !component.isMainActor, isOfActor(declaration, parents) {
      component.isAsync = true
    }
    components.append(component)
  }

  /// Whether a member is isolated to the actor that it is a member of.
  private func isOfActor(_ declaration: Declaration, _ owner: String?) -> Bool {
    guard let owner, !declaration.isNonisolated else { return false }
    return index.allConformances(of: owner).contains(StandardProtocol.actor)
  }

  private func isGlobalActor(_ attribute: [Token]) -> Bool {
    attribute.first?.text == "@MainActor"
      || attribute.first?.usr.map(index.isGlobalActor) == true
  }

  private func availability(of symbols: [String]) -> [SymbolGraph.Availability] {
    symbols.flatMap { index.symbols[$0]?.availability ?? [] }
  }

  /// That one of some symbols is unavailable on every system.
  private func unavailable(_ symbols: [String]) -> String? {
    availability(of: symbols).contains {
      $0.isUnconditionallyUnavailable == true && ($0.domain ?? "*") == "*"
    } ? "is unavailable" : nil
  }

  private mutating func take(
    _ declaration: Declaration, _ marker: ComponentMarker, _ title: String,
    _ component: inout Component
  ) {
    let place = component.place
    if declaration.isFailable { fail(place, "The constructor of `\(title)` can fail.") }
    if !declaration.generics.isEmpty { fail(place, "The constructor of `\(title)` is generic.") }
    component.isThrowing = declaration.throwing != .never
    if case .typed = declaration.throwing { component.throwsTyped = true }
    component.isAsyncFunction = declaration.isAsync
    component.isAsync =
      declaration.isAsync
      || declaration.attributes.contains { $0.first?.usr.map(index.isGlobalActor) == true }
    component.isMainActor = declaration.attributes.contains { $0.first?.text == "@MainActor" }
    var parameters = declaration.parameters
    if marker.kind == .factory, let last = parameters.last,
      last.label == Component.payloadLabel
    {
      parameters.removeLast()
      let isUnfit = last.type.specifiers.contains(where: ["inout", "@autoclosure"].contains)
      if isUnfit || last.isVariadic || ["some", "repeat", "each"].contains(where: last.type.has) {
        let type = last.type.text + (last.isVariadic ? "..." : "")
        fail(place, "Unknown `\(title)` dependency type. (\(type))")
      }
      component.payload = WiredType(last.type.stored.tokens, index)
    } else if marker.kind == .factory {
      fail(place, "Not found payload type. The last parameter of `\(title)` is not `payload`.")
    }
    component.labels = parameters.map(\.label)
    component.needs = needs(parameters, title, place)
    for choice in marker.choices { take(choice, parameters, title, &component) }
  }

  /// Lets a property choose the argument of a parameter. The parameter is named by its label, or by
  /// its name if it has no label.
  private mutating func take(
    _ choice: ComponentMarker.Choice, _ parameters: [Declaration.Parameter], _ title: String,
    _ component: inout Component
  ) {
    let position = parameters.firstIndex { parameter in
      choice.parameter == (parameter.label == "_" ? parameter.name : parameter.label)
    }
    guard let position else {
      return fail(
        component.place, "`\(title)` has no parameter `\(choice.parameter)` to choose for.")
    }
    let need = component.needs.firstIndex { $0.position == position }
    guard let need, [.one, .optional].contains(component.needs[need].kind),
      !component.needs[need].isMany
    else {
      let type = need.map { component.needs[$0].whole.text } ?? parameters[position].type.text
      return fail(
        component.place,
        "A property chooses one component, and `\(choice.parameter)` of `\(title)` is `\(type)`.")
    }
    component.needs[need].property = choice.property
  }

  private mutating func needs(
    _ parameters: [Declaration.Parameter], _ title: String, _ place: SourcePlace?
  ) -> [Component.Need] {
    parameters.enumerated().compactMap { position, parameter in
      if var need = reader.need(parameter) {
        need.position = position
        return need
      }
      guard !parameter.canBeOmitted else { return nil }
      fail(place, "Unknown `\(title)` dependency type. (\(parameter.type.text))")
      return nil
    }
  }

  private func position(of symbol: Symbol) -> SourcePlace? {
    SourcePlace(symbol.location)?.relative(to: directory)
  }

  /// A declaration with the types that its aliases stand for.
  private func declaration(of symbol: Symbol) -> Declaration? {
    let tokens = symbol.tokens.withoutModules(index)
    var declaration = Declaration(AliasExpander(index: index, isOfAll: true).expanded(tokens))
    declaration?.equalise(index)
    return declaration
  }

  private mutating func marker(
    of symbol: Symbol, _ title: String, report place: SourcePlace?
  ) -> ComponentMarker? {
    var problems: [String] = []
    let lines = symbol.docComment?.lines.map(\.text) ?? []
    let marker = ComponentMarker.read(lines, of: title, problems: &problems)
    if let place { for problem in problems { fail(place, problem) } }
    return marker
  }

  private mutating func warnDeprecated(_ title: String, _ place: SourcePlace?) {
    let message = "`\(title)` is created by deprecated code."
    diagnostics.append(Diagnostic(severity: .warning, place: place, message: message))
  }

  private mutating func fail(_ place: SourcePlace?, _ message: String) {
    diagnostics.append(Diagnostic(place: place, message: message))
  }
}
