// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility
@testable import UnderstudyDoubles

private struct Desk: Sendable { let mailer: any Mailer }
private struct Badge: Sendable {}

private let late = "was called after its double was finished."

/// Which layer finishes a double. Each name of a test completes the name of the suite.
@Suite struct `A double is finished by` {
  private let resolver = Resolver()

  /// Runs `body` in a layer on top of the current one, and returns the violations of that layer.
  private func within(
    _ resolver: Resolver? = nil, _ body: (OverrideLayer) throws -> Void
  ) rethrows -> [String] {
    let layer = OverrideLayer(
      LayerTraits(of: resolver ?? self.resolver, named: "nested", on: .current, at: CallSite()))
    try OverrideLayer.binding(layer) { try body(layer) }
    return layer.end().map(\.description.firstLine)
  }

  private func send(_ text: String) throws {
    try resolver.resolve((any Mailer).self).send(text)
  }

  /// Uses the double under two inner layers in turn. Neither of them may finish it.
  private func sendTwice(within other: Resolver? = nil) throws {
    for name in ["Ann", "Bob"] {
      let found = try within(other) { _ in try send(name) }
      #expect(found == [])
    }
    let spy = try #require(try resolver.resolve((any Mailer).self) as? MailerSpy)
    #expect(spy.sends.calls == ["Ann", "Bob"])
    spy.sends.when("Eve").returns()
  }

  private let unused = ["The stub of send(\"Eve\") answered no call."]

  // MARK: Created before any layer

  @Test(arguments: ["expected", "stubbed", "called"])
  func `the first layer under which it is stubbed, expected or called`(how: String) {
    let spy = Spy<String, Int, Never>("send(_:)", placeholder: 1)
    let found = within { _ in
      switch how {
      case "expected": spy.expects(.once)
      case "stubbed": spy.when("Eve").returns(2)
      default: #expect(spy("Ann") == 1)
      }
    }
    let line = [
      "expected": "send(any arguments) was expected once, and was never called.",
      "stubbed": "The stub of send(\"Eve\") answered no call.",
      "called": "No stub answers send(\"Ann\").",
    ][how]
    #expect(found == [line])
    #expect(within { _ in _ = spy("Bob") } == ["send(\"Bob\") \(late)"])
  }

  // MARK: Created for a cached instance

  @Test(arguments: [true, false])
  func `the owner of the instance that it was created for`(isOfAnother: Bool) throws {
    let found = try within { layer in
      layer.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      try sendTwice(within: isOfAnother ? Resolver() : nil)
    }
    #expect(found == unused)
  }

  @Test func `the owner of the instance, and no outer layer`() throws {
    let outer = try within { _ in
      var spy: MailerSpy?
      let found = try within { layer in
        layer.register(lifecycle: .cached) { MailerSpy() as any Mailer }
        try sendTwice()
        spy = try resolver.resolve((any Mailer).self) as? MailerSpy
      }
      #expect(found == unused)
      try #require(spy).send("Cid")
    }
    #expect(outer == ["send(\"Cid\") \(late)"])
  }

  @Test func `the owner of the instance that it is a part of`() throws {
    let found = try within { layer in
      layer.register { MailerSpy() as any Mailer }
      layer.register(lifecycle: .cached) { r in Desk(mailer: try r.resolve()) }
      for name in ["Ann", "Bob"] {
        try #expect(within { _ in try resolver.resolve(Desk.self).mailer.send(name) } == [])
      }
      let spy = try #require(try resolver.resolve(Desk.self).mailer as? MailerSpy)
      spy.sends.when("Eve").returns()
    }
    #expect(found == unused)
  }

  @Test func `its own owner, not the owner of the instance that uses it`() throws {
    let found = try within { layer in
      layer.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      let inner = try within { inner in
        inner.register { Badge() }
        inner.register(lifecycle: .cached) { r in
          _ = try r.resolve(Badge.self)
          return Desk(mailer: try r.resolve())
        }
        try resolver.resolve(Desk.self).mailer.send("Ann")
      }
      #expect(inner == [])
      try send("Bob")
    }
    #expect(found == [])
  }

  @Test func `the inner layer, if that is a part of the instance's provenance`() throws {
    let found = try within { layer in
      layer.register(lifecycle: .cached) { r in
        _ = try r.resolve(Badge.self)
        let spy = MailerSpy()
        spy.sends.when("Eve").returns()
        return spy as any Mailer
      }
      layer.register { Badge() }
      let inner = try within {
        $0.register { Badge() }
        _ = try resolver.resolve((any Mailer).self)
      }
      #expect(inner == unused)
      _ = try resolver.resolve(Badge.self)
    }
    #expect(found == [])
  }

