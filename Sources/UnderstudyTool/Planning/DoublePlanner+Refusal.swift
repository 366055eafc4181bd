// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension DoublePlanner {
  /// The reason why a protocol gets no double.
  enum Refusal: Error, Hashable {
    case invisible
    case otherPackage
    case access(String, String)
    case publicOfGroup
    case unknownParents([String], [String])
    case closed(String)
    case homonyms(String)
    case twoTyped(String)
    case superclass(String, String)
    case recursive(String)
    case nonescapable(String)
    case taken(name: String, by: String)
    case hiding(String)
    case decodableActor
    case unsaid(String)
    case lost(String, String)
    case unknownFunction(String, String)
    case pairedPacks(String)
    case throwingNever(String)
    case fixedDefault(String, String)
    case isolation(String)
    case unreadable(String)
    case group

    var message: String {
      switch self {
      case .invisible: "it is private"
      case .otherPackage: "it is visible only in its own package"
      case .access(let level, let wanted):
        "it is \(level), and a \(wanted) double would show it to other modules; make it \(wanted), or"
          + " leave out the access of the doubles"
      case .publicOfGroup:
        "a public double cannot name the declarations of an SPI group; make its access package"
      case .unknownParents(let names, let reasons):
        "it inherits from \(names.joined(separator: ", ")), whose symbol graph was not given"
          + reasons.map { ", and cannot be extracted (\($0))" }.joined()
      case .closed(let parent): "it inherits from \(parent)"
      case .homonyms(let name):
        "no type can declare both the property '\(name)' and the function '\(name)()'; rename one,"
          + " or give one a default implementation"
      case .twoTyped(let name):
        "no type can declare the property '\(name)' with two types; give all but one a default"
          + " implementation"
      case .superclass(let name, let obstacle): "it inherits from \(name), \(obstacle)"
      case .recursive(let clause):
        "no generic class can have 'where \(clause)', and no double of this run can take its place"
      case .taken(let name, let owner): "'\(name)' is the double of '\(owner)' already"
      case .group: "it needs an SPI group that no available source names"
      case .decodableActor: "an actor cannot be decoded"
      case .hiding(let name):
        "it hides both '\(name)' and its module, and a double needs one of them"
      case .unsaid(let title):
        "the symbol graph does not contain all types of '\(title)';"
          + " if swift-symbolgraph-extract wrote the graph, write this double by hand, and otherwise"
          + " extract the graph with it"
      case .lost(let attribute, let title):
        "the symbol graph has lost '\(attribute)' of a function in '\(title)'; give the function type"
          + " a name with 'typealias', or write this double by hand"
      case .unknownFunction(let name, let title):
        "'\(title)' takes a function as '\(name.literal)', whose module has no symbol graph; write the"
          + " function type itself, or extract the graph with swift-symbolgraph-extract"
      case .pairedPacks(let title):
        "the compiler accepts no implementation of '\(title)', whose packs have one length; give the"
          + " requirement one pack"
      case .throwingNever(let title):
        "the compiler accepts no implementation of '\(title)', whose closure throws an associated type"
          + " that is fixed to Never; let the closure throw another type"
      case .fixedDefault(let clause, let name):
        "a double has the standard library's '\(name)', which need not meet 'where \(clause)'"
      case .isolation(let title):
        "its symbol graph may omit that '\(title)' is nonisolated, and its source was not given"
      case .unreadable(let title):
        "the symbol graph does not declare '\(title.literal)' as a compiler does"
      case .nonescapable(let title):
        "the result of '\(title)' cannot escape, and no double can declare its lifetime dependency"
      }
    }
  }
}
