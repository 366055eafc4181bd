// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A planned assembly.
package struct WiringPlan {
  /// The argument of a parameter.
  struct Given: Hashable {
    var need: Component.Need
    /// The requested name.
    var name: String?
    /// The positions of the answering components.
    var providers: [Int] = []
    /// The names from which a property chooses.
    var choices: [String] = []
    /// Whether the argument is omitted, because the parameter has a default.
    var isOmitted = false
    /// Whether it is resolved synchronously in an asynchronous block, since its type is not
    /// `Sendable`.
    var isSynchronous = false

    /// Whether an initialiser can be autowired with it, since it is requested by type only.
    var isPlain: Bool { name == nil && need.property == nil }
  }

  /// An argument that a property chooses.
  package struct Choice: Hashable {
    package var property: String
    /// The existing names.
    package var names: [String]
    /// The type of the argument in messages.
    package var type: String
    package var place: SourcePlace?
  }

  /// Another type that a component answers to.
  struct Alias: Hashable {
    var type: WiredType
    /// Distinguishes the aliases of several components for one type and name.
    var container: String?
  }

  struct Registration: Hashable {
    var component: Component
    /// The instance whose member creates the component.
    var owner: Given?
    var givens: [Given] = []
    /// The arguments of all its injectors.
    var later: [Given] = []
    var aliases: [Alias] = []
    /// Whether its creation, or the creation of a dependency, is asynchronous.
    var isAsync = false

    /// Its dependencies: the instance with the creating member, and the member's arguments.
    var sources: [Given] { (owner.map { [$0] } ?? []) + givens }

    /// The parameters whose arguments are not omitted.
    var called: [Component.Parameter] {
      givens.filter { !$0.isOmitted }.map {
        Component.Parameter(label: $0.need.label, type: $0.need.whole.identity)
      }
        + [component.payload].compactMap { $0 }.map {
          Component.Parameter(label: Component.payloadLabel, type: $0.identity)
        }
    }

    /// Its injectors, each with its arguments.
    var injections: [(injector: Component.Injector, givens: [Given])] {
      var rest = later[...]
      return component.injectors.map { injector in
        defer { rest = rest.dropFirst(injector.needs.count) }
        return (injector, Array(rest.prefix(injector.needs.count)))
      }
    }
  }

  /// The components of this module, then those of others.
  var registrations: [Registration] = []
  var diagnostics: [Diagnostic] = []

  /// The arguments that properties choose.
  var choices: [Choice] {
    own.flatMap { registration in
      registration.givens.compactMap { given in
        given.need.property.map {
          Choice(
            property: $0, names: given.choices, type: given.need.type.title,
            place: registration.component.place)
        }
      }
    }
  }

  var own: [Registration] { registrations.filter { !$0.component.isForeign } }
}
