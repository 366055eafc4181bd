// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Services and parameters from files, checked and ready to install.
///
/// A value of this type means that the files have no error. Once installed, each service is a
/// registration of the type that the catalogue gives it, under the name in the file, and is created
/// at its first request. Each parameter is a property, and a registration of its type, such as
/// `Int` or `[String]`, under its name. Layers override all of them, and the log counts them.
///
/// ```swift
/// let definitions = try Definitions([.file("services.json")], catalogue: catalogue)
/// resolver.install(definitions)
/// let mailer = try resolver.resolve((any Mailer).self, named: "mailer")
/// let port = try resolver.resolve(Int.self, named: "port")
/// ```
public struct Definitions: Sendable {
  private let checked: CheckedDefinitions
  private let token = Token()

  /// The identity of definitions, shared by copies, since a catalogue's functions cannot be
  /// compared.
  private final class Token: Sendable {}

  /// Reads and checks definitions. If two services have one name, the last one wins. Parameters are
  /// merged like properties.
  ///
  /// - Parameters:
  ///   - sources: The sources. The last one wins.
  ///   - catalogue: The classes that they may use.
  ///   - properties: Properties that `@path` may refer to. You install them, too.
  ///   - resolver: A resolver whose registrations the files may refer to.
  ///   - registered: Names that will be registered before they are needed.
  ///   - secrets: The parameters that are never printed.
  ///   - limits: The limits of the reader.
  /// - Throws: All findings at once. This creates and installs nothing.
  public init(
    _ sources: [ValueSource], catalogue: Catalogue, properties: Properties? = nil,
    knownTo resolver: Resolver? = nil, expecting registered: Set<String> = [],
    secrets: [String] = [], limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) {
    var document = DefinitionDocument()
    var warnings: [Finding] = []
    var errors: [Finding] = []
    for source in sources {
      let reading = source.read(limits)
      warnings += reading.warnings
      errors += reading.errors
      for node in reading.nodes { document.add(node, isLoose: reading.isLoose) }
    }
    guard errors.isEmpty else { throw DefinitionError(errors + document.findings) }
    self.warnings = warnings
    let parameters: Properties
    do throws(DefinitionError) {
      parameters = try Properties(document.parameters, secrets: secrets, limits: limits)
    } catch {
      throw DefinitionError(document.findings + error.findings)
    }
    let names = (resolver?.lineage.flatMap(\.keys) ?? []).compactMap { $0.name?.base as? String }
    checked = try DefinitionChecker.check(
      document, parameters: parameters, catalogue, properties: properties,
      registered: registered.union(names), limits)
  }

  /// Findings that are no errors: an optional file that is missing.
  public let warnings: [Finding]

  /// The parameters, as properties.
  public var parameters: Properties { checked.parameters }

  /// The names of the services, in the order of definition.
  public var services: [String] { checked.order }

  /// The names of the services of a tag, in the order of definition.
  public func services(tagged tag: String) -> [String] { checked.tags[tag] ?? [] }
}

extension Definitions: IdentifiedAssembly {
  /// Copies are the same assembly. Definitions that were read again are another one.
  package var identity: any Hashable & Sendable { ObjectIdentifier(token) }
}

extension Definitions: Assembly {
  /// Registers every service, alias, tag and parameter.
  ///
  /// - Parameters:
  ///   - registrar: The target of the registrations.
  public func assemble(
    into registrar: some Registering, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    assemble(into: registrar, at: CallSite(fileID, filePath, line, column))
  }

  /// Registers the contents for a caller that knows only the protocol `Assembly`, without the place
  /// of the call.
  @_disfavoredOverload
  public func assemble(into registrar: some Registering) {
    assemble(into: registrar, at: CallSite())
  }

  package func assemble(into registrar: some Registering, at callSite: CallSite) {
    checked.parameters.assemble(into: registrar, at: callSite)
    checked.parameters.registerParameters(on: registrar, at: callSite)
    let references = ReferenceTable(checked)
    for name in checked.order {
      guard let service = checked.services[name] else { continue }
      registrar.add(service.registration(references, at: callSite))
    }
    for (name, target) in checked.aliases.sorted(by: { $0.key < $1.key }) {
      guard let service = checked.services[target] else { continue }
      var traits = RegistrationTraits(
        key: AnyKey(type: service.entry.type, named: name), at: callSite)
      traits.needs = [AnyKey(type: service.entry.type, named: target)]
      registrar.add(service.entry.alias(traits, target))
    }
    for (tag, names) in checked.tags.sorted(by: { $0.key < $1.key }) {
      let members = names.compactMap { name in
        checked.services[name].map {
          TaggedService(name: name, entry: $0.entry, origin: $0.origin)
        }
      }
      var traits = RegistrationTraits(
        key: AnyKey(type: TaggedServices.self, named: tag), at: callSite)
      traits.needs = members.map { AnyKey(type: $0.entry.type, named: $0.name) }
      registrar.add(
        Registration<TaggedServices>(traits, sharing: SendableType()) { _ in
          TaggedServices(members: members)
        })
    }
  }
}

extension CheckedService {
  /// The registration of the service.
  fileprivate func registration(
    _ references: ReferenceTable, at callSite: CallSite
  ) -> AnyRegistration {
    var traits = RegistrationTraits(key: AnyKey(type: entry.type, named: name), at: callSite)
    traits.metadata = ServiceMetadata(origin: origin, tags: tags)
    traits.needs = references.needs(of: self)
    switch scope {
    case .shared: traits.lifecycle = .cached
    case .prototype: traits.lifecycle = .notCached
    case .once: traits.lifecycle = .once
    }
    return entry.registration(traits) { resolver in
      let source = ReferenceResolver(
        resolver: resolver, table: references, callSite: callSite)
      return ServiceIngredients(
        factory: try factory.map { try source.service(named: $0) },
        arguments: ServiceArguments(arguments, source),
        calls: calls.map { ($0, ServiceArguments($1, source)) })
    }
  }
}

extension ServiceArguments {
  fileprivate init(_ arguments: CheckedArguments, _ references: ReferenceResolver) {
    self.init(
      positional: arguments.positional, labelled: arguments.labelled, references: references)
  }
}

/// The metadata of a service's registration: the place of its definition, and its tags.
public struct ServiceMetadata: Hashable, Sendable {
  /// Where the service is defined.
  public let origin: Origin
  /// Its tags.
  public let tags: [String]
}
