// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The expectations of one double, oldest first, and the calls made since the first of them.
///
/// A call counts for the oldest expectation that matches it and has room, else for the newest that
/// matches it. A pure table: matching is user code and happens before `count`.
struct ExpectationTable<Arguments> {
  /// What a call means for the expectations.
  enum Verdict {
    case expected(order: ExpectedOrder?, index: Int)
    case excessive(ExpectedCalls<Arguments>)
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

  mutating func count(_ text: String, matching ids: [UInt64]) -> Verdict {
    let matching = expectations.indices.filter { ids.contains(expectations[$0].id) }
    let roomy = matching.first { !expectations[$0].isFull }
    let index = roomy ?? matching.last
    if journal.count == Self.journalLimit { journal.removeFirst() }
    journal.append((index.map { expectations[$0].id }, text))
    guard let index else { return .unmatched }
    expectations[index].made += 1
    guard roomy != nil else { return .excessive(expectations[index]) }
    let place = expectations[index].place
    return .expected(order: place?.order, index: place?.index ?? 0)
  }

  var unmet: [ExpectedCalls<Arguments>] { expectations.filter(\.isUnmet) }

  /// Expected and actual calls of the double, as a difference: what was made in the order it was
  /// made, then what is missing.
  var diff: CallDiff {
    var expected: [CallDiff.Line] = []
    var actual: [CallDiff.Line] = []
    var counted: [UInt64: Int] = [:]
    for (position, entry) in journal.enumerated() {
      let line = CallDiff.Line(token: "\(position)", text: entry.text)
      actual.append(line)
      guard let id = entry.expectation, let expectation = expectations.first(where: { $0.id == id })
      else { continue }
      counted[id, default: 0] += 1
      if counted[id, default: 0] <= expectation.count.most ?? .max { expected.append(line) }
    }
    for expectation in expectations {
      let missing = expectation.count.least - expectation.made
      let line = CallDiff.Line(token: "#\(expectation.id)", text: expectation.text)
      expected += Array(repeating: line, count: min(max(missing, 0), Self.journalLimit))
    }
    return CallDiff(expected: expected, actual: actual)
  }
}