  @Test func `the owner of an instance that was created asynchronously`() async throws {
    let resolver = resolver
    let layer = OverrideLayer(
      LayerTraits(of: resolver, named: "outer", on: nil, at: CallSite()))
    layer.register(lifecycle: .cached) { () async -> any Mailer in
      await Task.yield()
      return MailerSpy()
    }
    for name in ["Ann", "Bob"] {
      let inner = OverrideLayer(
        LayerTraits(of: resolver, named: "inner", on: layer, at: CallSite()))
      try await OverrideLayer.binding(inner) {
        try await resolver.resolveAsync((any Mailer).self).send(name)
      }
      #expect(inner.end().isEmpty)
    }
    #expect(layer.end().isEmpty)
  }

  @Test func `the outermost layer, if production keeps the instance`() throws {
    resolver.register(lifecycle: .cached) { MailerSpy() as any Mailer }
    let found = try within { _ in try sendTwice() }
    #expect(found == unused)
  }

  // MARK: Created for an instance that is not cached

  @Test func `the layer that it is created under, if the instance is not cached`() throws {
    let found = try within { layer in
      layer.register {
        let spy = MailerSpy()
        spy.sends.when("Eve").returns()
        return spy as any Mailer
      }
      try #expect(within { _ in _ = try resolver.resolve((any Mailer).self) } == unused)
    }
    #expect(found == [])
  }

  @Test func `the layer that it is created under, if creating the instance fails`() throws {
    let found = within { layer in
      layer.register(lifecycle: .cached) { () throws -> any Mailer in
        MailerSpy().sends.when("Eve").returns()
        throw Bounced()
      }
      let inner = within { _ in
        #expect(throws: ResolutionError.self) { try resolver.resolve((any Mailer).self) }
      }
      #expect(inner == unused)
    }
    #expect(found == [])
  }

  @Test func `the owner of the instance that it is created for, if creating a part of that fails`()
    throws
  {
    let found = try within { layer in
      layer.register(lifecycle: .cached) { () throws -> any Mailer in
        MailerSpy().sends.when("Eve").returns()
        throw Bounced()
      }
      layer.register(lifecycle: .cached) { r in
        #expect(throws: ResolutionError.self) { try r.resolve((any Mailer).self) }
        return Badge()
      }
      try #expect(within { _ in _ = try resolver.resolve(Badge.self) } == [])
    }
    #expect(found == unused)
  }

  @Test func `the layer that a block pushes, if it is created under that layer`() throws {
    let found = try within { layer in
      layer.register(lifecycle: .cached) {
        let found = within { _ in MailerSpy().sends.when("Eve").returns() }
        #expect(found == unused)
        return Badge()
      }
      _ = try resolver.resolve(Badge.self)
    }
    #expect(found == [])
  }

  // MARK: Created before, used later

  @Test func `the outermost layer of the test, if it was created outside any layer`() throws {
    let spy = MailerSpy()
    let found = try within { layer in
      layer.register(spy as any Mailer)
      try sendTwice()
    }
    #expect(found == unused)
  }

  @Test func `the outermost layer, if it was called before there was a layer`() {
    let sends = Spy<String, Void, Never>("send(_:)")
    for name in ["Ann", "Eve"] { sends.when(.equal(name)).returns() }
    for _ in 1...3 { sends("Ann") }
    let found = within { _ in
      let inner = within { _ in sends("Ann") }
      #expect(inner == [])
    }
    #expect(found == unused)
  }

  /// Other tests' layers are alive here, so this looks at the state that prepares the fast path.
  @Test func `a layer, and until then takes the fast path while no layer is alive`() {
    let sends = Spy<String, Void, Never>("send(_:)")
    sends.returns()
    for _ in 1...2 { sends("Ann") }
    let (isPrepared, mayBeAdopted) = sends.recorder.state.withLock {
      ($0.quick != nil, $0.mayBeAdopted)
    }
    #expect(isPrepared)
    #expect(mayBeAdopted)
    func isQuick() -> Bool {
      var isRecorded = false
      return sends.recorder.quickAnswer("Ann", isRecorded: &isRecorded) != nil
    }
    _ = within { _ in
      #expect(!isQuick())
      sends("Ann")
      #expect(isQuick())
    }
    #expect(sends.callCount == 4)
  }

