// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The state of one spy.
struct SpyModel {
  let name: String
  let kind: DoubleProgram.Kind
  /// The stubs, oldest first.
  var stubs: [StubModel] = []
  var expectations: [ExpectationModel] = []
  /// The calls that are kept.
  var calls: [(argument: Int, tick: Int)] = []
  var callCount = 0
  /// The calls until the last `verify`, which are not too early for a later expectation.
  var checkedCalls = 0
  var limit = Int.max
  var effects: [(choice: Choice, line: Int)] = []
  var forwards = false
  var isStrict = false
  var policy: DoubleProgram.Policy?
  var isFinished = false
  /// Findings without a layer, until `verify` or `finish`.
  var untold: [String] = []

  init(name: String, kind: DoubleProgram.Kind) {
    self.name = name
    self.kind = kind
  }

  var keepsAll: Bool { calls.count == callCount }

  /// "The call then continues in the first of these ways that its type allows: it returns `Void`,
  /// returns the `placeholder:`, throws `Unstubbed`."
  var lastResort: String {
    switch kind {
    case .nothing: "()"
    case .valueWithPlaceholder: "-1"
    case .value: "Unstubbed"
    }
  }

  mutating func record(_ argument: Int, at tick: Int) {
    callCount += 1
    calls.append((argument, tick))
    keepLast(limit)
  }

  mutating func keepLast(_ limit: Int) {
    self.limit = limit
    calls = calls.suffix(limit)
  }

  mutating func forgetCalls() { (calls, callCount, checkedCalls) = ([], 0, 0) }

  /// The calls that an expectation from now on comes too late for, as far as they are known.
  func earlyCalls(_ choice: Choice) -> Int {
    let unchecked = callCount - checkedCalls
    if choice.isAny { return unchecked }
    return calls.suffix(unchecked).count { choice.matches($0.argument) }
  }

  /// Takes the answer of the newest matching stub that is not used up.
  mutating func answer(_ argument: Int) -> Answer? {
    let index = stubs.lastIndex { $0.choice.matches(argument) && !$0.turns.isEmpty }
    return index.map { stubs[$0].take() }
  }

  func outcome(of answer: Answer, _ argument: Int) -> String {
    switch answer {
    case .failure(let number): "threw \(number)"
    case _ where kind == .nothing: "()"
    case .value(let number): "\(number)"
    case .handler(let number): "\(number * 10 + argument)"
    }
  }

  func index(of stub: StubModel) -> Int? { stubs.firstIndex { $0.id == stub.id } }

  /// "A stub of every call is a default. It may stay unused while other stubs answer, unless it has
  /// a number of calls." A hidden one is reported, with the one that hides it.
  var unusedStubs: [(stub: StubModel, hiding: StubModel?)] {
    stubs.indices.compactMap { index in
      let stub = stubs[index]
      if stub.given > 0 || stub.isOptional { return nil }
      let hiding = stubs[(index + 1)...].first { $0.isUnlimited && $0.choice.hides(stub.choice) }
      let isDefault = stub.choice.isAny && stub.isUnlimited
      if isDefault, hiding == nil, stubs.contains(where: { $0.given > 0 }) { return nil }
      return (stub, hiding)
    }
  }

  /// "After its end, a double holds no handlers, predicates, forwards or side effects." Values and
  /// errors stay for late calls.
  mutating func finish() {
    isFinished = true
    stubs.removeAll { $0.choice.isPredicate || $0.turns.contains { $0.answer.isHandler } }
    (expectations, effects, forwards) = ([], [], false)
  }

  func text(_ argument: Int) -> String { "\(name.prefix(1))(\(argument))" }
  func text(_ choice: Choice) -> String { "\(name.prefix(1))(\(choice.text))" }
}

/// One stub: answers in the order of calls.
struct StubModel {
  let choice: Choice
  let line: Int
  var isOptional = false
  /// 0 until it has an answer.
  var id = 0
  /// The answers that are left. One without a count is the last one, and stays.
  var turns: [(answer: Answer, count: Int?)] = []
  /// The number of all answers. One for several calls counts once for each.
  var all = 0
  var given = 0
  var isSequence = false
  /// True if the answer that stays was given.
  var isLastGiven = false

  init(choice: Choice, line: Int, isOptional: Bool = false) {
    (self.choice, self.line, self.isOptional) = (choice, line, isOptional)
  }

  var isUnlimited: Bool { turns.last.map { $0.count == nil } ?? false }

