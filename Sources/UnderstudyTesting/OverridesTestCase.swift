// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(XCTest)
  public import XCTest

  /// A test case whose methods each run under a fresh layer of overrides.
  ///
  /// `setUp`, the test method and `tearDown`, synchronous or not, all see the layer. It is a
  /// boundary: each method starts with empty caches, and no instance outlives it. Work that escapes
  /// a method belongs to it, since one method runs at a time.
  ///
  /// The stored properties of the case are read before `setUp`, to tell of doubles that come too
  /// late for them. One that is `unowned` and whose object is gone ends the process then.
  open class OverridesTestCase: XCTestCase {
    /// Locked, because work that escapes may read it at any time.
    private let layer = Lock<OverrideLayer?>(nil)
    /// The skip that the overrides threw, before XCTest gets it.
    private var skip: XCTSkip?

    /// The resolver that is overridden.
    open var overriddenResolver: Resolver { .main }

    /// The checks of the layers: `.strict`, `[.strict, .reportsSurvivors]`.
    open var overrideOptions: OverrideOptions { [] }

    /// The types that may fall through to production under `.strict`.
    open var allowedTypes: [any Any.Type] { [] }

    /// Registers the overrides of the methods. It runs before each method. If it throws `XCTSkip`,
    /// the method is skipped.
    open func overrides(_ layer: OverrideLayer) throws {}

    /// The layer of the running method. Register more overrides on it in the middle of a test.
    ///
    /// Before and after the method, it is a layer that has ended. A registration on such a layer is
    /// an issue.
    public var overrides: OverrideLayer { layer.withLock { $0 } ?? endedLayer() }

    /// An ended layer that belongs to no test, so that it does not count as live.
    private func endedLayer() -> OverrideLayer {
      var traits = traits(of: nil)
      (traits.outer, traits.test) = (nil, nil)
      let layer = OverrideLayer(traits)
      _ = layer.end()
      return layer
    }

    private func traits(of test: RunningTest?) -> LayerTraits {
      var traits = LayerTraits(of: overriddenResolver, named: name, on: .current, at: .unknown)
      traits.test = test
      traits.apply(overrideOptions, enforce: false, allowing: allowedTypes, isBoundary: true)
      return traits
    }

    /// Runs the method, with `setUp` and `tearDown`, under a fresh layer, and reports the layer's
    /// violations on it.
    open override func invokeTest() {
      let test = RunningTest(name: name, adoptsEscapedWork: true, file: "")
      let layer = OverrideLayer(traits(of: test))
      self.layer.withLock { $0 = layer }
      let early = configure(layer) ? invokeTest(under: layer) : nil
      // A disposer may request an instance with an asynchronous disposer.
      layer.disposeNow(leavingAsynchronous: true)
      if layer.needsToWait { waitForDisposal(of: layer) }
      self.layer.withLock { $0 = nil }
      if let early { layer.note(early) }
      for violation in layer.end() { violation.fail(in: self) }
    }

    /// Registers the overrides. Returns `false` after an error, which fails the case.
    private func configure(_ layer: OverrideLayer) -> Bool {
      do {
        try SharedSetUp.$isRunning.withValue(true) { try overrides(layer) }
      } catch let error as XCTSkip {
        layer.noteNotRun()
        skip = error
      } catch {
        layer.noteNotRun()
        let message = Message(
          "The overrides of \(name) could not be made.",
          facts: [Message.Fact("Error", "\(error)")])
        let place = (error as? ResolutionError)?.callSite ?? .unknown
        Violation(message, at: place).fail(in: self)
        return false
      }
      return true
    }

    /// Runs the method. Returns the properties that were injected before its layer.
    private func invokeTest(under layer: OverrideLayer) -> EarlyInjections? {
      layer.markShared()
      let early =
        layer.sharedOverrides.isEmpty
        ? nil : EarlyInjections(of: self, upTo: OverridesTestCase.self)
      OverrideLayer.binding(layer) { super.invokeTest() }
      if testRun?.hasBeenSkipped == true { layer.noteNotRun() }
      if skip != nil {
        let message = Message(
          "\(name) could not be skipped by its overrides.",
          remedies: ["Call 'super' in its 'setUp() async throws' and its 'setUpWithError()'."])
        Violation(message, at: .unknown).fail(in: self)
      }
      return early
    }

    /// Skips the method if `overrides(_:)` has thrown `XCTSkip`.
    nonisolated(nonsending) open override func setUp() async throws { try skipIfTold() }

    /// Skips the method if `overrides(_:)` has thrown `XCTSkip`.
    open override func setUpWithError() throws { try skipIfTold() }

    /// XCTest accepts a skip from `setUp`. A test case may override one of its forms without
    /// calling `super`, so both forms throw.
    private func skipIfTold() throws {
      defer { skip = nil }
      if let skip { throw skip }
    }

    /// XCTest calls a method synchronously, but asynchronous disposers must end before the next one
    /// begins. The run loop turns while this waits, so disposers may use the main actor.
    private func waitForDisposal(of layer: OverrideLayer) {
      let isDisposed = XCTestExpectation(description: "what \(layer.name) made is disposed of")
      Task {
        await layer.dispose()
        isDisposed.fulfill()
      }
      _ = XCTWaiter().wait(for: [isDisposed], timeout: .greatestFiniteMagnitude)
    }
  }
#endif
