// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@testable import Understudy

extension Resolver {
  /// True if the cache answers the calling code's request for a type.
  func cacheAnswers(_ type: any Any.Type) -> Bool {
    var order = 0
    let request = Request(AnyKey(plain: type), at: CallSite())
    return cachedAnswer(request, .current, &order) != nil
  }
}
