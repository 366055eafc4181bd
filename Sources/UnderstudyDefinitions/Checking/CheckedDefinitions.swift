// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A checked service: its creation, and its arguments.
package struct CheckedService: Sendable {
  package let name: String
  package let origin: Origin
  package let entry: CatalogueEntry
  /// The service whose method creates it. It may be named by an alias, so that an override of the
  /// alias is used, too.
  package let factory: String?
  package let arguments: CheckedArguments
  package let calls: [(CatalogueCall, CheckedArguments)]
  package let scope: ServiceDefinition.Scope
  package let tags: [String]

  /// The names that its creation needs.
  package var references: [ArgumentDefinition] {
    (arguments.all + calls.flatMap(\.1.all)).flatMap(\.parts)
  }
}

/// Arguments in the order of the parameters.
package struct CheckedArguments: Sendable {
  package var positional: [ArgumentDefinition?]
  package var labelled: [String: ArgumentDefinition]

  package var all: [ArgumentDefinition] {
    positional.compactMap { $0 } + labelled.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// Definitions without a mistake.
package struct CheckedDefinitions: Sendable {
  package var services: [String: CheckedService] = [:]
  /// The names of services, in the order of definition.
  package var order: [String] = []
  /// The aliases, each with the service that it finally stands for.
  package var aliases: [String: String] = [:]
  package var parameters: Properties
  /// The properties that names may refer to. Other code installs them.
  package var properties: Properties?
  /// The names of the services with each tag, in the order of definition.
  package var tags: [String: [String]] = [:]
}
