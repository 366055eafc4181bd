// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A call of a generic requirement: the arguments and the type that is asked for.
struct GenericCall<Arguments>: CustomReflectable, CustomDebugStringConvertible {
  let arguments: Arguments
  let type: Any.Type

  // A call reads as its arguments do, with the type at the end.
  var customMirror: Mirror {
    let texts = CallName.texts(of: arguments).map { Verbatim(text: $0) }
    return Mirror(
      self, unlabeledChildren: texts + [Verbatim(text: "as \(type)")], displayStyle: .tuple)
  }

  var debugDescription: String { "\(CallName.texts(of: self))" }

  private struct Verbatim: CustomDebugStringConvertible {
    let text: String
    var debugDescription: String { text }
  }
}

extension ArgumentsMatcher {
  /// Matches calls of a generic requirement that ask for `type`, or for any if it is `nil`.
  static func generic<Inner>(
    _ type: Any.Type?, _ matcher: ArgumentsMatcher<Inner>
  ) -> ArgumentsMatcher where Arguments == GenericCall<Inner> {
    let wanted = type.map { ["as \($0)"] } ?? []
    return ArgumentsMatcher(
      texts: matcher.texts + wanted, isCatchAll: matcher.isCatchAll && type == nil,
      impossible: matcher.impossible
    ) { call in
      if let type, call.type != type { return ArgumentsMiss(argument: .max) }
      return matcher.miss(call.arguments)
    }
  }
}
