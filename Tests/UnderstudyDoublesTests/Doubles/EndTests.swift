// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
@testable import UnderstudyDoubles

private final class Screen: Sendable {
  let sends = Spy<String, Int, Never>("send(_:)", placeholder: 0)
  let loads = AsyncSpy<Int, Int, Never>("load(_:)", placeholder: 0)
}

/// What a double holds, and says, at its end and after it.
@Suite(.strayViolationsKept) struct EndTests {
  enum Holder: CaseIterable {
    case handler, suspending, predicate, matcher, forward, effect, snapshot, expectation
  }

  @Test(arguments: Holder.allCases)
  private func `a double lets go of the code that it was given`(holder: Holder) {
    weak var held: Screen?
    var sends: Spy<String, Int, Never>?
    let found = violations { _ in
      let screen = Screen()
      held = screen
      sends = screen.sends
      switch holder {
      case .handler: screen.sends.does { _ in screen.sends.callCount }
      case .suspending: screen.loads.does { _ in screen.loads.callCount }.optional()
      case .predicate: screen.sends.when { _ in screen.sends.callCount > 0 }.returns(1)
      case .matcher:
        screen.sends.when(.matching { _ in screen.sends.callCount > 0 }.and(.any)).returns(1)
      case .forward: screen.sends.forwards { _ in screen.sends.callCount }
      case .effect: screen.sends.onCall { _ in _ = screen.sends.callCount }
      case .snapshot: screen.sends.recording { text in screen.sends.callCount > 0 ? text : "" }
      case .expectation: screen.sends.when { _ in screen.sends.callCount > 0 }.expects(.once)
      }
      unstubbed(.relaxed, screen)
      _ = screen.sends("hello")
    }
    #expect(found == [])
    #expect(held == nil)
    #expect(sends?.callCount == 1)
  }

  @Test(arguments: [true, false])
  func `a survivor that a double has recorded is told with the call`(isRecorded: Bool) throws {
    var survivor: Screen?
    let found = try violations(.reportsSurvivors) { layer in
      let shows = Spy<(Int, [Screen?]), Void, Never>("show(_:on:)")
      if !isRecorded { shows.keepsLast(0) }
      layer.register(lifecycle: .cached) { Screen() }
      let screen = try layer.resolver.resolve(Screen.self)
      shows(1, [])
      shows(2, [nil, screen])
      survivor = screen
    }
    let lines = found.first?.split(separator: "\n").map(String.init) ?? []
    #expect(found.count == 1)
    #expect(lines.contains { $0.contains("Recorded in  show(2, on: [nil, ") } == isRecorded)
    #expect(
      lines.contains("  • Let the double record less: keepsLast(0).") == isRecorded)
    withExtendedLifetime(survivor) {}
  }

  @Test func `values and errors stay for late calls`() throws {
    let spy = Spy<Int, Int, any Error>("f(_:)")
    spy.does { _ in 3 }
    spy.when(1).returns(1)
    spy.when(2).throws(RepoError.busy)
    try #expect(spy(1) == 1 && spy(3) == 3)
    #expect(throws: RepoError.busy) { try spy(2) }
    #expect(spy.finish() == [])
    try #expect(spy(1) == 1)
    #expect(throws: RepoError.busy) { try spy(2) }
    #expect(throws: Unstubbed.self) { try spy(3) }
  }

  @Test func `an expectation that no layer checks is an issue when the double goes`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      do {
        let sends = Spy<String, Void, Never>("send(_:)")
        sends.when("never").expects(.once)
        let calls = AsyncSpy<Int, Void, Never>("call(_:)")
        calls.expects(2...)
        await calls(1)
      }
      // What was met, verified, finished or adopted is not told again.
      do {
        let met = Spy<Int, Void, Never>("met(_:)")
        met.expects(.once)
        met(1)
        let verified = Spy<Int, Void, Never>("verified(_:)")
        verified.expects(.once)
        _ = try? verified.verify()
        let finished = Spy<Int, Void, Never>("finished(_:)")
        finished.expects(.once)
        _ = finished.finish()
        let adopted = Spy<Int, Void, Never>("adopted(_:)")
        withOverrides { _ in
        } operation: {
          adopted.expects(.once)
          adopted(1)
        }
      }
      precondition(
        heard.calls.sorted() == [
          "call(any arguments) was expected at least twice, and was called once.",
          "send(\"never\") was expected once, and was never called.",
        ], "\(heard.calls)")
    }
  }

  /// The shape of the first guide: the double is made, and told what to expect, above the layer.
  @Test(arguments: [true, false])
  func `an expectation made before the layer is not lost, whether the call is made or not`(
    isCalled: Bool
  ) async {
    await #expect(processExitsWith: .success) { [expected = isCalled as Bool] in
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      func test() throws {
        let mailer = MailerSpy()
        mailer.sends.expects(.once)
        let resolver = Resolver()
        try withOverrides(of: resolver) {
          $0.register(mailer as any Mailer)
        } operation: {
          if expected { try resolver.resolve((any Mailer).self).send("hello") }
        }
      }
      try test()
      precondition(heard.callCount == (expected ? 0 : 1), "\(heard.calls)")
    }
  }

  @Test func `a late call names the layer and the test that owned the double`() {
    var traits = LayerTraits(of: Resolver(), named: "mail layer", on: nil, at: CallSite())
    traits.test = RunningTest(name: "a mail is sent", adoptsEscapedWork: false)
    let layer = OverrideLayer(traits)
    let spy = OverrideLayer.binding(layer) { Spy<Int, Void, Never>("f(_:)") }
    #expect(layer.end() == [])
    spy(1)
    let found = spy.finish()
    #expect(
      found.first?.description.contains(
        "Finished by  layer 'mail layer' of test 'a mail is sent'") == true)
  }

  @Test func `a trap is the last that is printed, and says how to give a value`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withKnownIssue { _ = Spy<Int, Bool, Never>("ping(_:)")(7) }
    }
    let text = result?.standardError ?? ""
    #expect(text.contains("No stub answers ping(7)."))
    #expect(text.contains("placeholder: …, where the double is made"))
    #expect(!text.contains("unstubbed: .relaxed"))
  }

  @Test func `an immediate clock moves to each deadline and waits for none`() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(60))
    try await clock.sleep(until: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(60))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .seconds(60))
  }
}
