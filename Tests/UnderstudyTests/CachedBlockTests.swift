// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy
import UnderstudyDoubles

private final class Meal: Sendable {
  let number: Int

  init(_ number: Int = 0) {
    self.number = number
  }
}

private final class Menu: Sendable {
  let meal: Meal

  init(_ meal: Meal) {
    self.meal = meal
  }
}

private struct Burnt: Error {}

private enum Course { case first, second }

/// The fast path calls a block directly once it has created a value. It must behave as the first
/// call did. `.ci/run` runs these tests in a process of their own, where the fast path is used, and
/// among all tests, where it is not.
@Suite struct `A block that is cached under layers` {
  private let resolver = Resolver()

  init() {
    resolver.register { Meal() }
  }

  /// Four requests: the first one teaches the fast path.
  private func asked(named name: String? = nil) throws -> [Int] {
    try (0..<4).map { _ in try resolver.resolve(Meal.self, named: name).number }
  }

  @Test func `is counted and logged like other blocks, with its own requests`() throws {
    try withLayer(of: resolver, named: "counted") {
      $0.register { r in Menu(try r.resolve()) }
    } operation: {
      for _ in 0..<6 { _ = try resolver.resolve(Menu.self) }
      let log = try #require(OverrideLayer.current).log
      #expect(log.counts(of: Key<Menu>()) == ResolutionCounts(made: 6))
      #expect(log.counts(of: Key<Meal>()) == ResolutionCounts(made: 6))
      let menus = log.events.filter { $0.key == AnyKey(Key<Menu>()) }
      let meals = log.events.filter { $0.key == AnyKey(Key<Meal>()) }
      #expect(menus.map(\.outcome) == Array(repeating: .made, count: 6))
      #expect(menus.allSatisfy { $0.layer == "counted" && $0.parent == nil })
      #expect(meals.map(\.parent) == menus.map(\.order))
      #expect(meals.allSatisfy { $0.layer == nil && $0.requester == AnyKey(Key<Menu>()) })
      #expect(log.events.map(\.order) == log.events.map(\.order).sorted())
    }
  }

  /// The error and the counts of a block that fails at one of several calls.
  private func failure(at failing: Int) throws -> (text: String, counts: ResolutionCounts) {
    let calls = Tally()
    return try withLayer(of: resolver, named: "oven") {
      $0.register {
        if calls.next() == failing { throw Burnt() }
        return Meal(1)
      }
    } operation: {
      var text = ""
      for number in 1...6 {
        do {
          _ = try resolver.resolve(Meal.self)
          #expect(number != failing)
        } catch {
          text = "\(error)"
        }
      }
      let layer = try #require(OverrideLayer.current)
      let isRunning = layer.hasRunningWork
      #expect(!isRunning)
      let events = layer.log.events
      #expect(events.map(\.outcome).firstIndex(of: .failed) == failing - 1)
      return (text, layer.log.counts(of: Key<Meal>()))
    }
  }

  @Test(arguments: 2...6)
  func `fails as it does at first`(number: Int) throws {
    let (cold, warm) = try (failure(at: 1), failure(at: number))
    #expect(warm.text == cold.text)
    #expect(warm.text.contains("Burnt"))
    #expect(warm.counts == cold.counts)
    #expect(warm.counts == ResolutionCounts(made: 5, failed: 1))
  }

  /// The error of a block that requests itself at one of several calls.
  private func refusal(at asking: Int) throws -> String {
    let (calls, resolver) = (Tally(), resolver)
    return try withLayer(of: resolver, named: "ring") {
      $0.register { calls.next() == asking ? try resolver.resolve(line: 1) : Meal(1) }
    } operation: {
      for _ in 1..<asking { _ = try resolver.resolve(Meal.self) }
      return "\(try #require(throws: ResolutionError.self) { _ = try resolver.resolve(Meal.self) })"
    }
  }

