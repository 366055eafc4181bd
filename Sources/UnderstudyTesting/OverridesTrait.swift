// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  public import Testing

  /// Pushes a layer of overrides for each case of a test, or of every test of a suite.
  ///
  /// The layers of a suite and of its tests stack, and the test's own layer is the innermost. The
  /// outermost layer is a boundary: each case starts with empty caches, and no instance outlives
  /// it.
  public struct OverridesTrait: TestTrait, SuiteTrait, TestScoping {
    let options: OverrideOptions
    let resolver: Resolver
    let adoptsEscapedWork: Bool
    let isEnforced: Bool
    let allowed: [any Any.Type]
    let callSite: CallSite
    let configure: @Sendable (OverrideLayer) async throws -> Void

    private let attachment = TraitAttachment()

    /// Always `true`: a suite's overrides hold for each of its tests.
    public var isRecursive: Bool { true }

    /// Returns the trait itself, for each case of a test and for a suite as a whole. The suite as a
    /// whole has no layer.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> OverridesTrait? {
      testCase == nil && !test.isSuite ? nil : self
    }

    /// The layers of the enclosing traits.
    @TaskLocal private static var enclosing: [OverrideLayer] = []

    /// Runs one case of a test under a fresh layer, and reports the layer's violations on it.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      guard testCase != nil else {
        return try await attachment.withSuite(test, performing: function)
      }
      try await attachment.withNext { isSuites in
        try await provideLayer(for: test, testCase, isSuites: isSuites, performing: function)
      }
    }

    /// Runs the case under a layer. A test need not use all overrides of its suite.
    private func provideLayer(
      for test: Test, _ testCase: Test.Case?, isSuites: Bool,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let outer = OverrideLayer.current
      var traits = LayerTraits(
        of: resolver, named: test.displayName ?? test.name, on: outer, at: callSite)
      traits.test = RunningTest(test, adoptsEscapedWork: adoptsEscapedWork)
      traits.apply(
        options, enforce: isEnforced, allowing: allowed,
        isBoundary: outer?.hasBoundary != true)
      let layer = OverrideLayer(traits)
      let hasFailed = Lock(false)
      try await noting(hasFailed, in: test, testCase) {
        do {
          if isSuites {
            try await SharedSetUp.$isRunning.withValue(true) { try await register(on: layer) }
            layer.markShared()
          } else {
            try await register(on: layer)
          }
          try await OverridesTrait.$enclosing.withValue(OverridesTrait.enclosing + [layer]) {
            try await OverrideLayer.binding(layer) { try await function() }
          }
        } catch {
          let isSkip = ProcessTestHost().isSkip(error)
          if isSkip {
            layer.noteNotRun()
          } else {
            hasFailed.withLock { $0 = true }
          }
          await finish(layer, hasFailed)
          throw error
        }
        await finish(layer, hasFailed)
      }
    }

    /// Registers the overrides. If that fails, the test does not run. So the overrides of outer
    /// traits are not reported as unused, either.
    private func register(on layer: OverrideLayer) async throws {
      do {
        try await configure(layer)
      } catch {
        for outer in layer.stack { outer.noteNotRun() }
        throw error
      }
    }

    /// Runs the disposers, reports the violations, and attaches the log of the layer to a failing
    /// test.
    private func finish(_ layer: OverrideLayer, _ hasFailed: Lock<Bool>) async {
      // A cancelled test may have ended before it used its overrides.
      if Task.isCancelled { layer.noteCancelled() }
      await layer.dispose()
      let violations = layer.end()
      for violation in violations { violation.recordIssue() }
      // The log of the next layer includes this one.
      let isWithin = OverridesTrait.enclosing.contains { $0 === layer.nextOfLineage }
      guard hasFailed.withLock({ $0 }), !isWithin else { return }
      // The name of a file has no slash, and at most 255 bytes.
      var name = String(layer.name.map { $0 == "/" ? ":" : $0 })
      while name.utf8.count > 200 { name.removeLast() }
      Attachment.record(
        layer.log.tree(isColored: false), named: "Resolutions under '\(name)'.txt")
    }

    fileprivate func isAttached(to attachment: TraitAttachment) -> Bool {
      self.attachment === attachment
    }
  }

  /// Runs `body` and notes whether an issue fails the test in the meantime, to attach its log.
  private func noting(
    _ hasFailed: Lock<Bool>, in test: Test, _ testCase: Test.Case?,
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      // An issue of the run is shown to every live test, but belongs to none.
      guard Test.current != nil else { return nil }
      if issue.isFailure { hasFailed.withLock { $0 = true } }
      return issue
    }
    try await watch.provideScope(for: test, testCase: testCase, performing: body)
  }

  /// Tells whether a trait comes from a suite or from the test. One trait value may be attached to
  /// both.
  ///
  /// A test has its suites' traits before its own, and each trait runs inside the one before it.
  private final class TraitAttachment: Sendable {
    /// How often the enclosing suites have each trait, and how many of those the running case has
    /// entered so far.
    @TaskLocal private static var ofSuite: [ObjectIdentifier: Int] = [:]
    @TaskLocal private static var soFar: [ObjectIdentifier: Int] = [:]

    private var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// Runs the contents of a suite that has the trait.
    func withSuite(
      _ suite: Test, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let count = suite.traits.count { ($0 as? OverridesTrait)?.isAttached(to: self) ?? false }
      var counts = TraitAttachment.ofSuite
      counts[id] = count
      try await TraitAttachment.$ofSuite.withValue(counts) { try await function() }
    }

    /// Runs the rest of a test case inside the trait, and passes true if the trait is its suite's.
    func withNext(_ body: (Bool) async throws -> Void) async throws {
      guard let count = TraitAttachment.ofSuite[id] else { return try await body(false) }
      var counts = TraitAttachment.soFar
      let number = counts[id, default: 0]
      counts[id] = number + 1
      try await TraitAttachment.$soFar.withValue(counts) { try await body(number < count) }
    }
  }

  extension Trait where Self == OverridesTrait {
    /// Pushes a layer of overrides for each case of a test, or of every test of a suite.
    ///
    /// ```swift
    /// @Test(.overrides { $0.register { MailerSpy() as any Mailer } })
    /// @Suite(.overrides(.strict))
    /// ```
    ///
    /// - Parameters:
    ///   - options: The checks of the layer: `.strict`, `[.strict, .reportsSurvivors]`.
    ///   - resolver: The overridden resolver.
    ///   - adoptsEscapedWork: True if work that lost its context belongs to this test while no
    ///     other test with a layer is live. Use it in suites that are serialized.
    ///   - enforce: True if the override of a key that production does not know is an error.
    ///   - allowed: The types that may fall through to production under `.strict`.
    ///   - configure: Registers the overrides, for each case anew. It may suspend. Without it, the
    ///     layer only has its checks.
    public static func overrides(
      _ options: OverrideOptions = [], of resolver: Resolver = .main,
      adoptsEscapedWork: Bool = false, enforce: Bool = false, allowing allowed: any Any.Type...,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
      column: Int = #column,
      _ configure: @escaping @Sendable (OverrideLayer) async throws -> Void = { _ in }
    ) -> OverridesTrait {
      OverridesTrait(
        options: options, resolver: resolver, adoptsEscapedWork: adoptsEscapedWork,
        isEnforced: enforce, allowed: allowed,
        callSite: CallSite(fileID, filePath, line, column),
        configure: configure)
    }

    /// Not for use: the compiler picks it, and names the brackets to write.
    @available(*, unavailable, message: "write the brackets: '.overrides()'")
    public static var overrides: OverridesTrait {
      fatalError("The compiler accepts no use of this.")
    }

    /// Pushes a layer that overrides one declared dependency. The double is evaluated anew for each
    /// case that requests it.
    ///
    /// ```swift
    /// @Test(.override(\.clock, with: ManualClock()))
    /// ```
    public static func override<Value: Sendable>(
      _ dependency: @escaping @Sendable (Dependencies.Type) -> Dependency<Value>,
      with double: @autoclosure @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) -> OverridesTrait {
      overrides(fileID: fileID, filePath: filePath, line: line, column: column) {
        $0.override(
          dependency, with: double(), fileID: fileID, filePath: filePath, line: line,
          column: column)
      }
    }

    /// Pushes a layer that overrides one declared dependency. The block runs as often as production
    /// would create its value.
    ///
    /// ```swift
    /// @Test(.override(\.mailer) { MailerSpy() })
    /// ```
    public static func override<Value>(
      _ dependency: @escaping @Sendable (Dependencies.Type) -> Dependency<Value>,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
      column: Int = #column, _ block: @escaping @Sendable () throws -> Value
    ) -> OverridesTrait {
      overrides(fileID: fileID, filePath: filePath, line: line, column: column) {
        $0.override(
          dependency, fileID: fileID, filePath: filePath, line: line, column: column, block)
      }
    }
  }
#endif
