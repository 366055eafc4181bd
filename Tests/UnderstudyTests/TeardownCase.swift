// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(XCTest)
  import UnderstudyTesting
  import XCTest

  /// Doubles and layers of a case that has no layer.
  final class TeardownCase: XCTestCase {
    private var spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
    private var kept: [Spy<Int, Int, Never>] = []

    /// Too late to be checked at the end of the case, and no reason to end the process.
    override func tearDown() {
      expectNoMoreCalls(spy)
      let late = Spy<Int, Int, Never>("late(_:)", placeholder: 0)
      late.returns(1)
      XCTAssertEqual(late(1), 1)
      let resolver = Resolver()
      let model = withOverrides(of: resolver, until: .endOfTest) {
        $0.register("double")
      } operation: {
        withResolver(resolver) { Inject<String>() }
      }
      XCTAssertEqual(model.wrappedValue, "double")
    }

    func testADoubleOfTearDownIsNotTooLate() {
      spy.returns(3)
      XCTAssertEqual(spy(1), 3)
    }

    /// XCTest reports only the skip.
    func testASkippedTestMissesNothing() throws {
      let other = Spy<Int, Int, Never>("g(_:)", placeholder: 0)
      spy.when(1).returns(2)
      other.expects(.once)
      kept.append(other)
      _ = withOverrides(.strict, until: .endOfTest) {
        $0.register("unused")
      } operation: {
        withResolver(Resolver()) { Inject<Int?>() }
      }
      throw XCTSkip("what was expected did not happen")
    }

    /// A teardown block may still make the expected call.
    func testWhatIsExpectedMayHappenInATeardownBlock() {
      let other = Spy<Int, Int, Never>("g(_:)")
      other.when(1).expects(.once).returns(2)
      kept.append(other)
      addTeardownBlock { _ = other(1) }
    }
  }

  #if !canImport(ObjectiveC)
    /// A case that another case runs.
    private final class InnerCase: XCTestCase {
      private static let order = Lock<[String]>([])
      static func note(_ event: String) { order.withLock { $0.append(event) } }
      static var events: [String] { order.withLock { $0 } }
      static func forget() { order.withLock { $0 = [] } }

      func passes() {
        withOverrides(until: .endOfTest) {
          $0.onDispose { InnerCase.note("inner") }
        } operation: {
        }
      }

      override func setUp() { InnerCase.note("set up") }
      override func tearDown() { InnerCase.note("tear down") }
    }

    /// Each case has the work of its own end.
    final class OuterCase: XCTestCase {
      private var expected: [String] = []

      /// On Linux, XCTest loses an assertion after the end of the inner case.
      private func check(_ events: [String], line: Int = #line) {
        if InnerCase.events == events { return }
        recordFailure(
          withDescription: "\(InnerCase.events) is not \(events).", inFile: #filePath, atLine: line,
          expected: true)
      }

      private func keepLayer() {
        withOverrides(until: .endOfTest) {
          $0.onDispose { InnerCase.note("outer") }
        } operation: {
        }
      }

      private func runInnerCase() {
        InnerCase(name: "passes") { ($0 as? InnerCase)?.passes() }.run()
      }

      override func setUp() { InnerCase.forget() }
      override func tearDown() { check(expected) }

      func testACaseWithinACaseEndsBeforeIt() {
        runInnerCase()
        check(["set up", "inner", "tear down"])
        keepLayer()
        expected = ["set up", "inner", "tear down", "outer"]
      }

      /// The layer of the inner case is pushed on that of the outer one, and ends with it.
      func testACaseWithinALayerThatACaseKeepsLeavesItToTheEndOfThatCase() {
        keepLayer()
        runInnerCase()
        check(["set up", "tear down"])
        expected = ["set up", "tear down", "inner", "outer"]
      }
    }
  #endif

  /// The layer of each method, with objects that are gone at its end.
  final class EndOfCase: OverridesTestCase {
    private final class Coordinator {}
    private final class Screen {
      unowned let owner: Coordinator
      init(_ owner: Coordinator) { self.owner = owner }
    }
    private final class Sale {
      @Inject(named: "gross") var tax: Int
    }

    private var coordinator: Coordinator?
    private var screen: Screen?
    private var sale: Sale?
    private let closed = Lock<[String]>([])

    override func overrides(_ layer: OverrideLayer) {
      layer.register(1, named: "net")
      layer.register(2, named: "gross")
    }

    override func setUp() {
      let coordinator = Coordinator()
      self.coordinator = coordinator
      screen = Screen(coordinator)
      sale = Sale()
    }

    override func tearDown() { coordinator = nil }

    /// Nothing is read through the screen's reference, which has no object any more.
    func testAnObjectMayOutliveItsOwner() {
      XCTAssertNotNil(screen)
      XCTAssertEqual(sale?.tax, 2)
    }

    /// The layer that was left to the end of the method is disposed of first, and waited for.
    func testALayerThatIsLeftToTheEndIsDisposedOfFirst() {
      let closed = closed
      overrides.onDispose { closed.withLock { $0.append("outer") } }
      withOverrides(until: .endOfTest) {
        $0.onDispose { () async in
          await Task.yield()
          closed.withLock { $0.append("inner") }
        }
      } operation: {
      }
      addTeardownBlock { XCTAssertEqual(closed.withLock { $0 }, []) }
    }

    override func invokeTest() {
      super.invokeTest()
      let closed = closed.withLock { $0 }
      if !closed.isEmpty { XCTAssertEqual(closed, ["inner", "outer"]) }
    }
  }
#endif
