// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A condition on all arguments of a call.
public struct ArgumentsMatcher<Arguments> {
  /// The description of each expected argument.
  let argumentTexts: [String]
  let matchesAllArguments: Bool
  /// The type that a generic call must request, or `nil` for any type.
  let requestedType: Any.Type?
  /// The reason, if no call can ever match.
  let impossible: ImpossibleMatch?
  /// Whether it contains user code or objects, which may retain the double.
  var mayRetainObjects = false
  /// Whether a matcher with equal texts matches the same calls.
  var hasExactTexts: Bool
  /// Whether it contains a predicate of the user.
  var hasPredicate = false
  /// Returns how a call misses, or `nil` if it matches. This is user code, so it runs outside any
  /// lock.
  private(set) var miss: (Arguments) -> ArgumentsMiss?

  static var any: ArgumentsMatcher {
    ArgumentsMatcher(
      Arguments.self == Void.self ? [] : ["any arguments"], matchesAllArguments: true
    ) { _ in nil }
  }

  static func predicate(
    _ holds: @escaping @Sendable (Arguments) -> Bool,
    describedAs description: String = "matching { … }"
  ) -> ArgumentsMatcher {
    var matcher = ArgumentsMatcher([description], matchesAllArguments: false) {
      holds($0) ? nil : ArgumentsMiss(argument: nil)
    }
    matcher.mayRetainObjects = true
    matcher.hasPredicate = true
    return matcher
  }

  init(
    _ argumentTexts: [String], matchesAllArguments: Bool, requestedType: Any.Type? = nil,
    impossible: ImpossibleMatch? = nil, miss: @escaping (Arguments) -> ArgumentsMiss?
  ) {
    self.argumentTexts = argumentTexts
    self.matchesAllArguments = matchesAllArguments
    hasExactTexts = matchesAllArguments
    self.requestedType = requestedType
    self.impossible = impossible
    self.miss = miss
  }

  /// A matcher for each argument.
  init<each Argument>(
    _ matchers: repeat Matcher<each Argument>
  ) where Arguments == (repeat each Argument) {
    var texts: [String] = []
    var matchesAllArguments = true
    var impossible: ImpossibleMatch?
    var (mayRetainObjects, hasPredicate, hasExactTexts) = (false, false, true)
    for matcher in repeat each matchers {
      texts.append(matcher.description)
      matchesAllArguments = matchesAllArguments && matcher.isAny
      mayRetainObjects = mayRetainObjects || matcher.mayRetainObjects
      hasPredicate = hasPredicate || matcher.hasPredicate
      hasExactTexts = hasExactTexts && matcher.hasExactText
      impossible = impossible ?? matcher.impossible?.ofArgument(texts.count)
    }
    // A pack cannot be captured, but a tuple of it can.
    let all = (repeat each matchers)
    self.init(texts, matchesAllArguments: matchesAllArguments, impossible: impossible) {
      arguments in
      var index = 0
      for (matcher, argument) in repeat (each all, each arguments) {
        if !matcher.matches(argument) { return ArgumentsMiss(argument: index) }
        index += 1
      }
      return nil
    }
    self.mayRetainObjects = mayRetainObjects
    self.hasPredicate = hasPredicate
    self.hasExactTexts = hasExactTexts
    for matcher in repeat each matchers {
      if texts.count == 1 { useOnly(matcher) }
    }
  }

  /// Calls the matcher of a single argument directly, since a pack would be looked up at run time
  /// in each call.
  private mutating func useOnly(_ matcher: Any) {
    guard let matches = (matcher as? Matcher<Arguments>)?.matches else { return }
    miss = { matches($0) ? nil : ArgumentsMiss(argument: 0) }
  }

  /// The description of each expected argument, and of the requested type at the end.
  var texts: [String] { argumentTexts + (requestedType.map { ["as \($0)"] } ?? []) }

  /// Whether it matches every call.
  var isCatchAll: Bool { matchesAllArguments && requestedType == nil }

  /// True if both match the same calls, as far as that is known.
  func isSame(as other: ArgumentsMatcher) -> Bool {
    requestedType == other.requestedType
      && (matchesAllArguments && other.matchesAllArguments
        || hasExactTexts && other.hasExactTexts && argumentTexts == other.argumentTexts)
  }

  /// True if it matches every call that `other` matches.
  func covers(_ other: ArgumentsMatcher) -> Bool {
    matchesAllArguments && (requestedType == nil || requestedType == other.requestedType)
      || isSame(as: other)
  }

  /// A matcher without user code and objects that matches the same calls, and others.
  var withoutObjects: ArgumentsMatcher {
    guard let requestedType else { return .any }
    return ArgumentsMatcher(
      ["any arguments"], matchesAllArguments: true, requestedType: requestedType
    ) {
      ($0 as? any TypedCall)?.type == requestedType ? nil : ArgumentsMiss(argument: .max)
    }
  }

  /// Describes why a call misses.
  func reason(_ miss: ArgumentsMiss, in texts: [String]) -> String {
    // The last text of a generic call is the requested type.
    if miss.argument == .max { return "it was asked for \(texts.last ?? "")" }
    // One matcher may be for all arguments of a call with several.
    let count = Arguments.self is any TypedCall.Type ? texts.count - 1 : texts.count
    let isWhole = argumentTexts.count == 1 && count > 1
    guard !isWhole, let argument = miss.argument, argument < texts.count else {
      return "its predicate does not hold"
    }
    return CallName.difference(texts[argument], from: self.texts[argument], ofArgument: argument)
  }
}

/// How a call misses: the position of the argument, `nil` for the call as a whole, or `Int.max` for
/// the requested type of a generic call.
@usableFromInline
struct ArgumentsMiss: Hashable, Sendable {
  @usableFromInline let argument: Int?
}

/// A call that requests a type.
protocol TypedCall {
  var type: Any.Type { get }
}
