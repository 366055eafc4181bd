// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A service that was checked: how it is made, and of what.
package struct CheckedService: Sendable {
  package let name: String
  package let origin: Origin
  package let entry: CatalogueEntry
  /// The service whose method makes it, or an alias of that: what overrides the alias makes it,
  /// too.
  package let factory: String?
  package let arguments: CheckedArguments
  package let calls: [(CatalogueCall, CheckedArguments)]
  package let scope: ServiceDefinition.Scope
  package let tags: [String]

  /// The names that making it asks for.
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

/// Definitions without a fault.
package struct CheckedDefinitions: Sendable {
  package var services: [String: CheckedService] = [:]
  /// The names of services, in the order of definition.
  package var order: [String] = []
  /// Other names of services: each the name that it stands for in the end.
  package var aliases: [String: String] = [:]
  package var parameters: Properties
  /// The properties that names may refer to, installed by other code.
  package var properties: Properties?
  /// The names of the services of each tag, in the order of definition.
  package var tags: [String: [String]] = [:]
}
