// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The rules of `Docs/Doubles` for a single thread, without locks, layers, types or speed. A
/// finding is its first line, with the numbers of the steps that it names.
struct DoubleModel {
  var spies: [SpyModel]
  let setting: DoubleProgram.Setting
  /// The expectations of the program's order.
  var order: [OrderedExpectation] = []
  /// The findings of the layer.
  var found: [String] = []
  /// The stubs in the order in which they were made, also if they are forgotten.
  var chains: [(spy: Int, stub: StubModel)] = []
  private var lastTick = 0

  init(_ setting: DoubleProgram.Setting) {
    self.setting = setting
    spies = zip(["f(_:)", "g(_:)"], setting.kinds).map { SpyModel(name: $0, kind: $1) }
  }

  // MARK: A call

  /// "The newest stub that matches answers." Each call has at most one finding.
  ///
  /// - Returns: The outcome: a value, an error or nothing.
  mutating func call(_ spy: Int, _ argument: Int, at line: Int) -> String {
    lastTick += 1
    spies[spy].record(argument, at: lastTick)
    let text = spies[spy].text(argument)
    let isLate = spies[spy].isFinished
    if isLate { report("\(text) was called after its double was finished. @\(line)", of: spy) }
    let (isExpected, isWrong) = isLate ? (false, false) : check(spy, argument, at: line)
    let answer = spies[spy].answer(argument)
    for effect in spies[spy].effects where effect.choice.matches(argument) {
      _ = call(1, argument, at: DoubleStep.line(of: effect.line, at: line))
    }
    if let answer { return spies[spy].outcome(of: answer, argument) }
    var isReported = isLate || isWrong
    if spies[spy].isStrict, !isExpected, !isReported {
      report("\(text) is unexpected: the double is strict. @\(line)", of: spy)
      isReported = true
    }
    if spies[spy].forwards { return spies[spy].outcome(of: .handler(100), argument) }
    if reportsUnstubbed(spy, isExpected: isExpected), !isReported {
      report("No stub answers \(text). @\(line)", of: spy)
    }
    return spies[spy].lastResort
  }

  /// "The policy of a double wins over its layer's policy. The default is `.report`. With the
  /// default, a double that returns `Void` and has no stubs at all only records. An expected call
  /// that returns `Void` needs no stub under any policy of the layer."
  private func reportsUnstubbed(_ spy: Int, isExpected: Bool) -> Bool {
    let spy = spies[spy]
    if let policy = spy.policy { return policy == .report }
    if spy.kind == .nothing, isExpected { return false }
    if setting.hasLayer, let policy = setting.layerPolicy { return policy == .report }
    return spy.kind != .nothing || !spy.stubs.isEmpty
  }

  /// "A call counts for one expectation: the oldest matching one that has room. An expectation of
  /// any arguments comes after the others." Forbidden arguments are forbidden "whatever else you
  /// expect". A call too many counts for the newest one.
  private mutating func check(
    _ spy: Int, _ argument: Int, at line: Int
  ) -> (isExpected: Bool, isWrong: Bool) {
    let all = spies[spy].expectations
    let matching = all.indices.filter { all[$0].choice.matches(argument) }
    let forbidding = matching.last { all[$0].count.most == 0 && !all[$0].choice.isAny }
    let roomy = matching.filter { all[$0].hasRoom }
    let oldest = roomy.first { !all[$0].choice.isAny } ?? roomy.first
    guard let counting = forbidding ?? oldest ?? matching.last else { return (false, false) }
    for index in matching {
      if index == counting {
        spies[spy].expectations[index].made += 1
      } else {
        spies[spy].expectations[index].madeForOthers += 1
      }
    }
    let expectation = spies[spy].expectations[counting]
    let text = spies[spy].text(argument)
    if forbidding != nil || oldest == nil {
      report("\(expectation.excess(text)) @\(line), expected @\(expectation.line)", of: spy)
      return (true, true)
    }
    guard let problem = expectation.place.flatMap({ enter($0) }) else { return (true, false) }
    report(
      "\(text) was called out of order: \(problem). @\(line), expected @\(expectation.line)",
      of: spy)
    return (true, true)
  }

  /// "A call that comes before an earlier expectation is met, or after a later one has begun, is a
  /// violation at the call." A call out of order begins nothing.
  private mutating func enter(_ place: Int) -> String? {
    order[place].made += 1
    if let later = order.lastIndex(where: \.hasBegun), place < later {
      return "it was expected before \(order[later].text)"
    }
    if let unmet = order[..<place].first(where: { $0.made < $0.least }) {
      return "it was expected after \(unmet.text)"
    }
    order[place].hasBegun = true
    return nil
  }

  // MARK: Stubs and expectations

  mutating func stub(_ spy: Int, _ choice: Choice, _ answers: [Answers], at line: Int) {
    chains.append((spy, StubModel(choice: choice, line: line)))
    for answers in answers { extend(chains.count - 1, answers) }
  }

  /// The first answers make a stub. Further ones are those of later calls. After a reset they make
  /// a stub again.
  mutating func extend(_ chain: Int, _ answers: Answers) {
    let (spy, stub) = chains[chain]
    if let times = answers.times, times < 1 {
      report(
        "The stub of \(spies[spy].text(stub.choice)) can answer no call: it is for \(times). "
          + "@\(stub.line)", of: spy)
      return
    }
    let index: Int
    if let existing = spies[spy].index(of: stub) {
      index = existing
    } else {
      lastTick += 1
      var new = StubModel(choice: stub.choice, line: stub.line, isOptional: stub.isOptional)
      new.id = lastTick
      chains[chain].stub = new
      spies[spy].stubs.append(new)
      index = spies[spy].stubs.count - 1
    }
    spies[spy].stubs[index].add(answers)
  }

