// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
@testable import UnderstudyDoubles

private final class Screen: Sendable {
  let sends = Spy<String, Int, Never>("send(_:)", placeholder: 0)
  let loads = AsyncSpy<Int, Int, Never>("load(_:)", placeholder: 0)
  let shows = Spy<Screen?, Void, Never>("show(_:)")
  let sizes = Spy<(Int, Size), Void, Never>("size(_:_:)")
  let opens = Spy<(Int, @Sendable () -> Void), Void, Never>("open(_:then:)")
  let parents = SpyProperty<Screen?>("parent", nil)
  let titles = SpyProperty<String?>("title", nil)
  let sizeOfParent = SpyProperty<Size?>("sizeOfParent", nil)
}

extension Screen: Equatable {
  static func == (left: Screen, right: Screen) -> Bool { left === right }
}

private struct Size {
  let width: Int
  let names: [String: [Int]]
}

/// What a double retains and reports at its end, and afterwards.
@Suite(.strayViolationsKept) struct EndTests {
  enum Holder: CaseIterable {
    case handler, suspending, predicate, matcher, forward, effect, snapshot, expectation
    case object, equalObject, oneOfObjects
  }

  @Test(arguments: Holder.allCases)
  private func `a double releases the closures that it was given`(holder: Holder) {
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
      case .object: screen.shows.when(.identical(to: screen)).returns()
      case .equalObject: screen.shows.when(.equal(screen)).returns()
      case .oneOfObjects: screen.shows.when(.oneOf(nil, screen)).returns()
      case .forward: screen.sends.forwards { _ in screen.sends.callCount }
      case .effect: screen.sends.onCall { _ in _ = screen.sends.callCount }
      case .snapshot: screen.sends.recording { text in screen.sends.callCount > 0 ? text : "" }
      case .expectation: screen.sends.when { _ in screen.sends.callCount > 0 }.expects(.once)
      }
      unstubbed(.relaxed, screen)
      _ = screen.sends("hello")
      screen.shows.keepsLast(0)
      screen.shows(screen)
    }
    #expect(found == [])
    #expect(held == nil)
    #expect(sends?.callCount == 1)
  }

  @Test(arguments: [true, false])
  func `a retained object that a double has recorded is reported with the call`(isRecorded: Bool)
    throws
  {
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

  @Test func `a retained object that a generic double has recorded is reported with the call`()
    throws
  {
    var survivor: Screen?
    let found = try violations(.reportsSurvivors) { layer in
      let shows = GenericSpy<Screen>("show(_:)")
      shows.returns(true)
      layer.register(lifecycle: .cached) { Screen() }
      let screen = try layer.resolver.resolve(Screen.self)
      #expect(shows.value(screen, as: Bool.self))
      survivor = screen
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("Recorded in  show(") == true, "\(found)")
    withExtendedLifetime(survivor) {}
  }

  @Test func `a stub whose matcher had an object answers late calls`() throws {
    let screen = Screen()
    let (shows, decodes) = (
      Spy<Screen, ContinuousClock, Never>("show(_:)"), GenericSpy<Screen>("decode(from:)")
    )
    let clock = ContinuousClock()
    let found = violations { _ in
      shows.when(.identical(to: screen)).returns(clock)
      decodes.when(.identical(to: screen)).returns(7)
      _ = shows(screen)
      #expect((try? decodes(screen, as: Int.self)) == 7)
    }
    #expect(found == [])
    let late = try violations { _ in
      _ = shows(screen)
      try #expect(decodes(screen, as: Int.self) == 7)
    }
    #expect(late.count == 2)
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

  @Test func `an expectation that no layer checks is an issue when the double is released`() async {
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
      // A double that was verified, finished or adopted, or whose expectation is met, reports
      // nothing again.
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

  @Test func `a process may create any number of doubles without a layer`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      // Each double asks for the listener.
      for _ in 1...200_000 { _ = StrayViolations.listener }
      Spy<Int, Void, Never>("f(_:)").expects(.once)
      precondition(heard.calls == ["f(any arguments) was expected once, and was never called."])
    }
  }

  @Test func `a double that work of an ended layer uses first keeps its findings`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      var context: OverrideContext?
      withOverrides { _ in
      } operation: {
        context = OverrideContext.current
      }
      do {
        let early = Spy<Int, Void, Never>("early(_:)")
        context?.run { early.expects(2) }
      }
      precondition(
        heard.calls == ["early(any arguments) was expected twice, and was never called."],
        "\(heard.calls)")
    }
  }

  @Test func `a double whose calls were forgotten has no unused stub when it is released`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      do {
        let called = Spy<Int, Int, Never>("called(_:)", placeholder: 0, unstubbed: .relaxed)
        _ = called(1)
        called.returns(2)
        _ = called(2)
        called.forgetCalls()
        let uncalled = Spy<Int, Int, Never>("uncalled(_:)")
        uncalled.returns(1)
        uncalled.forgetCalls()
        let reset = Spy<Int, Int, Never>("reset(_:)", placeholder: 0, unstubbed: .relaxed)
        _ = reset(1)
        reset.forgetCalls()
        reset.reset()
        reset.returns(1)
      }
      precondition(
        heard.calls.sorted() == [
          "The stub of reset(any arguments) answered no call.",
          "The stub of uncalled(any arguments) answered no call.",
        ], "\(heard.calls)")
    }
  }

  @Test func `a double that was verified is not checked at the end of the process`() async {
    await #expect(processExitsWith: .success) {
      StrayViolations.listener = { _ in }
      let spy = Spy<Int, Void, Never>("f(_:)")
      spy.expects(.never)
      weak var held: Screen?
      do {
        let screen = Screen()
        held = screen
        // This takes the place of the double's own check.
        checkAtExit(for: ObjectIdentifier(spy.recorder)) { withExtendedLifetime(screen) { [] } }
      }
      precondition(held != nil)
      try spy.verify()
      precondition(held == nil)
    }
  }

  /// The shape of the first guide: the double is created and told its expectations outside the
  /// layer.
  @Test(arguments: [true, false])
  func `an expectation from before the layer is checked, whether or not the call is made`(
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

  /// Ends a layer like the one that an adapter pushes for a test, with a double that it owns.
  private func ended(isOfTest: Bool = true, _ body: (Screen) -> Void) -> Screen {
    var traits = LayerTraits(of: Resolver(), named: "test", on: nil, at: CallSite())
    traits.test = RunningTest(name: "a screen is shown", adoptsEscapedWork: false)
    traits.isBoundary = isOfTest
    let layer = OverrideLayer(traits)
    let screen = OverrideLayer.binding(layer) {
      let screen = Screen()
      body(screen)
      return screen
    }
    #expect(layer.end() == [])
    return screen
  }

  /// Logs its end.
  private final class Closing: Sendable {
    let log: Spy<String, Void, Never>
    init(_ log: Spy<String, Void, Never>) { self.log = log }
    deinit { log("closed") }
  }

  private final class Closings: Sendable {
    let shows = Spy<Closing, Void, Never>("show(_:)")
    let makes = Spy<Void, Closing, Never>("make()")
    let parents = SpyProperty<Closing?>("parent", nil)
    let current: Lock<SpyProperty<Closing>?> = Lock(nil)
  }

  enum Keeper: CaseIterable { case argument, optionalValue, value, output, handler, effect, stub }

  /// The layer releases the object, whichever double is finished first.
  @Test(arguments: Keeper.allCases, [true, false])
  func `an object that a double has held calls a double at its end`(
    keeper: Keeper, isLogFirst: Bool
  ) {
    var traits = LayerTraits(of: Resolver(), named: "test", on: nil, at: CallSite())
    traits.test = RunningTest(name: "a screen is closed", adoptsEscapedWork: false)
    traits.isBoundary = true
    let layer = OverrideLayer(traits)
    // The log outlives the layer, and the holder does not.
    let log = OverrideLayer.binding(layer) {
      let early = isLogFirst ? Spy<String, Void, Never>("log(_:)") : nil
      let holder = Closings()
      let log = early ?? Spy<String, Void, Never>("log(_:)")
      unstubbed(.relaxed, holder)
      // Also for a strict double that is finished before.
      if isLogFirst, keeper == .handler { log.strict() }
      let closing = Closing(log)
      switch keeper {
      case .argument: holder.shows(closing)
      case .optionalValue: holder.parents.value = closing
      case .value: holder.current.withLock { $0 = SpyProperty("current", closing) }
      case .output: holder.makes.returns(closing).optional()
      case .handler: holder.makes.does { closing }.optional()
      case .effect: holder.parents.gets.onCall { _ in withExtendedLifetime(closing) {} }
      case .stub: holder.shows.when(.identical(to: closing)).returns().optional()
      }
      // An ordinary call, as far as the test can know: the object is released before the end.
      if keeper == .argument || keeper == .optionalValue { log.expects(.once) }
      return log
    }
    #expect(layer.end().map(\.description) == [])
    #expect(log.finish() == [])
    #expect(log.calls == ["closed"])
  }

  @Test func `an object in a call of a nested layer's double calls a double at its end`() {
    var traits = LayerTraits(of: Resolver(), named: "test", on: nil, at: CallSite())
    traits.test = RunningTest(name: "a screen is closed", adoptsEscapedWork: false)
    traits.isBoundary = true
    let outer = OverrideLayer(traits)
    let log = OverrideLayer.binding(outer) {
      let log = Spy<String, Void, Never>("log(_:)")
      log.expects(.once)
      return log
    }
    let inner = OverrideLayer(
      LayerTraits(of: Resolver(), named: "scope", on: outer, at: CallSite()))
    let shows = OverrideLayer.binding(inner) {
      let shows = Spy<Closing, Void, Never>("show(_:)")
      shows(Closing(log))
      return shows
    }
    #expect(inner.end() == [])
    #expect(log.callCount == 0)
    #expect(outer.end().map(\.description) == [])
    #expect(log.calls == ["closed"])
    withExtendedLifetime(shows) {}
  }

  @Test func `calls with objects are released with the test, and reading them is an issue`() {
    let screen = ended { screen in
      screen.shows(screen)
      screen.shows(nil)
      screen.shows(screen)
    }
    #expect(screen.shows.callCount == 3)
    #expect(screen.shows.finish() == [])
    #expect(screen.shows.calls.count == 1)
    let found = screen.shows.finish().map(\.description)
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "2 calls of show(_:) were released at the end of the test, with the objects in their arguments."
      ) == true, "\(found)")
    #expect(
      found.first?.contains("Finished by  layer 'test' of test 'a screen is shown'") == true)
    // A forgotten call is not reported as read too late.
    screen.shows.forgetCalls()
    #expect(screen.shows.calls.isEmpty)
    #expect(screen.shows.finish() == [])
  }

  @Test func `calls of a double of a nested layer are released with the outermost layer`() {
    var traits = LayerTraits(of: Resolver(), named: "test", on: nil, at: CallSite())
    traits.test = RunningTest(name: "a screen is shown", adoptsEscapedWork: false)
    traits.isBoundary = true
    let outer = OverrideLayer(traits)
    let inner = OverrideLayer(
      LayerTraits(of: Resolver(), named: "scope", on: outer, at: CallSite()))
    let screen = OverrideLayer.binding(inner) {
      let screen = Screen()
      screen.shows(screen)
      return screen
    }
    #expect(inner.end() == [])
    #expect(screen.shows.calls.count == 1)
    #expect(outer.end() == [])
    #expect(screen.shows.calls.isEmpty)
    #expect(screen.shows.finish().count == 1)
  }

  @Test func `misuse of a fake without a layer is reported as misuse of a double is`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      let source = UUIDSource.scripted(5)
      for _ in 1...2 { _ = source.nextText() }
      precondition(heard.callCount == 1, "\(heard.calls)")
    }
  }

  @Test func `a recorded closure is released with the test, and with the objects that it retains`()
  {
    weak let held = ended { screen in
      screen.opens(1) { _ = screen.sends.callCount }
    }
    #expect(held == nil)
  }

  @Test func `calls without objects stay after the end of the test`() {
    let screen = ended { screen in
      screen.sends.returns(1)
      _ = screen.sends("hello")
      screen.sizes(1, Size(width: 2, names: ["a": [3]]))
    }
    #expect(screen.sends.calls == ["hello"])
    #expect(screen.sizes.calls.map(\.1.width) == [2])
    #expect(screen.sends.finish() == [] && screen.sizes.finish() == [])
  }

  @Test func `a long call of plain values needs no search for objects`() {
    var uploads: Spy<([Int], String), Void, Never>?
    _ = ended { _ in
      uploads = Spy("upload(_:_:)")
      uploads?(Array(0..<12_000), "numbers")
    }
    #expect(uploads?.calls.map(\.0.count) == [12_000])
    #expect(uploads?.finish() == [])
  }

  @Test func `calls stay after a layer that a test pushes itself`() {
    let screen = ended(isOfTest: false) { screen in screen.shows(screen) }
    #expect(screen.shows.calls.count == 1)
    #expect(screen.shows.finish() == [])
    screen.shows.forgetCalls()
  }

  @Test func `a long history of calls without objects stays after the end of the test`() {
    let screen = ended { screen in
      for number in 0..<12_000 { screen.sizes(number, Size(width: 0, names: [:])) }
    }
    #expect(screen.sizes.calls.count == 12_000)
    #expect(screen.sizes.finish() == [])
  }

  @Test func `a call whose arguments are too large to search is released alone`() {
    let screen = ended { screen in
      let names = (0..<12_000).map { ("\($0)", [$0]) }
      screen.sizes(1, Size(width: 1, names: Dictionary(uniqueKeysWithValues: names)))
      screen.sizes(2, Size(width: 2, names: ["a": [3]]))
    }
    #expect(screen.sizes.callCount == 2)
    #expect(screen.sizes.calls.map(\.0) == [2])
    #expect(screen.sizes.finish().count == 1)
  }

  @Test func `a property holds an optional object weakly after the end of the test`() {
    var model: Screen? = Screen()
    let screen = ended { screen in
      screen.parents.value = model
      screen.titles.value = "a"
      screen.sizeOfParent.value = Size(width: 3, names: [:])
    }
    #expect(screen.parents.get() === model)
    weak let held = model
    model = nil
    #expect(held == nil)
    #expect(screen.parents.get() == nil)
    #expect(screen.titles.get() == "a")
    #expect(screen.sizeOfParent.get()?.width == 3)
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

  @Test func `a trap's message is the last line printed, and says how to give a value`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withKnownIssue { _ = Spy<Int, ContinuousClock, Never>("ping(_:)")(7) }
    }
    let text = result?.standardError ?? ""
    let last = text.split(separator: "Fatal error:").last ?? ""
    #expect(last.contains("No stub answers ping(7)."))
    #expect(last.contains("placeholder: …, where you write the spy yourself"))
    #expect(!last.contains("unstubbed"))
    #expect(!last.contains("recorded a"), "\(last)")
  }

  enum Stubbed: CaseIterable { case handler, forward, nothing }

  @Test(arguments: Stubbed.allCases)
  func `the message of a late call that traps says that the handlers were released`(
    stubbed: Stubbed
  ) async {
    let index = Stubbed.allCases.firstIndex(of: stubbed) ?? 0
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [index = index as Int] in
      let nows = Spy<Int, ContinuousClock, Never>("now(_:)")
      switch Stubbed.allCases[index] {
      case .handler: nows.does { _ in ContinuousClock() }
      case .forward: nows.forwards { _ in ContinuousClock() }
      case .nothing: break
      }
      if Stubbed.allCases[index] != .nothing { _ = nows(1) }
      _ = nows.finish()
      withKnownIssue { _ = nows(2) }
    }
    let last = result?.standardError.split(separator: "Fatal error:").last ?? ""
    #expect(last.contains("now(2) was called after its double was finished."), "\(last)")
    #expect(last.contains("its handlers and predicates, when") == (stubbed != .nothing))
    #expect(last.contains("For a late call:  .returns(…), or placeholder: …"), "\(last)")
    #expect(!last.contains("No stub answers"))
  }

  @Test func `a double that its layer can no longer finish is checked without the layer`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      let layer = OverrideLayer(
        LayerTraits(of: Resolver(), named: "ending", on: nil, at: CallSite()))
      do {
        let spy = Spy<Int, Void, Never>("f(_:)")
        // A layer that ends asks for further participants once, and this one is later.
        let later = LayerEnd {
          OverrideLayer.binding(layer) { spy.expects(.once) }
          return []
        }
        let first = LayerEnd {
          layer.adopt(later)
          return []
        }
        layer.adopt(first)
        precondition(layer.end() == [])
      }
      precondition(
        heard.calls == ["f(any arguments) was expected once, and was never called."],
        "\(heard.calls)")
    }
  }

  @Test func `an immediate clock moves to each deadline without waiting`() async throws {
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
