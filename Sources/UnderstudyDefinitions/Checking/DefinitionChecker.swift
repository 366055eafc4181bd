// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Checks definitions against a catalogue. It finds every mistake that can be known before anything
/// is created.
///
/// - Complexity: O(services + references). Near misses are searched for only if there is a mistake.
package struct DefinitionChecker {
  let document: DefinitionDocument
  private let catalogue: Catalogue
  /// Properties that other code installs.
  let properties: Properties?
  /// Names of registrations in code.
  let registered: Set<String>

  private(set) var checked: CheckedDefinitions
  private var findings: [Finding]
  /// Definitions completed with those of their parents, or `nil` if a parent has a mistake.
  private(set) var complete: [String: ServiceDefinition] = [:]
  private var types: [String: any Any.Type] = [:]
  /// Services with a mistake in their parents, or in the service of which they are an alias.
  private var faulty: Set<String> = []
  /// Services whose type cannot be known.
  private var untyped: Set<String> = []
  /// Services whose factories were already searched for a circle.
  private var searchedOwners: Set<String> = []
  /// The number of values that services may still inherit.
  private var inheritedLeft: Int
  /// The number of findings that may still search for near misses, each of which visits every name.
  private(set) var nearMissesLeft = 50

  /// Checks definitions.
  ///
  /// - Parameters:
  ///   - document: The contents of the files.
  ///   - parameters: The parameters of the files.
  ///   - catalogue: The classes that the files may use.
  ///   - properties: Properties that other code installs.
  ///   - registered: Names of registrations in code.
  ///   - limits: The limits of the reader.
  /// - Returns: The definitions, complete.
  /// - Throws: All findings at once.
  package static func check(
    _ document: DefinitionDocument, parameters: Properties, _ catalogue: Catalogue,
    properties: Properties?, registered: Set<String>, _ limits: ReadingLimits
  ) throws(DefinitionError) -> CheckedDefinitions {
    var checker = DefinitionChecker(
      document: document, catalogue: catalogue, properties: properties, registered: registered,
      checked: CheckedDefinitions(parameters: parameters, properties: properties),
      findings: document.findings, inheritedLeft: limits.inheritedValueCount)
    for name in document.order {
      guard checker.completeDefinition(of: name) else {
        throw DefinitionError(
          .tooManyInherited(limit: limits.inheritedValueCount), of: .service(name),
          at: document.services[name]?.origin)
      }
    }
    checker.run()
    guard checker.findings.isEmpty else { throw DefinitionError(checker.findings) }
    return checker.checked
  }

  private mutating func run() {
    for name in document.order { resolveAlias(name) }
    for name in document.order { findEntry(of: name) }
    for (tag, names) in taggedNames { checked.tags[tag] = names }
    for name in document.order {
      checkParent(of: name)
      check(name)
    }
    findings += CycleSearch.cycles(in: checked)
  }

  private var taggedNames: [String: [String]] {
    var names: [String: [String]] = [:]
    for name in document.order {
      guard let definition = complete[name], !definition.isAbstract else { continue }
      for tag in definition.tags ?? [] { names[tag, default: []].append(name) }
    }
    return names
  }

  // MARK: Parents and aliases

  /// Returns `false` if services inherit too many values.
  private mutating func completeDefinition(of name: String) -> Bool {
    var chain: [ServiceDefinition] = []
    var positions: [String: Int] = [:]
    var base: ServiceDefinition?
    var next: ServiceDefinition.Name? = .init(text: name, origin: Origin(""))
    while let step = next {
      if let start = positions[step.text] {
        reportCircle(of: Array(chain[start...]))
        faulty.formUnion(chain.map(\.name))
        return true
      }
      if let definition = complete[step.text] {
        base = definition
        break
      }
      guard let definition = document.services[step.text], !faulty.contains(step.text) else {
        if document.services[step.text] == nil {
          addNoService(step, as: "parent", of: chain.last?.name ?? name)
        }
        faulty.formUnion(chain.map(\.name))
        return true
      }
      positions[step.text] = chain.count
      chain.append(definition)
      next = definition.parent
    }
    while let child = chain.popLast() {
      inheritedLeft -= base?.valueCount ?? 0
      guard inheritedLeft >= 0 else { return false }
      let definition = base.map { child.inheriting(from: $0) } ?? child
      complete[child.name] = definition
      base = definition
    }
    return true
  }

  /// Reports each circle once, from the member that comes first in the files.
  private mutating func reportCircle(of members: [ServiceDefinition]) {
    let names = Set(members.map(\.name))
    guard let first = document.order.first(where: { names.contains($0) }),
      let start = members.firstIndex(where: { $0.name == first })
    else { return }
    let circle = members[start...] + members[..<start]
    add(
      .parentCycle(circle.map(\.name) + [first]), first,
      circle.last?.parent?.origin ?? members[start].origin)
  }

  private mutating func resolveAlias(_ name: String) {
    var path: [String] = []
    var seen: Set<String> = []
    var next = ServiceDefinition.Name(text: name, origin: Origin(""))
    while checked.aliases[next.text] == nil, let alias = document.services[next.text]?.alias {
      guard !faulty.contains(next.text) else {
        faulty.formUnion(path)
        return
      }
      guard seen.insert(next.text).inserted else {
        let start = path.firstIndex(of: next.text) ?? 0
        add(.cycle(path[start...] + [next.text]), path.last ?? name, next.origin)
        faulty.formUnion(path)
        return
      }
      path.append(next.text)
      next = alias
    }
    guard let last = path.last else { return }
    let target = checked.aliases[next.text] ?? next.text
    guard document.services[target] != nil else {
      addNoService(next, as: "alias", of: last)
      faulty.formUnion(path)
      return
    }
    guard complete[target]?.isAbstract != true else {
      add(.abstractService(target), last, next.origin)
      faulty.formUnion(path)
      return
    }
    for alias in path { checked.aliases[alias] = target }
  }

  // MARK: Classes and factories

  /// Finds the catalogue's entry for a service. For a method it depends on the owner's entry.
  ///
  /// It uses no recursion, since a file can contain a chain of factories of any length.
  private mutating func findEntry(of name: String) {
    var chain: [(name: String, definition: ServiceDefinition)] = []
    var open: Set<String> = []
    var next = checked.aliases[name] ?? name
    while types[next] == nil, !untyped.contains(next), let definition = complete[next],
      !definition.isAbstract, definition.alias == nil, open.insert(next).inserted
    {
      chain.append((next, definition))
      guard case .method(_, let owner) = definition.factory else { break }
      next = checked.aliases[owner.text] ?? owner.text
    }
    while let (name, definition) = chain.popLast() {
      var owner: (any Any.Type)?
      if case .method(_, let service) = definition.factory {
        owner = types[checked.aliases[service.text] ?? service.text]
        guard owner != nil else {
          untyped.insert(name)
          continue
        }
      }
      types[name] = entry(of: definition, owner)?.type
      if types[name] == nil { untyped.insert(name) }
    }
  }

  private func entry(
    of definition: ServiceDefinition, _ owner: (any Any.Type)?
  ) -> CatalogueEntry? {
    switch (definition.factory, owner) {
    case (.method(let method, _), let owner?):
      catalogue.methods[.init(owner: ObjectIdentifier(owner), name: method.text)]
    case (.function(let name), _): catalogue.classes[name.text]
    default: definition.className.flatMap { catalogue.classes[$0.text] }
    }
  }

  /// An alias has nothing that a child could inherit. A child without a class is a finding of its
  /// own.
  private mutating func checkParent(of name: String) {
    guard let parent = document.services[name]?.parent, let definition = complete[name],
      document.services[parent.text]?.alias != nil,
      definition.isAbstract || definition.className != nil || definition.factory != nil
    else { return }
    add(
      .incomplete("Its parent '\(parent.text)' is an alias, which has nothing to inherit."),
      name, parent.origin)
  }

  private mutating func check(_ name: String) {
    guard let definition = complete[name], definition.alias == nil, !definition.isAbstract else {
      return
    }
    var factory: String?
    var ownerType: (any Any.Type)?
    var methodName = ServiceDefinition.Name(text: "", origin: definition.origin)
    switch definition.factory {
    case .method(let method, let service):
      guard document.services[service.text] != nil else {
        return addNoService(service, as: "factory", of: name)
      }
      let owner = checked.aliases[service.text] ?? service.text
      factory = service.text
      ownerType = types[owner]
      methodName = method
      if ownerType == nil { return checkOwner(owner, of: definition, service.origin) }
    case .function(let function): methodName = function
    case nil:
      guard let className = definition.className else { return addClassless(definition) }
      methodName = className
    }
    guard let entry = entry(of: definition, ownerType) else {
      let names = ownerType.map { catalogue.methodNames(of: $0) } ?? catalogue.names
      let misses = names.nearMisses(of: methodName.text)
      let problem: Finding.Problem =
        ownerType.map {
          .unknownMethod(methodName.text, type: TypeDescription.of($0), nearMisses: misses)
        } ?? .unknownClass(methodName.text, nearMisses: misses)
      add(problem, name, methodName.origin)
      return
    }
    let arguments = checked(
      definition.arguments ?? ArgumentList(), for: entry.parameters, of: definition,
      at: methodName.origin)
    let calls = definition.calls.compactMap { call(for: $0, on: entry.type, of: definition) }
    checked.services[name] = CheckedService(
      name: name, origin: definition.origin, entry: entry, factory: factory, arguments: arguments,
      calls: calls, scope: definition.scope ?? .shared, tags: definition.tags ?? [])
    checked.order.append(name)
  }

  /// A missing parent, or a parent that is itself a service, has already been reported.
  private mutating func addClassless(_ definition: ServiceDefinition) {
    guard let parent = document.services[definition.name]?.parent,
      let base = document.services[parent.text], base.isAbstract || base.alias != nil
    else { return }
    add(
      .incomplete("Neither it nor any of its parents has a class or a factory."),
      definition.name, parent.origin)
  }

  /// Mistakes of the factory are reported at the factory. Here it can only be abstract, or part of
  /// a circle.
  private mutating func checkOwner(
    _ owner: String, of definition: ServiceDefinition, _ origin: Origin
  ) {
    if complete[owner]?.isAbstract == true {
      add(.abstractService(owner), definition.name, origin)
      return
    }
    var path: [String] = []
    var positions: [String: Int] = [:]
    var next = definition.name
    while searchedOwners.insert(next).inserted {
      positions[next] = path.count
      path.append(next)
      guard case .method(_, let service) = complete[next]?.factory else { return }
      next = checked.aliases[service.text] ?? service.text
    }
    guard let start = positions[next] else { return }
    let circle = path[start...]
    guard let first = circle.min(), let middle = circle.firstIndex(of: first),
      case .method(_, let service) = complete[first]?.factory
    else { return }
    add(.cycle(Array(circle[middle...] + circle[..<middle]) + [first]), first, service.origin)
  }

  private mutating func call(
    for call: ServiceDefinition.Call, on type: any Any.Type, of definition: ServiceDefinition
  ) -> (CatalogueCall, CheckedArguments)? {
    let key = Catalogue.MethodName(owner: ObjectIdentifier(type), name: call.method.text)
    guard let entry = catalogue.calls[key] else {
      add(
        .unknownMethod(
          call.method.text, type: TypeDescription.of(type),
          nearMisses: catalogue.callNames(of: type).nearMisses(of: call.method.text)),
        definition.name, call.method.origin)
      return nil
    }
    return (
      entry,
      checked(call.arguments, for: entry.parameters, of: definition, at: call.method.origin)
    )
  }

  /// Reports a name that is no service, where nothing else will do.
  private mutating func addNoService(
    _ name: ServiceDefinition.Name, as part: String, of service: String
  ) {
    let kind: String
    switch target(of: name.text) {
    case .registered: kind = "a registration in code"
    case .value: kind = "a parameter or a property"
    case .service, .nothing:
      return addMissing(name.text, document.order, service, name.origin)
    }
    add(
      .incomplete(
        "'\(name.text)' is \(kind). The \(part) must be a service of these definitions."),
      service, name.origin)
  }

  mutating func addMissing(
    _ name: String, _ known: [String], _ service: String, _ origin: Origin
  ) {
    let nearMisses =
      nearMissesLeft > 0 ? known.filter { $0 != service }.nearMisses(of: name) : []
    nearMissesLeft -= 1
    add(.missingReference(name, nearMisses: nearMisses), service, origin)
  }

  mutating func add(_ problem: Finding.Problem, _ service: String, _ origin: Origin) {
    findings.append(Finding(problem, of: .service(service), at: origin))
  }
}

extension DefinitionChecker: ReferenceCatalogue {
  package func target(of name: String) -> ReferenceTarget {
    // A lone "@" has already been reported.
    if name.isEmpty { return .nothing }
    if document.services[name] != nil {
      // A service with a mistake fits everywhere, so that a mistake is reported once.
      return types[checked.aliases[name] ?? name].map { .service($0) } ?? .registered
    }
    if let value = checked.parameters.parameter(named: name) { return .value(value) }
    if registered.contains(name) { return .registered }
    return properties?.propertyPath(named: name).flatMap { properties?[$0] }.map { .value($0) }
      ?? .nothing
  }

  package func types(tagged tag: String) -> [any Any.Type] {
    (checked.tags[tag] ?? []).compactMap { types[$0] }
  }
}
