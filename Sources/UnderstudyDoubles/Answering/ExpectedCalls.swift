// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// One expectation and how far it is met.
struct ExpectedCalls<Arguments> {
  let id: UInt64
  let matcher: ArgumentsMatcher<Arguments>
  /// The expected call in prose.
  let text: String
  let count: CallCount
  let madeAt: CallSite
  let place: (order: ExpectedOrder, index: Int)?
  var made = 0

  var isUnmet: Bool { made < count.least }
  var isFull: Bool { count.most.map { made >= $0 } ?? false }
}
