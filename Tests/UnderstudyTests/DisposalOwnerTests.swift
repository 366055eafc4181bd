// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private struct Step: Sendable {
  let number: Int
}

/// Rules O5 and O11 of `Docs/Guarantees.md`: a layer disposes of the instances that it owns.
@Suite struct `Disposal of a cached instance` {
  private let resolver = Resolver()
  private let steps = Transcript<String>()

  /// An instance stays with its owner, which returns it after the layer has ended.
  @Test(arguments: [false, true])
  func `leaves instances of production or an outer layer alone`(isOuter: Bool) throws {
    let (resolver, steps) = (resolver, steps)
    func inner() throws {
      try withOverrides(of: resolver) {
        $0.onDispose(of: Key<Step>()) { steps.say("inner disposed of step \($0.number)") }
      } operation: {
        try #expect(resolver.resolve(Step.self).number == 1)
      }
      try #expect(resolver.resolve(Step.self).number == 1)
    }
    guard isOuter else {
      resolver.register(lifecycle: .cached) { Step(number: 1) }
      try inner()
      #expect(steps.all.isEmpty)
      return
    }
    try withOverrides(of: resolver) {
      let key = $0.register(lifecycle: .cached) { Step(number: 1) }
      $0.onDispose(of: key) { steps.say("outer disposed of step \($0.number)") }
    } operation: {
      try inner()
    }
    #expect(steps.all == ["outer disposed of step 1"])
  }

  /// The completion asks for what the layer overrides, so the layer owns the instance.
  @Test(arguments: [false, true])
  func `covers an instance that its completion moves into the layer`(isPart: Bool) throws {
    final class Node: Sendable { let number = Lock(0) }
    resolver.register { 1 }
    let key = resolver.register(lifecycle: .cached) {
      Node()
    } then: { node, r in
      let number: Int = try r.resolve()
      node.number.withLock { $0 = number }
    }
    resolver.register(lifecycle: .cached) { r in [try r.resolve(Node.self)] }
    let steps = steps
    try withOverrides(of: resolver) {
      $0.register { 2 }
      $0.onDispose(of: key) { (node: Node) in
        steps.say("disposed of node \(node.number.withLock { $0 })")
      }
    } operation: {
      if isPart {
        _ = try resolver.resolve([Node].self)
      } else {
        _ = try resolver.resolve(Node.self)
      }
    }
    #expect(steps.all == ["disposed of node 2"])
  }

  @Test func `comes after that of a value that uses a completed part`() throws {
    struct User: Sendable { let step: Step }
    let (resolver, steps) = (resolver, steps)
    try withOverrides(of: resolver) {
      let step = $0.register(lifecycle: .cached) {
        Step(number: 1)
      } then: { _, _ in
      }
      let user = $0.register { r in User(step: try r.resolve()) }
      $0.register { r in [try r.resolve(User.self)] }
      $0.onDispose(of: step) { (_: Step) in steps.say("step") }
      $0.onDispose(of: user) { (_: User) in steps.say("user") }
    } operation: {
      _ = try resolver.resolve([User].self)
    }
    #expect(steps.all == ["user", "step"])
  }

  @Test func `covers a completed structure as it is stored`() throws {
    let steps = steps
    try withOverrides(of: resolver) {
      let key = $0.register(lifecycle: .cached) {
        [0]
      } then: { numbers, _ in
        numbers = [1]
      }
      $0.register(lifecycle: .cached) { r in Set(try r.resolve([Int].self)) }
      $0.onDispose(of: key) { (numbers: [Int]) in steps.say("disposed of \(numbers)") }
    } operation: {
      _ = try resolver.resolve(Set<Int>.self)
    }
    #expect(steps.all == ["disposed of [1]"])
  }

  @Test func `covers production's registration if the layer owns the instance`() async throws {
    let (resolver, steps) = (resolver, steps)
    resolver.register(lifecycle: .cached) { r in Step(number: try r.resolve()) }
    resolver.register(named: "anew") { Step(number: 3) }
    resolver.register(named: "awaited", lifecycle: .cached) { () async in Step(number: 4) }
    resolver.register(1)
    try await withOverrides(of: resolver) {
      $0.register(2)
      for name in [nil, "anew", "awaited"] {
        $0.onDispose(of: Key<Step>(named: name)) { steps.say("step \($0.number)") }
      }
    } operation: {
      for name in [nil, "anew", "awaited"] {
        _ = try await resolver.resolveAsync(Step.self, named: name)
      }
    }
    #expect(steps.all == ["step 3", "step 2"])
    try withOverrides(of: resolver, isBoundary: true) {
      $0.onDispose(of: Key<Step>()) { steps.say("step \($0.number)") }
    } operation: {
      _ = try resolver.resolve(Step.self)
    }
    #expect(steps.all == ["step 3", "step 2", "step 1"])
  }

  /// The layer's own instance and the results of its decorators are created for the layer.
  @Test(arguments: [Lifecycle.notCached, .cached, .once], [false, true])
  func `covers a decorated registration of its layer, too`(lifecycle: Lifecycle, isAwaited: Bool)
    async throws
  {
    let (resolver, steps) = (resolver, steps)
    try await withOverrides(of: resolver) {
      if isAwaited {
        $0.register(lifecycle: lifecycle) { () async in Step(number: 1) }
      } else {
        $0.register(lifecycle: lifecycle) { Step(number: 1) }
      }
      $0.decorate(Step.self) { Step(number: $0.number + 10) }
      $0.decorate(Step.self) { Step(number: $0.number + 100) }
      $0.onDispose(of: Key<Step>()) { steps.say("step \($0.number)") }
    } operation: {
      try await #expect(resolver.resolveAsync(Step.self).number == 111)
    }
    #expect(steps.all == ["step 111", "step 11", "step 1"])
  }

  @Test func `covers a decorated registration below once, and each wrapper of its layer`() throws {
    let (resolver, steps) = (resolver, steps)
    resolver.register { Step(number: 1) }
    try withOverrides(of: resolver) {
      $0.decorate(Step.self) { Step(number: $0.number + 10) }
      $0.decorate(Step.self) { Step(number: $0.number + 100) }
      $0.onDispose(of: Key<Step>()) { steps.say("step \($0.number)") }
    } operation: {
      _ = try resolver.resolve(Step.self)
    }
    #expect(steps.all == ["step 111", "step 11", "step 1"])
  }

  @Test func `covers a returned input once, and an instance whose decorator fails`() throws {
    let (resolver, steps) = (resolver, steps)
    try withOverrides(of: resolver) {
      $0.register(named: "handed on") { Coin(1) }
      $0.decorate(Coin.self, named: "handed on") { $0 }
      $0.register(named: "lost") { Coin(2) }
      $0.decorate(Coin.self, named: "lost") { _ in throw Mishap() }
      let fails = FirstTime()
      $0.register(Coin(3), named: "given", lifecycle: .cached)
      $0.decorate(Coin.self, named: "given") {
        if fails() { throw Mishap() }
        return Coin($0.id + 10)
      }
      for name in ["handed on", "lost", "given"] {
        $0.onDispose(of: Key<Coin>(named: name)) { steps.say("\($0)") }
      }
    } operation: {
      _ = try resolver.resolve(Coin.self, named: "handed on")
      #expect(throws: ResolutionError.self) { try resolver.resolve(Coin.self, named: "lost") }
      #expect(throws: ResolutionError.self) { try resolver.resolve(Coin.self, named: "given") }
      _ = try resolver.resolve(Coin.self, named: "given")
    }
    #expect(steps.all == ["Coin(13)", "Coin(3)", "Coin(2)", "Coin(1)"])
  }
}
