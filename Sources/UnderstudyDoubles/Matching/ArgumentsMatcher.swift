// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What the arguments of a call have to be, taken together.
public struct ArgumentsMatcher<Arguments> {
  /// The prose of each argument that is wanted.
  let texts: [String]
  let isCatchAll: Bool
  let impossible: String?
  /// Returns how a call misses, or `nil` if it matches. User code: under no lock.
  let miss: (Arguments) -> ArgumentsMiss?

  static var any: ArgumentsMatcher {
    ArgumentsMatcher(
      texts: Arguments.self == Void.self ? [] : ["any arguments"], isCatchAll: true,
      impossible: nil
    ) { _ in nil }
  }

  static func predicate(_ holds: @escaping @Sendable (Arguments) -> Bool) -> ArgumentsMatcher {
    ArgumentsMatcher(texts: ["matching { … }"], isCatchAll: false, impossible: nil) {
      holds($0) ? nil : ArgumentsMiss(argument: nil)
    }
  }

  init(
    texts: [String], isCatchAll: Bool, impossible: String?,
    miss: @escaping (Arguments) -> ArgumentsMiss?
  ) {
    self.texts = texts
    self.isCatchAll = isCatchAll
    self.impossible = impossible
    self.miss = miss
  }

  /// Several matchers, each reduced to its facts, and the comparison of all of them.
  init(_ facts: [MatcherFacts], miss: @escaping (Arguments) -> ArgumentsMiss?) {
    let impossible = facts.enumerated().first { $0.element.impossible != nil }
    self.init(
      texts: facts.map(\.description),
      isCatchAll: facts.allSatisfy(\.isAny),
      impossible: impossible.map { "argument \($0.offset + 1): \($0.element.impossible ?? "")" },
      miss: miss)
  }

  /// Says in prose why a call misses.
  func reason(_ miss: ArgumentsMiss, in texts: [String]) -> String {
    // A generic call's last text is the type that it asks for.
    if miss.argument == .max { return "it was asked for \(texts.last ?? "")" }
    guard let argument = miss.argument, argument < texts.count else {
      return "its predicate does not hold"
    }
    let (found, wanted) = CallName.shortened(texts[argument], and: self.texts[argument])
    return "argument \(argument + 1) is \(found), not \(wanted)"
  }
}

/// What a matcher says of itself, without the type that it matches.
struct MatcherFacts {
  let description: String
  let isAny: Bool
  let impossible: String?
}

extension Matcher {
  var facts: MatcherFacts {
    MatcherFacts(description: description, isAny: isAny, impossible: impossible)
  }
}