  /// "Each further one adds the answers of later calls." The answer that was the last one is then
  /// given once, or gives way if it was given.
  mutating func add(_ answers: Answers) {
    if isUnlimited {
      if isLastGiven { turns.removeLast() } else { turns[turns.count - 1].count = 1 }
    }
    isSequence = isSequence || all > 0 || answers.answers.count > 1
    isLastGiven = false
    for answer in answers.answers { turns.append((answer, 1)) }
    turns[turns.count - 1].count = answers.times
    all += answers.answers.count - 1 + (answers.times ?? 1)
  }

  mutating func take() -> Answer {
    given += 1
    let (answer, count) = turns[0]
    switch count {
    case nil: isLastGiven = true
    case 1?: turns.removeFirst()
    case let count?: turns[0].count = count - 1
    }
    return answer
  }

  /// "Under `.strict`, you also get an issue for the unused answers of a sequence. In a sequence,
  /// `returns(1, times: 3)` counts as three answers. On its own, it may answer fewer calls."
  func unasked(of text: String) -> String? {
    let left = turns.map { $0.count ?? (isLastGiven ? 0 : 1) }.reduce(0, +)
    guard given > 0, left > 0, isSequence, !isOptional else { return nil }
    return "\(left) of \(all) answers of the stub of \(text) \(left == 1 ? "was" : "were") not "
      + "asked for. @\(line)"
  }

  /// "If an expected call is missing, you get one issue for the expectation, and none for its
  /// stub."
  func isOfMissingCall(_ unmet: [ExpectationModel]) -> Bool {
    unmet.contains { $0.choice == choice && (!choice.isPredicate || $0.line == line) }
  }
}

/// One expectation.
struct ExpectationModel {
  let choice: Choice
  let text: String
  let count: Count
  let line: Int
  var place: Int?
  /// True if it came too late, and was reported for that.
  var isReported = false
  var forbidsMore = false
  var made = 0
  /// The matching calls that counted for another expectation.
  var madeForOthers = 0

  var hasRoom: Bool { count.most.map { made < $0 } ?? true }
  var isUnmet: Bool { made < count.least && !(isReported && made == 0) }

  /// The finding at the end.
  var finding: String {
    let calls =
      switch (made, madeForOthers) {
      case (0, 0): "was never called"
      case (_, 0): "was called \(Count.times(made))"
      default: "\(made) of \(made + madeForOthers) matching calls counted for it"
      }
    return "\(text) was expected \(count), and \(calls). @\(line)"
  }

  /// The finding at a call too many.
  func excess(_ call: String) -> String {
    if forbidsMore { return "\(call) is one call too many: no more calls were expected." }
    let calls =
      "was called \(Count.times(made))"
      + (madeForOthers > 0 ? " beyond the calls of other expectations" : "")
    let expected = count == .never ? "was not expected" : "was expected \(count)"
    if call != text { return "\(call) is one call too many: \(text) \(expected), and \(calls)." }
    return "\(call) \(calls), and "
      + (count == .never ? "no call was expected." : "\(text) \(expected).")
  }
}

/// An expectation in the program's order.
struct OrderedExpectation {
  let text: String
  var least: Int
  var made = 0
  var hasBegun = false

  /// A forgotten expectation has no place any more.
  mutating func leave() { (least, made, hasBegun) = (0, 0, false) }
}

extension Choice {
  var isAny: Bool { self == .every || self == .any }
  var isPredicate: Bool { if case .above = self { true } else { false } }

  func matches(_ argument: Int) -> Bool {
    switch self {
    case .every, .any: true
    case .equal(let other): argument == other
    case .range(let first, let last): first <= argument && argument <= last
    case .above(let other): argument > other
    }
  }

  /// True if it is known to match every call of `other`.
  func hides(_ other: Choice) -> Bool { isAny || self == other && !isPredicate }

  var text: String {
    switch self {
    case .every: "any arguments"
    case .any: "any"
    case .equal(let other): "\(other)"
    case .range(let first, let last): "in \(first)...\(last)"
    case .above(let other): "above \(other)"
    }
  }
}

extension Answer {
  var isHandler: Bool { if case .handler = self { true } else { false } }
}

extension Count: CustomStringConvertible {
  func allows(_ count: Int) -> Bool { least <= count && count <= most ?? .max }

  static func times(_ count: Int) -> String {
    switch count {
    case 1: "once"
    case 2: "twice"
    default: "\(count) times"
    }
  }

  var description: String {
    switch (least, most) {
    case (0, 0?): "never"
    case (let least, nil): "at least \(Count.times(least))"
    case (let least, let most?) where least == most: Count.times(least)
    case (0, let most?): "at most \(Count.times(most))"
    case (let least, let most?): "\(least) to \(most) times"
    }
  }
}
