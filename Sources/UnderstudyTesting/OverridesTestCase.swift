// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(XCTest)
  public import XCTest

  /// A test case whose methods each run under a fresh layer of overrides.
  ///
  /// `setUp`, the test method and `tearDown`, synchronous or not, all see the layer. It is a boundary:
  /// each method starts with empty caches, and nothing that is made in it is left after it (O5).
  open class OverridesTestCase: XCTestCase {
    private var layer: OverrideLayer?

    /// The resolver that is overridden.
    open var overriddenResolver: Resolver { .main }

    /// Registers what all methods of this case override, anew before each.
    open func overrides(_ layer: OverrideLayer) throws {}

    /// The layer of the running method: register more in the middle of a test.
    public var overrides: OverrideLayer {
      guard let layer else {
        preconditionFailure("'overrides' is there only while a test method runs")
      }
      return layer
    }

    open override func invokeTest() {
      let layer = OverrideLayer(
        of: overriddenResolver, named: name, isBoundary: true, on: nil, at: CallSite())
      self.layer = layer
      defer {
        self.layer = nil
        for violation in layer.end() { violation.fail() }
      }
      do {
        try overrides(layer)
      } catch {
        XCTFail("The overrides of \(name) could not be made: \(error)")
        return
      }
      OverrideLayer.$bound.withValue(layer) { super.invokeTest() }
    }
  }

  extension Violation {
    /// Fails the running test at the place that helps.
    func fail() {
      XCTFail(description, file: callSite.staticFilePath, line: UInt(callSite.line))
    }
  }
#endif
