// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An assembly, ready to be written or drawn.
struct WiringPlan {
  /// The argument of a parameter.
  struct Given: Hashable {
    var need: Component.Need
    /// The name that is asked for.
    var name: String?
    /// The positions of the answering components.
    var providers: [Int] = []
    /// The names of which a property chooses one.
    var choices: [String] = []
    /// Whether nothing is given, because the parameter has a default.
    var isOmitted = false
    /// Whether it is asked for synchronously where all else is waited for, since its type is not
    /// `Sendable`.
    var isSynchronous = false

    /// Whether an initialiser can be autowired with it: it is asked for by its type alone.
    var isPlain: Bool { name == nil && need.property == nil }
  }

  /// An argument that a property chooses.
  struct Choice: Hashable {
    var property: String
    /// The names that there are.
    var names: [String]
    /// The type of the argument, as messages say it.
    var type: String
    var place: SourcePlace?
  }

  /// Another type that a component answers to.
  struct Alias: Hashable {
    var type: WiredType
    /// Tells the aliases of several components for one type and name apart.
    var container: String?
  }

  struct Registration: Hashable {
    var component: Component
    /// Whose member makes it, if it is one of an instance.
    var owner: Given?
    var givens: [Given] = []
    var later: [Given] = []
    var aliases: [Alias] = []
    /// Whether its creation, or that of a dependency, is asynchronous.
    var isAsync = false

    /// Its dependencies: the owner of the creating member, and the member's arguments.
    var sources: [Given] { (owner.map { [$0] } ?? []) + givens }
  }

  /// First those of this module, then those of others.
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
