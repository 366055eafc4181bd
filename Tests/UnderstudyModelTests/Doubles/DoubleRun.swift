// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyDoubles

/// Runs one program on the package and on the model, step by step, until they differ.
struct DoubleRun {
  private var model: DoubleModel
  private let spies: [Subject]
  private let order = ExpectedOrder()
  /// The line of the call that is in progress, for the calls of side effects.
  private let line: Lock<Int>
  /// The spy of each chain of stubs.
  private var chains: [(spy: Int, chain: any Chain)] = []

  /// The first difference between the package and the model, or `nil`.
  static func difference(_ program: DoubleProgram) async -> String? {
    let setting = program.setting
    guard setting.hasLayer else {
      return await StrayViolations.$areKept.withValue(true) {
        var run = DoubleRun(program.setting)
        if let difference = await run.perform(program.steps) { return difference }
        let found = run.spies.flatMap { $0.finish() }.map(\.modelled)
        return compare(found, run.model.end(), "the end")
      }
    }
    var traits = LayerTraits(of: Resolver(), named: "doubles", on: nil, at: CallSite())
    traits.options = setting.isStrictLayer ? .strict : []
    let layer = OverrideLayer(traits)
    layer.unstubbedPolicy = setting.layerPolicy.map(\.real)
    let (difference, expected) = await OverrideLayer.binding(layer) {
      var run = DoubleRun(setting)
      let difference = await run.perform(program.steps)
      return (difference, run.model.end())
    }
    let found = layer.end().map(\.modelled)
    return difference ?? compare(found, expected, "the end")
  }

  private init(_ setting: DoubleProgram.Setting) {
    model = DoubleModel(setting)
    let line = Lock(0)
    self.line = line
    spies = zip(["f(_:)", "g(_:)"], setting.kinds).enumerated().map { spy, named in
      .make(named.1, named: named.0, isAsync: spy == 0 && setting.isAsync, line)
    }
  }

  private mutating func perform(_ steps: [DoubleStep]) async -> String? {
    for (index, step) in steps.enumerated() {
      let line = index + 1
      if let difference = await perform(step, at: line) ?? differenceOfCalls() {
        return "step \(line): \(difference)"
      }
    }
    return nil
  }

  private func differenceOfCalls() -> String? {
    for (spy, expected) in zip(spies, model.spies) {
      let difference =
        DoubleRun.compare(
          spy.calls(), expected.calls.map(\.argument), "calls of \(expected.name)")
        ?? DoubleRun.compare(spy.callCount(), expected.callCount, "count of \(expected.name)")
      if let difference { return difference }
    }
    return nil
  }

  private mutating func perform(_ step: DoubleStep, at line: Int) async -> String? {
    switch step {
    case .stub(let spy, let choice, let answers, let count, let isOptional):
      if let count { model.expect(spy, choice, count, at: line) }
      model.stub(spy, choice, answers, at: line)
      if isOptional { model.excuse(chains.count) }
      var chain = spies[spy].choose(choice, line)
      if let count { chain = chain.expecting(count.real) }
      for answers in answers { chain = chain.adding(answers) }
      if isOptional { chain = chain.excused() }
      chains.append((spy, chain))
    case .extend(let age, let answers):
      // The uses of a stub after the end of its double are not recorded.
      guard let index = chain(age), !model.spies[chains[index].spy].isFinished else { return nil }
      model.extend(index, answers)
      chains[index].chain = chains[index].chain.adding(answers)
    case .excuse(let age):
      guard let index = chain(age) else { return nil }
      model.excuse(index)
      chains[index].chain = chains[index].chain.excused()
    case .forward(let spy):
      model.spies[spy].forwards = true
      spies[spy].forward()
    case .callSecond(let choice):
      model.spies[0].effects.append((choice, line))
      spies[0].callOther(choice, line, spies[1].callNow)
    case .expect(let spy, let choice, let count, let isOrdered):
      model.expect(spy, choice, count, isOrdered: isOrdered, at: line)
      spies[spy].expect(choice, count, isOrdered ? order : nil, line)
    case .expectNoMoreCalls(let spy):
      model.expectNoMoreCalls(spy, at: line)
      UnderstudyDoubles.expectNoMoreCalls(spies[spy].double, line: line)
    case .beStrict(let spy):
      model.spies[spy].isStrict = true
      strict(spies[spy].double)
    case .setPolicy(let spy, let policy):
      model.spies[spy].policy = policy
      unstubbed(policy.map(\.real), spies[spy].double)
    case .keepLast(let spy, let limit):
      model.spies[spy].keepLast(limit)
      spies[spy].keepLast(limit)
    case .forgetCalls(let spy):
      model.spies[spy].forgetCalls()
      UnderstudyDoubles.forgetCalls(spies[spy].double)
    case .reset(let spy):
      model.reset(spy)
      UnderstudyDoubles.reset(spies[spy].double)
    case .call(let spy, let argument):
      self.line.withLock { $0 = line }
      let outcome = await spies[spy].call(argument, line)
      return DoubleRun.compare(outcome, model.call(spy, argument, at: line), "the answer")
    case .verify(let spy):
      return DoubleRun.compare(
        findings { () throws(VerificationError) in try verify(spies[spy].double) },
        model.verify(spy), "verify")
    case .finish(let spy):
      return DoubleRun.compare(
        spies[spy].finish().map(\.modelled), model.finish(spy), "finish")
    case .lookForOrder(let looks):
      let found = findings { () throws(VerificationError) in
        try verifyOrder { for look in looks { spies[look.spy].step(look.choice) } }
      }
      return DoubleRun.compare(found.isEmpty, model.finds(order: looks), "the order")
    case .lookForCalls(let whole, let looks):
      let found = findings { () throws(VerificationError) in
        try verifyCalls(of: whole.map { spies[$0].double }) {
          for look in looks { spies[look.spy].step(look.choice) }
        }
      }
      return DoubleRun.compare(
        found.isEmpty, model.finds(calls: looks, of: whole), "exact calls")
    case .lookForCount(let look, let count):
      let found = findings { () throws(VerificationError) in
        try verifyCalled(spies[look.spy].step(look.choice), count.real)
      }
      return DoubleRun.compare(found.isEmpty, model.finds(look, count), "the number of calls")
    }
    return nil
  }

  private func chain(_ age: Int) -> Int? {
    let index = chains.count - 1 - age
    return index < 0 ? nil : index
  }

  private func findings(_ check: () throws(VerificationError) -> Void) -> [String] {
    do throws(VerificationError) {
      try check()
      return []
    } catch {
      return error.violations.map(\.modelled)
    }
  }

  private static func compare<Value: Equatable>(
    _ real: Value, _ expected: Value, _ subject: String
  ) -> String? {
    if real == expected { return nil }
    guard let real = real as? [String], let expected = expected as? [String] else {
      return "\(subject): the package has \(real), and the model \(expected)"
    }
    let lists = [real, expected].map { $0.map { "\n    \($0)" }.joined() }
    return "\(subject): the package has\(lists[0])\n  and the model\(lists[1])"
  }
}