  mutating func excuse(_ chain: Int) {
    chains[chain].stub.isOptional = true
    let (spy, stub) = chains[chain]
    if let index = spies[spy].index(of: stub) { spies[spy].stubs[index].isOptional = true }
  }

  /// "If a call came earlier, the expectation is an error that tells you so." It is reported once,
  /// and no other call of the order waits for it.
  mutating func expect(
    _ spy: Int, _ choice: Choice, _ count: Count, isOrdered: Bool = false, at line: Int
  ) {
    let early = spies[spy].earlyCalls(choice)
    let problem =
      if spies[spy].isFinished {
        "its double was finished"
      } else if early > 0, count != Count(least: 0, most: nil) {
        "it was called \(Count.times(early)) before, and only later calls count"
      } else {
        nil as String?
      }
    let text = spies[spy].text(choice)
    if let problem {
      report("The expectation of \(text) \(count) cannot be met: \(problem). @\(line)", of: spy)
    }
    var place: Int?
    if isOrdered {
      place = order.count
      order.append(
        OrderedExpectation(text: text, least: problem == nil ? count.least : 0))
    }
    spies[spy].expectations.append(
      ExpectationModel(
        choice: choice, text: text, count: count, line: line, place: place,
        isReported: problem != nil))
  }

  mutating func expectNoMoreCalls(_ spy: Int, at line: Int) {
    var expectation = ExpectationModel(
      choice: .every, text: spies[spy].text(.every), count: .never, line: line)
    expectation.forbidsMore = true
    spies[spy].expectations.append(expectation)
  }

  /// "Forgets the calls, the stubs, the side effects, the expectations, the forwarding and the
  /// strictness, without a report." The policy and the limit stay.
  mutating func reset(_ spy: Int) {
    for case let place? in spies[spy].expectations.map(\.place) {
      order[place].leave()
    }
    let old = spies[spy]
    spies[spy] = SpyModel(name: old.name, kind: old.kind)
    spies[spy].policy = old.policy
    spies[spy].limit = old.limit
    spies[spy].isFinished = old.isFinished
    spies[spy].untold = old.untold
  }

  // MARK: The end

  /// "The check ends all expectations, even those that forbid calls." No order waits for one that
  /// is reported, and its stub is not reported later.
  mutating func verify(_ spy: Int) -> [String] {
    let unmet = spies[spy].expectations.filter(\.isUnmet)
    for index in spies[spy].stubs.indices where spies[spy].stubs[index].isOfMissingCall(unmet) {
      spies[spy].stubs[index].isOptional = true
    }
    for case let place? in unmet.map(\.place) { order[place].least = 0 }
    spies[spy].expectations = []
    spies[spy].checkedCalls = spies[spy].callCount
    defer { spies[spy].untold = [] }
    return spies[spy].untold + unmet.map(\.finding)
  }

  /// "Returns unmet expectations, unused stubs, and every violation that was not reported when it
  /// happened. A second call returns only later violations."
  mutating func finish(_ spy: Int) -> [String] {
    defer { spies[spy].untold = [] }
    if spies[spy].isFinished { return spies[spy].untold }
    let unmet = spies[spy].expectations.filter(\.isUnmet)
    for case let place? in unmet.map(\.place) { order[place].least = 0 }
    let unused = spies[spy].unusedStubs.filter { !$0.stub.isOfMissingCall(unmet) }
    var findings = unmet.map(\.finding)
    findings += unused.map { unused in
      "The stub of \(spies[spy].text(unused.stub.choice)) answered no call. @\(unused.stub.line)"
        + (unused.hiding.map { ", hidden by @\($0.line)" } ?? "")
    }
    if setting.hasLayer, setting.isStrictLayer {
      findings += spies[spy].stubs.compactMap { $0.unasked(of: spies[spy].text($0.choice)) }
    }
    spies[spy].finish()
    return spies[spy].untold + findings
  }

  /// The end of the layer, or of the program that finishes its spies itself.
  mutating func end() -> [String] {
    let findings = spies.indices.flatMap { finish($0) }
    return found + findings
  }

  /// A layer has each finding once.
  private mutating func report(_ finding: String, of spy: Int) {
    if !setting.hasLayer {
      spies[spy].untold.append(finding)
    } else if !found.contains(finding) {
      found.append(finding)
    }
  }

  // MARK: Checks after the calls

  /// "Other calls may lie between them."
  func finds(order looks: [Look]) -> Bool {
    var last = 0
    for look in looks {
      let calls = spies[look.spy].calls
      guard let next = calls.first(where: { $0.tick > last && look.choice.matches($0.argument) })
      else { return false }
      last = next.tick
    }
    return !looks.isEmpty
  }

  /// "Exactly these calls, in this order, and no others."
  func finds(calls looks: [Look], of whole: [Int]) -> Bool {
    let named = Set(whole + looks.map(\.spy))
    let calls = named.flatMap { spy in spies[spy].calls.map { (spy: spy, call: $0) } }
      .sorted { $0.call.tick < $1.call.tick }
    return calls.count == looks.count && named.allSatisfy { spies[$0].keepsAll }
      && zip(looks, calls).allSatisfy { look, call in
        look.spy == call.spy && look.choice.matches(call.call.argument)
      }
  }

  /// Calls that are not kept may match.
  func finds(_ look: Look, _ count: Count) -> Bool {
    let spy = spies[look.spy]
    let kept = spy.calls.count { look.choice.matches($0.argument) }
    let unkept = spy.callCount - spy.calls.count
    return count.allows(kept + unkept) && (look.choice.isAny || count.allows(kept))
  }
}