  @Test func `is not run within itself`() throws {
    let cold = try refusal(at: 1)
    #expect(cold.contains("'Meal' needs 'Meal' itself"))
    for number in 2...5 { try #expect(refusal(at: number) == cold) }
  }

  @Test func `is not run too deep`() throws {
    let (resolver, depth, isDeep) = (resolver, Resolver.maximumDepth, Box(false))
    try withLayer(of: resolver) { layer in
      for number in 0...depth {
        layer.register(named: "\(number)") {
          isDeep.value ? try resolver.resolve(named: "\(number + 1)") : Meal(number)
        }
      }
    } operation: {
      for number in 0...depth { try #expect(asked(named: "\(number)").last == number) }
      isDeep.value = true
      let error = try #require(throws: ResolutionError.self) {
        _ = try resolver.resolve(Meal.self, named: "0")
      }
      #expect("\(error)".contains("goes more than \(depth) requests deep"))
    }
  }

  @Test(arguments: [false, true])
  func `does not hide a new or a removed override`(isBoundary: Bool) throws {
    try withLayer(of: resolver, isBoundary: isBoundary) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      try #expect(asked() == [0, 0, 0, 0])
      let key = layer.register { Meal(1) }
      try #expect(asked() == [1, 1, 1, 1])
      layer.register { Meal(2) }
      try #expect(asked() == [2, 2, 2, 2])
      try withLayer(of: resolver) {
        $0.register { Meal(3) }
      } operation: {
        try #expect(asked() == [3, 3, 3, 3])
      }
      try #expect(asked() == [2, 2, 2, 2])
      layer.fault(Meal.self, .throwing(Burnt()))
      #expect(throws: ResolutionError.self) { _ = try asked() }
      layer.unregister(key)
      try #expect(asked() == [0, 0, 0, 0])
      layer.decorate(Meal.self) { Meal($0.number + 10) }
      try #expect(asked() == [10, 10, 10, 10])
    }
  }

  @Test(arguments: [false, true])
  func `does not hide a change in production`(isBoundary: Bool) throws {
    try withLayer(of: resolver, isBoundary: isBoundary) { _ in
    } operation: {
      try #expect(asked() == [0, 0, 0, 0])
      resolver.register { Meal(4) }
      try #expect(asked() == [4, 4, 4, 4])
      try #expect(resolver.resolve(Meal.self, lifecycle: .once).number == 4)
      #expect(throws: ResolutionError.self) { _ = try asked() }
    }
    #expect((try? asked()) == (isBoundary ? [4, 4, 4, 4] : nil))
  }

  @Test func `of one name is not that of another`() throws {
    try withLayer(of: resolver) {
      $0.register(named: "a") { Meal(1) }
      $0.register(named: "b") { Meal(2) }
      $0.register(named: Course.first) { Meal(3) }
      $0.register(named: Course.second) { Meal(4) }
      $0.register(named: 7) { Meal(5) }
    } operation: {
      for _ in 0..<5 {
        try #expect(resolver.resolve(Meal.self).number == 0)
        try #expect(resolver.resolve(Meal.self, named: "a").number == 1)
        try #expect(resolver.resolve(Meal.self, named: "b").number == 2)
        try #expect(resolver.resolve(Meal.self, named: Course.first).number == 3)
        try #expect(resolver.resolve(Meal.self, named: Course.second).number == 4)
        try #expect(resolver.resolve(Meal.self, named: 7).number == 5)
        try #expect(resolver.resolve(Key<Meal>(named: "b")).number == 2)
      }
    }
  }

  /// The number of observed values is at its limit, so no value is examined for another reason.
  @Test func `is disposed of, too, if its own run has asked for that`() throws {
    let (disposed, made) = (Transcript<Int>(), Tally())
    try withLayer(of: resolver) { layer in
      layer.register {
        let number = made.next()
        if number == 8 {
          OverrideLayer.current?.onDispose(of: Key<Meal>()) { disposed.say($0.number) }
        }
        return Meal(number)
      }
    } operation: {
      let meals = try (0..<8).map { _ in try resolver.resolve(Meal.self) }
      #expect(meals.map(\.number) == Array(1...8))
    }
    #expect(disposed.all == [8])
  }

