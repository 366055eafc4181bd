// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A service as a file defines it.
package struct ServiceDefinition: Sendable {
  package enum Scope: String, CaseIterable, Sendable {
    /// Created at the first request, and shared.
    case shared
    /// Created for each request.
    case prototype
    /// Returned once, and then gone.
    case once
  }

  /// A text with its place.
  package struct Name: Sendable {
    package let text: String
    package let origin: Origin
  }

  package enum Factory: Sendable {
    /// A function that the catalogue offers.
    case function(Name)
    /// A method of another service.
    case method(Name, of: Name)
  }

  package struct Call: Sendable {
    package let method: Name
    package let arguments: ArgumentList
  }

  package let name: String
  package let origin: Origin
  /// The service of which this is an alias.
  package var alias: Name?
  package var className: Name?
  package var factory: Factory?
  package var parent: Name?
  package var isAbstract = false
  package var scope: Scope?
  package var tags: [String]?
  package var arguments: ArgumentList?
  package var calls: [Call] = []

  package init(_ name: String, at origin: Origin) {
    self.name = name
    self.origin = origin
  }

  /// The number of values in its arguments, calls and tags.
  package var valueCount: Int {
    calls.reduce((arguments?.valueCount ?? 0) + (tags?.count ?? 0)) {
      $0 + 1 + $1.arguments.valueCount
    }
  }

  /// A child's definition with its parent's. The child's values win, and its calls come last.
  package func inheriting(from parent: ServiceDefinition) -> ServiceDefinition {
    var merged = self
    if className == nil, factory == nil {
      merged.className = parent.className
      merged.factory = parent.factory
    }
    merged.scope = scope ?? parent.scope
    merged.tags = tags ?? parent.tags
    merged.arguments = (parent.arguments ?? ArgumentList()).overridden(by: arguments)
    merged.calls = parent.calls + calls
    return merged
  }
}