  @Test func `the outermost layer, if it was stubbed under an inner one`() throws {
    let sends = Spy<String, Void, Never>("send(_:)")
    let found = within { _ in
      let inner = within { _ in
        sends.when("bye").returns()
        sends.expects(.once)
      }
      #expect(inner == [])
    }
    #expect(
      found == [
        "send(any arguments) was expected once, and was never called.",
        "The stub of send(\"bye\") answered no call.",
      ])
  }

  /// Runs in its own process, since the layer of a profile lasts as long as the process.
  @Test func `the outermost layer that ends, under a profile`() async {
    let found = Lock<[String]>([])
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        let sends = Spy<String, Void, Never>("send(_:)")
        var words = ["--understudy-profile", "demo"]
        try OverrideProfile.start(oneOf: [OverrideProfile("demo") { _ in }], arguments: &words)
        withOverrides { _ in
        } operation: {
          withOverrides { _ in
          } operation: {
            sends("Ann")
          }
          sends("Bob")
          sends.when("Eve").returns()
        }
        sends("Cid")
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined().firstLine
      found.withLock { $0.append(text) }
      return true
    }
    #expect(
      found.withLock { $0 } == [
        "The stub of send(\"Eve\") answered no call.", "send(\"Cid\") \(late)",
      ])
  }

  /// The layer of a process does not end, so it would keep every double.
  @Test func `no layer, if there is only that of a process`() async {
    await #expect(processExitsWith: .success) {
      var words = ["--understudy-profile", "demo"]
      let layer = try OverrideProfile.start(
        oneOf: [OverrideProfile("demo") { _ in }], arguments: &words)
      precondition(layer != nil && OverrideLayer.current === layer)
      weak var held: AnyObject?
      do {
        let sends = Spy<String, Void, Never>("send(_:)")
        sends("Ann")
        held = sends.recorder
      }
      precondition(held == nil)
      let clock = ManualClock()
      let sleeper = Task.detached { try await clock.sleep(for: .seconds(1)) }
      let found = await asyncViolations { _ in
        let other = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(reach: 2)
        other.cancel()
        _ = await other.result
      }
      precondition(
        found.map(\.firstLine) == ["1 task still waits for a manual clock at the end of the test."])
      sleeper.cancel()
    }
  }

  // MARK: Fakes

  @Test func `the layer that it is created under, if it is a fake that is not cached`() async throws
  {
    let outer = OverrideLayer(LayerTraits(of: resolver, named: "outer", on: nil, at: CallSite()))
    let inner = OverrideLayer(LayerTraits(of: resolver, named: "inner", on: outer, at: CallSite()))
    let gate = OverrideLayer.binding(inner) { Gate() }
    let waits = Task.detached { try await gate.wait() }
    await gate.waiters(reach: 1)
    #expect(inner.end().count == 1)
    #expect(outer.end() == [])
    gate.open()
    try await waits.value
  }

  @Test func `the outermost layer that uses it, if it is a fake from outside any layer`() async {
    let gate = Gate()
    let clock = ManualClock()
    let sequence = ScriptedSequence<Int, Never>(1)
    let found = await asyncViolations { layer in
      let inner = OverrideLayer(LayerTraits(of: resolver, named: "in", on: layer, at: CallSite()))
      OverrideLayer.binding(inner) {
        Task { try await gate.wait() }
        Task { try await clock.sleep(for: .seconds(1)) }
        Task { for await _ in sequence {} }
      }
      await gate.waiters(reach: 1)
      await clock.sleepers(reach: 1)
      await sequence.consumers(reach: 1)
      #expect(inner.end() == [])
    }
    gate.open()
    clock.advance(by: .seconds(1))
    sequence.finish()
    #expect(
      found.map(\.firstLine).sorted()
        == ["gate", "manual clock", "scripted sequence"].map {
          "1 task still waits for a \($0) at the end of the test."
        })
  }

  @Test func `its owner, if it is a fake`() async throws {
    let resolver = resolver
    let layer = OverrideLayer(
      LayerTraits(of: resolver, named: "outer", on: nil, at: CallSite()))
    layer.register(lifecycle: .cached) { Gate() }
    let inner = OverrideLayer(LayerTraits(of: resolver, named: "inner", on: layer, at: CallSite()))
    let gate = try OverrideLayer.binding(inner) { try resolver.resolve(Gate.self) }
    let waits = Task.detached { try await gate.wait() }
    await gate.waiters(reach: 1)
    #expect(inner.end().isEmpty)
    #expect(
      layer.end().map(\.description.firstLine) == [
        "1 task still waits for a gate at the end of the test."
      ])
    gate.open()
    try await waits.value
  }
}
