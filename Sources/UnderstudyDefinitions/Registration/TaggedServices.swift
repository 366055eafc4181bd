// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
internal import UnderstudyCompatibility

/// The services with a tag, as a registration of its own with the name of the tag. So a layer can
/// replace it.
struct TaggedServices: Sendable {
  let members: [TaggedService]
}

/// A service with a tag.
struct TaggedService: Sendable {
  let name: String
  let entry: CatalogueEntry
  /// The place of its definition.
  let origin: Origin
}

extension Resolver {
  /// Resolves all services of a tag, in the order of their definition. A service with the scope
  /// `once` that was used is left out.
  ///
  /// - Parameters:
  ///   - tag: The tag.
  ///   - type: The requested type of the services.
  /// - Returns: The services.
  /// - Throws: `DefinitionError` if there is no such tag, or a service is of another type.
  ///   `ResolutionError` if a service cannot be created.
  public func services<Value>(
    tagged tag: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> [Value] {
    let callSite = CallSite(fileID, filePath, line, column)
    return try values(of: try taggedServices(tag, at: callSite), at: callSite) { service, member in
      guard let value = service as? Value else {
        throw DefinitionError(
          .wrongType(
            expected: TypeDescription.of(type), found: "'\(TypeDescription.of(member.entry.type))'"),
          of: .service(member.name), at: member.origin)
      }
      return value
    }
  }

  /// The services with a tag. If one fails, the claims of all are put back.
  func values<Value>(
    of services: TaggedServices, at callSite: CallSite,
    _ value: (any Sendable, TaggedService) throws -> Value
  ) throws -> [Value] {
    try claiming { claims in
      try services.members.compactMap { member in
        try member.entry.resolveIfThere(member.name, self, callSite, &claims)
          .map { try value($0, member) }
      }
    }
  }

  private func taggedServices(_ tag: String, at callSite: CallSite) throws -> TaggedServices {
    do throws(ResolutionError) {
      return try resolve(Key<TaggedServices>(named: tag), at: callSite)
    } catch {
      guard case .missing = error.reason else { throw error }
      let request = Request(error.key, at: callSite)
      let tags = visibleRegistrations(
        of: TaggedServices.self, under: try? layerOfCaller(request)
      ).compactMap { ($0.key.name?.base as? String).map { "tag:\($0)" } }
      throw DefinitionError(
        .missingReference("tag:\(tag)", nearMisses: tags.nearMisses(of: "tag:\(tag)")),
        at: Origin("\(callSite)"))
    }
  }
}