  @Test func `is disposed of from the moment that this is asked for`() throws {
    let disposed = Transcript<Int>()
    let made = Tally()
    try withLayer(of: resolver) {
      $0.register { Meal(made.next()) }
    } operation: {
      let layer = try #require(OverrideLayer.current)
      try #expect(asked() == [1, 2, 3, 4])
      layer.onDispose(of: Key<Meal>()) { disposed.say($0.number) }
      try #expect(asked() == [5, 6, 7, 8])
    }
    #expect(disposed.all == [8, 7, 6, 5])
  }

  @Test func `invalidates the instances made from it when it is overridden`() throws {
    resolver.register(lifecycle: .cached) { r in Menu(try r.resolve()) }
    try withLayer(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      try #expect(asked() == [0, 0, 0, 0])
      for _ in 0..<4 { try #expect(resolver.resolve(Menu.self).meal.number == 0) }
      layer.register { Meal(1) }
      for _ in 0..<4 { try #expect(resolver.resolve(Menu.self).meal.number == 1) }
    }
    try #expect(resolver.resolve(Menu.self).meal.number == 0)
  }

  @Test func `counts as running work of the layer while it runs`() throws {
    try withLayer(of: resolver) {
      $0.register {
        Meal(OverrideLayer.current?.hasRunningWork == true ? 1 : 0)
      }
    } operation: {
      try #expect(asked() == [1, 1, 1, 1])
      let isRunning = try #require(OverrideLayer.current).hasRunningWork
      #expect(!isRunning)
    }
  }

  @Test func `does not outlive its layer`() throws {
    let context = try withLayer(of: resolver) {
      $0.register { Meal(1) }
    } operation: {
      try #expect(asked() == [1, 1, 1, 1])
      return OverrideContext.current
    }
    withKnownIssue {
      #expect(throws: ResolutionError.self) {
        try context.run { try resolver.resolve(Meal.self) }
      }
    } matching: { issue in
      "\(issue)".contains("under the ended layer")
    }
  }

  /// Runs an operation under a layer of a test, and returns the layer's violations.
  private func inTest(
    _ name: String, _ operation: (OverrideLayer) throws -> Void
  ) rethrows -> [Violation] {
    var traits = LayerTraits(of: resolver, named: name, on: nil, at: CallSite())
    traits.test = RunningTest(name: name, adoptsEscapedWork: false)
    let layer = OverrideLayer(traits)
    try OverrideLayer.binding(layer) { try operation(layer) }
    return layer.end()
  }

  @Test func `is checked for instances that another test has`() throws {
    let (calls, shared) = (Tally(), Meal(9))
    var others: [Violation] = []
    _ = try inTest("one") { layer in
      layer.register { calls.next() < 3 ? Meal(1) : shared }
      for _ in 0..<3 { _ = try resolver.resolve(Meal.self) }
      others = try inTest("another") { layer in
        layer.register { shared }
        try #expect(resolver.resolve(Meal.self) === shared)
      }
    }
    #expect(others.contains { "\($0)".contains("is used by two tests that run at the same time") })
  }

  @Test func `retains nothing`() throws {
    var witnesses: [Witness] = []
    func captured() -> Meal {
      let meal = Meal(1)
      witnesses.append(Witness(meal))
      return meal
    }
    try withLayer(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      resolver.register { [meal = captured()] in meal }
      _ = try asked()
      resolver.register { Meal() }
      #expect(witnesses[0].isGone)
      layer.register { [meal = captured()] in meal }
      _ = try asked()
    }
    #expect(witnesses[1].isGone)
  }

  @Test func `is the newest, even if it changes in the meantime`() throws {
    try withLayer(of: resolver) {
      $0.register { Meal(0) }
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let (context, newest, resolver) = (OverrideContext.current, Tally(), resolver)
      let outcomes = try Threads.run(4) { number in
        try context.run {
          for step in 0..<500 {
            if number == 0 {
              layer.register { Meal(step) }
              newest.next()
            } else {
              let least = newest.count - 1
              let found = try resolver.resolve(Meal.self).number
              #expect(found >= least)
            }
          }
        }
      }
      for outcome in outcomes { try outcome.get() }
      let counts = layer.log.counts(of: Key<Meal>())
      #expect(counts == ResolutionCounts(made: 1_500))
      let isRunning = layer.hasRunningWork
      #expect(!isRunning)
    }
  }
}
