// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility
@testable import UnderstudyDoubles

private struct Desk: Sendable { let mailer: any Mailer }
private struct Badge: Sendable {}

private let late = "was called after its double was finished."

/// Which layer finishes a double.
@Suite struct `A double is finished by` {
  private let resolver = Resolver()

  /// Runs `body` in a layer that is pushed on the current one, and tells what that has to say.
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

  /// Has an inner layer use the double first, and then another; the double is finished by neither.
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

  // MARK: What was made before any layer

  @Test(arguments: ["expected", "stubbed", "called"])
  func `the first layer that it is told something under, or called`(how: String) {
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

  // MARK: What is made to be kept

  @Test(arguments: [true, false])
  func `the layer that keeps the instance that it was made for`(isOfAnother: Bool) throws {
    let found = try within { layer in
      layer.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      try sendTwice(within: isOfAnother ? Resolver() : nil)
    }
    #expect(found == unused)
  }

  @Test func `the layer that keeps the instance, and none further out`() throws {
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

  @Test func `the layer that keeps what it is a part of`() throws {
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

  @Test func `the layer that keeps what was made meanwhile, and not what it is a part of`() throws {
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

  @Test func `the inner layer, if that has a part in the instance`() throws {
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

  @Test func `the layer that keeps what was made asynchronously`() async throws {
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

  // MARK: What is kept nowhere

  @Test func `the layer that it is made under, if it is kept nowhere`() throws {
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

  @Test func `the layer that it is made under, if the instance cannot be made`() throws {
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

  @Test func `the layer that keeps what it is made for, if a part of that cannot be made`() throws {
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

  @Test func `the layer that a block pushes, if it is made under that`() throws {
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

  // MARK: What was made before

  @Test func `the outermost layer of the test, if it was made under none`() throws {
    let spy = MailerSpy()
    let found = try within { layer in
      layer.register(spy as any Mailer)
      try sendTwice()
    }
    #expect(found == unused)
  }

  @Test func `the outermost layer, if it was called before there was one`() {
    let sends = Spy<String, Void, Never>("send(_:)")
    for name in ["Ann", "Eve"] { sends.when(.equal(name)).returns() }
    for _ in 1...3 { sends("Ann") }
    let found = within { _ in
      let inner = within { _ in sends("Ann") }
      #expect(inner == [])
    }
    #expect(found == unused)
  }

  /// Other tests' layers are alive here, so what is looked at is what such a call finds prepared.
  @Test func `and goes the short way until then while no layer is alive, and after that`() {
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

  @Test func `the outermost layer, if it was stubbed further in`() throws {
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

  /// In a process of its own: a profile's layer lasts as long as that.
  @Test func `the outermost layer that ends, under a profile`() async {
    await #expect(processExitsWith: .success) {
      let sends = Spy<String, Void, Never>("send(_:)")
      var words = ["--understudy-profile", "demo"]
      let profile = try OverrideProfile.start(
        oneOf: [OverrideProfile("demo") { _ in }], arguments: &words)
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
      precondition(
        profile?.end().map(\.description.firstLine) == [
          "The stub of send(\"Eve\") answered no call.", "send(\"Cid\") \(late)",
        ])
    }
  }

  // MARK: Fakes

  @Test func `the layer that it is made under, if it is a fake that is kept nowhere`() async throws
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

  @Test func `the layer that keeps it, if it is a fake`() async throws {
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
