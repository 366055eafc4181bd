// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Writes the Swift text of an assembly.
struct WiringWriter {
  /// The configuration of the text.
  struct Style: Hashable {
    var name: String
    var module: String
    var access = "internal"
    var imports: [String] = []
    /// The assemblies of other modules, which are loaded first.
    var assemblies: [String] = []
  }

  private let style: Style
  private let index: GraphIndex
  private let names: WiringLocals
  private var lines: [String] = []

  /// The text without the header.
  static func text(of plan: WiringPlan, _ style: Style, _ index: GraphIndex) -> String {
    var writer = WiringWriter(style: style, index: index, names: WiringLocals(plan))
    writer.write(plan)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private init(style: Style, index: GraphIndex, names: WiringLocals) {
    self.style = style
    self.index = index
    self.names = names
  }

  /// A type of the library, qualified if another type has its name.
  private func library(_ name: String) -> String {
    let others = index.outermost[name, default: [:]].keys.contains { $0 != "Understudy" }
    return others ? "Understudy.\(name)" : name
  }

  private mutating func write(_ plan: WiringPlan) {
    let access = style.access == "internal" ? "" : style.access + " "
    let isChoosing = plan.own.contains { registration in
      (registration.givens + registration.later).contains { $0.need.property != nil }
    }
    let modules = self.modules(of: plan)
    let others = modules.all.union(style.imports + (isChoosing ? ["UnderstudyDefinitions"] : []))
      .subtracting(["Understudy"])
    lines = (others.map { "import \($0.escaped)" } + ["\(access)import Understudy"]).sorted {
      ($0.split(separator: " ").last ?? "") < ($1.split(separator: " ").last ?? "")
    }
    let imported = others.union(["Understudy", style.module])
    for name in modules.conditional.subtracting(imported).sorted() {
      lines += ["#if canImport(\(name.escaped))", "  import \(name.escaped)", "#endif"]
    }
    lines += ["", "/// The wiring of `\(style.module)`."]
    lines.append("\(access)struct \(style.name.escaped): \(library("Assembly")) {")
    lines.append("  \(access)init() {}")
    if !style.assemblies.isEmpty {
      lines.append("")
      lines.append(
        "  \(access)var dependencies: [any \(library("Assembly"))] { [\(style.assemblies.joined(separator: ", "))] }"
      )
    }
    lines.append("")
    let deprecated = plan.own.filter(\.component.isDeprecated).map(\.component.title)
    // Otherwise the assembly itself would use deprecated code.
    if !deprecated.isEmpty {
      let titles = deprecated.map { "`\($0)`" }.joined(separator: ", ")
      lines += [
        "  /// Deprecated, because this code is: \(titles).", "  @available(*, deprecated)",
      ]
    }
    lines += [
      "  \(access)func assemble(into \(names.registrar): some \(library("Registering"))) {"
    ]
    for registration in plan.registrations {
      lines += self.lines(of: registration).map { "    " + $0 }
    }
    lines += ["  }", "}"]
  }

  /// The modules to import, and those to import only where they exist.
  private func modules(of plan: WiringPlan) -> (all: Set<String>, conditional: Set<String>) {
    var all: Set<String> = []
    var conditional: Set<String> = []
    for registration in plan.registrations {
      let component = registration.component
      let isEmpty = component.isForeign && registration.aliases.isEmpty
      let needs = (registration.sources + registration.later).map(\.need)
      let types =
        (isEmpty ? [] : [component.type]) + needs.map(\.type) + needs.compactMap(\.payload)
        + registration.aliases.map(\.type) + [component.payload].compactMap { $0 }
      for usr in types.flatMap(\.usrs) + [component.owner].compactMap({ $0 }) {
        if let name = module(of: usr) {
          all.insert(name)
        } else if SourceImports.isForeign(usr) {
          conditional.formUnion(component.imports.subtracting(index.moduleNames))
        }
      }
    }
    all.subtract([style.module, "Swift", "_Concurrency", "_StringProcessing"])
    let parts = all.intersection(ModuleName.partsOfFoundation)
    all.subtract(parts)
    if !parts.isEmpty { all.insert("Foundation") }
    return (all, conditional.union(parts))
  }

  /// The module to import for a type. This module may declare a type within one of another module.
  private func module(of usr: String) -> String? {
    let module = index.modules[usr]
    return module != nil && module != style.module
      ? module : ModuleName.imported(for: usr) ?? module
  }

  private func lines(of registration: WiringPlan.Registration) -> [String] {
    let component = registration.component
    let all = registration.aliases
    let own = all.filter { !isNewer($0.type, than: component) }
    let newer = all.filter { !own.contains($0) }
    // An alias whose key differs in more than its type needs a block of its own.
    func isPlain(_ alias: WiringPlan.Alias) -> Bool {
      !component.isForeign && alias.container == nil
    }
    var lines = component.isForeign ? [] : self.registration(registration, own.filter(isPlain))
    let later = newer.filter(isPlain)
    if !later.isEmpty {
      // Each component has a scope of its own for its key.
      lines[0] = "let \(names.key) = " + lines[0]
      lines += later.flatMap {
        let line = "\(names.registrar).alias(\(names.key), as: \($0.type.metatype))"
        return guarded([line], for: $0, of: component)
      }
      // The aliases may all be left out for a system.
      if lines.contains(where: { $0.hasPrefix("#if") }) { lines.append("_ = \(names.key)") }
      lines = ["do {"] + lines.map { "  " + $0 } + ["}"]
    }
    lines += own.filter { !isPlain($0) }.flatMap { alias($0, of: registration) }
    lines = Self.guarded(lines, by: component.availability)
    return lines
      + newer.filter { !isPlain($0) }.flatMap {
        guarded(alias($0, of: registration), for: $0, of: component)
      }
  }

  /// A registration, under further types.
  private func registration(
    _ registration: WiringPlan.Registration, _ aliases: [WiringPlan.Alias]
  ) -> [String] {
    let made = self.registration(registration)
    if aliases.isEmpty { return made }
    let types = aliases.map(\.type.metatype).joined(separator: ", ")
    var lines = ["\(names.registrar).alias("] + made.map { "  " + $0 }
    lines[lines.count - 1] += ","
    return lines + ["  as: \(types))"]
  }

  /// Lines that run only on the systems where an alias and its component are available.
  private func guarded(
    _ lines: [String], for alias: WiringPlan.Alias, of component: Component
  ) -> [String] {
    Self.guarded(lines, by: component.availability + availability(of: alias.type))
  }

  private func availability(of type: WiredType) -> [SymbolGraph.Availability] {
    type.usrs.flatMap { index.symbols[$0]?.availability ?? [] }
  }

  /// Whether a type is not available on all systems of a component.
  private func isNewer(_ type: WiredType, than component: Component) -> Bool {
    let own = component.availability
    let both = own + availability(of: type)
    return AvailabilityText.systems(both) != AvailabilityText.systems(own)
      || AvailabilityText.withoutSystems(both) != AvailabilityText.withoutSystems(own)
  }

  /// Lines that run only on the systems where something is available.
  private static func guarded(
    _ lines: [String], by availability: [SymbolGraph.Availability]
  ) -> [String] {
    var lines = lines
    // There are none if the aliases of another module's component are all newer.
    if lines.isEmpty { return lines }
    if let systems = AvailabilityText.systems(availability) {
      lines = ["if #available(\(systems)) {"] + lines.map { "  " + $0 } + ["}"]
    }
    let others = AvailabilityText.withoutSystems(availability)
    if others.isEmpty { return lines }
    return ["#if " + others.map { "!os(\($0))" }.joined(separator: " && ")] + lines + ["#endif"]
  }

  private func alias(
    _ alias: WiringPlan.Alias, of registration: WiringPlan.Registration
  ) -> [String] {
    let component = registration.component
    var options: [String] = []
    if let name = component.name { options.append("named: \(name.quoted)") }
    if let container = alias.container { options.append("in: \(container.quoted)") }
    let isAsync = registration.isAsync || component.isMainActor
    let name = component.name.map { ", named: \($0.quoted)" } ?? ""
    let payload = component.payload == nil ? "" : ", with: \(names.payload)"
    var block = Block(
      names: names, resolver: library("Resolver"), isAsync: isAsync, isThrowing: true,
      payload: component.payload?.parameter)
    block.expression =
      "\(names.resolver).resolve\(isAsync ? "Async" : "")(\(component.type.metatype)\(payload)\(name))"
      + " as \(alias.type.text)"
    return Self.lines(
      names.registrar, needs: [key(component.type.metatype, component.name)], options, block)
  }

  private func registration(_ registration: WiringPlan.Registration) -> [String] {
    let component = registration.component
    let call = self.call(of: component)
    var options: [String] = []
    // Functions with the same parameters differ in their results.
    let needsType = component.rivals.contains {
      $0.parameters.defaults(around: registration.called) == []
    }
    if needsType, component.maker != .initializer { options.append(component.type.metatype) }
    if let name = component.name { options.append("named: \(name.quoted)") }
    switch component.lifecycle {
    case .notCached, nil: break
    case .cached, .eager: options.append("lifecycle: .cached")
    case .once: options.append("lifecycle: .once")
    }
    let registrar = names.registrar + (component.lifecycle == .eager ? ".eager" : "")
    let given = registration.givens.filter { !$0.isOmitted }
    let later = registration.later.filter { !$0.isOmitted }
    // A reference to a function with typed throws crashes the compiler (6.3.1) when it is
    // autowired.
    let isPlain =
      !component.throwsTyped && !component.needs.isEmpty && component.labels.count == given.count
      && !component.sharesLabels && component.payload == nil && component.injectors.isEmpty
      && !component.isMainActor && !registration.isAsync && !component.isProperty
      && given.allSatisfy(\.isPlain)
    if isPlain, registration.owner == nil {
      let labels = component.labels.map { $0.escapedArgument + ":" }.joined()
      let reference = component.maker == .initializer ? call + ".init" : call
      let list = (["autowiring: \(reference)(\(labels))"] + options).joined(separator: ", ")
      return ["\(registrar).register(\(list))"]
    }
    let needs =
      (registration.owner.map { [key($0)] } ?? []) + given.flatMap(keys)
      + later.map(laterKey)
    var lines = Self.lines(registrar, needs: needs, options, block(registration, given, call))
    if component.injectors.isEmpty { return lines }
    lines[lines.count - 1] +=
      " then: { \(names.value), \(later.isEmpty ? "_" : names.resolver) in"
    for (injector, givens) in registration.injections {
      let arguments = givens.filter { !$0.isOmitted }.map { argument($0, isAsync: false) }
      let isTrying = !arguments.isEmpty || injector.isThrowing
      lines.append(
        "  \(injector.isReturning ? "_ = " : "")\(isTrying ? "try " : "")\(names.value).\(injector.name.escaped)"
          + "(\(arguments.joined(separator: ", ")))")
    }
    return lines + ["}"]
  }

  private func block(
    _ registration: WiringPlan.Registration, _ given: [WiringPlan.Given], _ call: String
  ) -> Block {
    let component = registration.component
    var arguments = given.map { argument($0, isAsync: registration.isAsync) }
    if component.payload != nil { arguments.append("\(Component.payloadLabel): \(names.payload)") }
    let isResolving = !given.isEmpty || registration.owner != nil
    var block = Block(
      names: names, resolver: library("Resolver"), isAsync: registration.isAsync,
      isMainActor: component.isMainActor && !registration.isAsync,
      isThrowing: component.isThrowing || isResolving,
      payload: component.payload?.parameter,
      isResolving: isResolving, takesResolver: !component.injectors.isEmpty)
    block.expression =
      component.isProperty ? call : "\(call)(\(arguments.joined(separator: ", ")))"
    if let owner = registration.owner {
      block.expression = argument(owner, isAsync: registration.isAsync) + "." + block.expression
    }
    return block
  }

  /// A block that creates a component.
  private struct Block {
    var names: WiringLocals
    var resolver: String
    var isAsync = false
    var isMainActor = false
    var isThrowing = false
    var payload: String?
    /// Whether the block uses the resolver.
    var isResolving = true
    /// Whether the block takes the resolver, even if it does not use it.
    var takesResolver = false
    var expression = ""

    var head: String {
      var parameters: [String] = []
      if isResolving || takesResolver || payload != nil {
        parameters.append("\(isResolving ? names.resolver : "_"): \(resolver)")
      }
      if let payload { parameters.append("\(names.payload): \(payload)") }
      let effects = (isAsync ? " async" : "") + (isThrowing ? " throws" : "")
      let actor = isMainActor ? "@MainActor " : ""
      guard !parameters.isEmpty || !effects.isEmpty || isMainActor else { return "" }
      return "\(actor)(\(parameters.joined(separator: ", ")))\(effects) in"
    }

    var body: String { (isThrowing ? "try " : "") + (isAsync ? "await " : "") + expression }
  }

  private static func lines(
    _ registrar: String, needs: [String], _ options: [String], _ block: Block
  ) -> [String] {
    let list = options.isEmpty ? "" : "(\(options.joined(separator: ", ")))"
    var lines: [String] = []
    var start = "\(registrar).register\(list)"
    if needs.count == 1 {
      start = "\(registrar).needing([\(needs[0])]).register\(list)"
    } else if !needs.isEmpty {
      lines = ["\(registrar).needing(["] + needs.map { "  \($0)," }
      start = "]).register\(list)"
    }
    guard !block.head.isEmpty else { return lines + ["\(start) { \(block.body) }"] }
    return lines + ["\(start) { \(block.head)", "  \(block.body)", "}"]
  }

  private func call(of component: Component) -> String {
    switch component.maker {
    case .initializer: component.type.text
    case .shared(let name):
      name.split(separator: ".").map { String($0).escapedType }.joined(separator: ".")
    case .member(let name, _): name.escaped
    }
  }

  private func key(_ given: WiringPlan.Given) -> String { key(given.need.metatype, given.name) }

  private func key(_ metatype: String, _ name: String?) -> String {
    "\(library("AnyKey"))(type: \(metatype)" + (name.map { ", named: \($0.quoted)" } ?? "") + ")"
  }

  /// The key of an argument, or all keys of which a property chooses one.
  private func keys(_ given: WiringPlan.Given) -> [String] {
    given.choices.isEmpty ? [key(given)] : given.choices.map { key(given.need.metatype, $0) }
  }

  /// The key of an injector's dependency, which the graph draws as a deferred one.
  private func laterKey(_ given: WiringPlan.Given) -> String {
    let need = given.need
    let isProvider = need.kind == .deferred
    return key(
      isProvider ? need.metatype : "\(library("Provider"))<\(need.metatype.dropLast(5))>.self",
      given.name)
  }

  private func argument(_ given: WiringPlan.Given, isAsync: Bool) -> String {
    let label = given.need.label == "_" ? "" : "\(given.need.label.escapedArgument): "
    let name =
      given.need.property.map { ", namedBy: \($0.quoted)" }
      ?? given.name.map { ", named: \($0.quoted)" } ?? ""
    return
      "\(label)\(names.resolver).resolve\(isAsync && !given.isSynchronous ? "Async" : "")(\(given.need.metatype)\(name))"
  }
}

extension String {
  fileprivate var quoted: String { "\"\(literal)\"" }
}
