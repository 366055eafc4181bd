// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  public import Testing

  /// Pushes a layer of overrides for each case of a test, or of every test of a suite.
  ///
  /// Layers of a suite and of its tests stack, the test's innermost. The outermost is a boundary: each
  /// case starts with empty caches, and nothing that is made in it is left after it (O5).
  public struct OverridesTrait: TestTrait, SuiteTrait, TestScoping {
    let resolver: Resolver
    let callSite: CallSite
    let configure: @Sendable (OverrideLayer) throws -> Void

    /// True: a suite's overrides hold for each of its tests.
    public var isRecursive: Bool { true }

    /// The trait itself, for each case of a test; nothing for a suite as a whole.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> OverridesTrait? {
      testCase == nil ? nil : self
    }

    /// Runs one case of a test under a fresh layer, and reports the layer's violations on it.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let layer = OverrideLayer(
        of: resolver, named: test.displayName ?? test.name,
        isBoundary: (OverrideLayer.current?.boundaryLevel ?? 0) == 0, on: .current, at: callSite)
      defer { for violation in layer.end() { violation.record() } }
      try configure(layer)
      try await OverrideLayer.$bound.withValue(layer) { try await function() }
    }
  }

  extension Trait where Self == OverridesTrait {
    /// Pushes a layer of overrides for each case of a test, or of every test of a suite.
    ///
    /// ```swift
    /// @Test(.overrides { $0.register { MailerSpy() as any Mailer } })
    /// ```
    ///
    /// - Parameters:
    ///   - resolver: What is overridden.
    ///   - fileID: Where the layer is pushed.
    ///   - filePath: Where the layer is pushed.
    ///   - line: Where the layer is pushed.
    ///   - column: Where the layer is pushed.
    ///   - configure: Registers what is overridden, anew for each case.
    /// - Returns: The trait.
    public static func overrides(
      of resolver: Resolver = .main, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
      _ configure: @escaping @Sendable (OverrideLayer) throws -> Void
    ) -> OverridesTrait {
      OverridesTrait(
        resolver: resolver,
        callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column),
        configure: configure)
    }
  }

  extension Violation {
    /// Records this on the running test, at the place that helps.
    func record() {
      Issue.record(
        Comment(rawValue: description), severity: severity == .error ? .error : .warning,
        sourceLocation: callSite.sourceLocation)
    }
  }

  extension CallSite {
    var sourceLocation: SourceLocation {
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
#endif
