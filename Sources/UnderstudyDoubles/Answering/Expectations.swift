// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// One expectation, with the number of calls so far.
struct ExpectedCalls<Arguments> {
  let id: UInt64
  let matcher: ArgumentsMatcher<Arguments>
  /// The expected call in prose.
  let text: String
  let count: CallCount
  let madeAt: CallSite
  let place: (order: ExpectedOrder, index: Int)?
  /// Whether it was reported when it was made, since it cannot be met.
  let isReported: Bool
  /// Whether it forbids the calls that no other expectation has room for.
  var forbidsMore = false
  /// The reason why a call with the same text did not match.
  var difference: String?
  var made = 0
  /// The number of matching calls that counted for another expectation.
  var madeForOthers = 0

  var isUnmet: Bool { made < count.least && !(isReported && made == 0) }
  var isFull: Bool { count.most.map { made >= $0 } ?? false }
  /// True if it forbids calls with certain arguments.
  var isForbidding: Bool { count.most == 0 && !matcher.isCatchAll }
}

/// The expectations of one double, oldest first, and the calls since the first of them.
///
/// A call counts for the oldest matching expectation that has room. An expectation of any arguments
/// comes after the others. Without room, the call counts for the newest matching expectation. A
/// call with forbidden arguments is one too many, whatever room other expectations have. This is a
/// pure table. Matching is user code, and happens before `count`.
struct ExpectationTable<Arguments> {
  /// The effect of a call on the expectations.
  enum Verdict {
    case expected(ExpectedCalls<Arguments>)
    case excessive(ExpectedCalls<Arguments>, CallDiff)
    case unmatched
  }

  private(set) var expectations: [ExpectedCalls<Arguments>] = []
  // The newest calls in prose, each with the expectation that it counted for.
  private var journal: [(expectation: UInt64?, text: String)] = []
  private static var journalLimit: Int { 100 }

  var isEmpty: Bool { expectations.isEmpty }

  mutating func add(_ expectation: ExpectedCalls<Arguments>) {
    expectations.append(expectation)
  }

  mutating func removeAll() {
    expectations = []
    journal = []
  }

  /// Counts a call. `differences` has the reasons of the expectations that print alike and do not
  /// match.
  mutating func count(
    _ text: String, matching ids: [UInt64], differences: [UInt64: String]
  ) -> Verdict {
    for index in expectations.indices where !differences.isEmpty {
      guard let difference = differences[expectations[index].id] else { continue }
      expectations[index].difference = difference
    }
    let matching = expectations.indices.filter { ids.contains(expectations[$0].id) }
    let forbidding = matching.last { expectations[$0].isForbidding }
    let withRoom = forbidding == nil ? matching.filter { !expectations[$0].isFull } : []
    let roomy = withRoom.first { !expectations[$0].matcher.isCatchAll } ?? withRoom.first
    let index = forbidding ?? roomy ?? matching.last
    if journal.count == Self.journalLimit { journal.removeFirst() }
    journal.append((index.map { expectations[$0].id }, text))
    guard let index else { return .unmatched }
    expectations[index].made += 1
    for other in matching where other != index { expectations[other].madeForOthers += 1 }
    guard roomy != nil else { return .excessive(expectations[index], diff) }
    return .expected(expectations[index])
  }

  var unmet: [ExpectedCalls<Arguments>] { expectations.filter(\.isUnmet) }

  /// Expected and actual calls of the double, as a difference. Actual calls come first, in their
  /// order, and then the missing ones.
  var diff: CallDiff {
    var expected: [CallDiff.Line] = []
    var actual: [CallDiff.Line] = []
    var counted: [UInt64: Int] = [:]
    for (position, entry) in journal.enumerated() {
      let line = CallDiff.Line(token: "\(position)", text: entry.text)
      actual.append(line)
      guard let id = entry.expectation, let expectation = expectations.first(where: { $0.id == id })
      else { continue }
      // The expectation has counted calls that are no longer in the journal, too.
      let earlier = counted[id] ?? expectation.made - journal.count { $0.expectation == id }
      counted[id] = earlier + 1
      if earlier < expectation.count.most ?? .max { expected.append(line) }
    }
    for expectation in unmet {
      let missing = expectation.count.least - expectation.made
      let line = CallDiff.Line(token: "#\(expectation.id)", text: expectation.text)
      expected += Array(repeating: line, count: min(missing, Self.journalLimit))
    }
    return CallDiff(
      expected: expected, actual: actual, differences: unmet.compactMap(\.difference))
  }
}

/// An order in which the expected calls of several doubles must come.
///
/// ```swift
/// let order = ExpectedOrder()
/// store.saves.expects(.once, in: order)
/// mailer.sends.when("saved").expects(.once, in: order)
/// ```
///
/// A call that comes before an earlier expectation is met, or after a later one has begun, is a
/// violation at the call. Such a call begins no expectation, so it makes no other call late.
public struct ExpectedOrder: Sendable {
  private let steps = Lock(Steps())

  /// Creates an order without expectations.
  public init() {}

  func add(_ text: String, least: Int) -> Int {
    steps.withLock { $0.add(text, least: least) }
  }

  func enter(_ index: Int) -> String? {
    steps.withLock { $0.enter(index) }
  }

  func leave(_ index: Int) {
    steps.withLock { $0.leave(index) }
  }

  func excuse(_ index: Int) {
    steps.withLock { $0.excuse(index) }
  }

  /// The state of an order, as a pure table.
  struct Steps {
    // A step has not begun if its call came out of order. Otherwise a call that an early one
    // overtook would be reported as late.
    private var steps: [(text: String, least: Int, count: Int, hasBegun: Bool)] = []

    mutating func add(_ text: String, least: Int) -> Int {
      steps.append((text, least, 0, false))
      return steps.count - 1
    }

    /// Counts a call for a step. Returns a description if the call is out of order.
    mutating func enter(_ index: Int) -> String? {
      let latest = steps.lastIndex(where: \.hasBegun)
      steps[index].count += 1
      if let latest, index < latest { return "it was expected before \(steps[latest].text)" }
      if let unmet = steps[..<index].first(where: { $0.count < $0.least }) {
        return "it was expected after \(unmet.text)"
      }
      steps[index].hasBegun = true
      return nil
    }

    /// Stops waiting for an expectation that was reported as unmet.
    mutating func excuse(_ index: Int) {
      steps[index].least = 0
    }

    /// Removes a forgotten expectation, so that no call has to come before or after it.
    mutating func leave(_ index: Int) {
      steps[index].least = 0
      steps[index].count = 0
      steps[index].hasBegun = false
    }
  }
}
