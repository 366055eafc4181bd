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
    /// Whether nothing is given, because the parameter has a default.
    var isOmitted = false
    /// Whether it is asked for synchronously where all else is waited for, since its type is not
    /// `Sendable`.
    var isSynchronous = false
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

  var own: [Registration] { registrations.filter { !$0.component.isForeign } }
}
