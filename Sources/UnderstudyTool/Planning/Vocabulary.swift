// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The names that a double writes itself, each with its module if a name of the protocol hides it.
struct Vocabulary: Hashable {
  /// The types of the library that doubles name without its module.
  static let library: Set<String> = ["AsyncSpy", "GenericSpy", "Spy", "SpyProperty", "Unchecked"]
  /// The types of the library with more common names, which doubles name with its module.
  private static let common: Set<String> = ["Cassette", "StaticSpyList", "Verifiable"]
  private static let standard: Set<String> = [
    "Decodable", "Error", "Never", "Sendable", "SendableMetatype", "Void", "fatalError",
  ]
  private static let concurrency: Set<String> = ["AsyncStream", "AsyncThrowingStream"]

  /// The names that mean something else in the double.
  private let hidden: Set<String>
  /// The name of the double's type with the spies, and of the one with the static spies.
  let spies: String
  let staticSpies: String
  /// The property of the double that contains the spies.
  let property: String

  /// - Parameter model: The protocol before its types are named with their modules.
  init(for model: ProtocolModel, _ index: GraphIndex) {
    let own = model.associatedTypes.map(\.name) + model.requirements.map(\.declaration.name)
    // A conforming type inherits the members of the protocol's extensions.
    let inherited = index.allConformances(of: model.usr).union([model.usr])
      .flatMap(index.memberSymbols)
      .compactMap { $0.pathComponents.last?.prefix { $0 != "(" } }.map(String.init)
    let ofClass = model.superclass?.members ?? []
    let members = Set(own + inherited).union(ofClass)
    hidden = members.union(
      Self.library.union(Self.common).union(Self.standard).union(Self.concurrency).filter { name in
        index.outermost[name, default: [:]].keys.contains { $0 != "UnderstudyDoubles" }
      })
    let types = members.union(model.tokens.map(\.text))
    spies = "Spies".unused(in: types)
    staticSpies = "StaticSpies".unused(in: types)
    property =
      ["spy", "spies"].first { !ofClass.union(own).contains($0) }
      ?? "spiesOfDouble".unused(in: ofClass.union(own))
  }

  private init() {
    hidden = []
    (spies, staticSpies, property) = ("Spies", "StaticSpies", "spy")
  }

  /// The names where nothing hides them.
  static let plain = Vocabulary()

  /// A name that no plain name and no module can stand for, or `nil`.
  var hiddenTwice: String? {
    [("UnderstudyDoubles", Self.library.union(Self.common)), ("Swift", Self.standard)]
      .filter { hidden.contains($0.0) }
      .compactMap { hidden.intersection($0.1).min() }.first
  }

  /// A name as the double writes it.
  func callAsFunction(_ name: String) -> String {
    if Self.common.contains(name) {
      return hidden.contains("UnderstudyDoubles") ? name : "UnderstudyDoubles.\(name)"
    }
    guard hidden.contains(name) else { return name }
    if Self.concurrency.contains(name) { return "_Concurrency.\(name)" }
    return (Self.library.contains(name) ? "UnderstudyDoubles." : "Swift.") + name
  }
}

extension String {
  /// The name, with a suffix if it is among the given ones.
  fileprivate func unused(in names: Set<String>) -> String {
    var name = self
    while names.contains(name) { name += "OfDouble" }
    return name
  }
}
