// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// Doubles of static requirements.
extension Spy where Arguments: Sendable, Output: Sendable {
  /// The double of a static requirement, kept by the outermost layer of the test: parallel tests do not share it, and
  /// all layers that are pushed in the test do.
  ///
  /// ```swift
  /// static var nows: Spy<Void, Int, Never> { .static(of: Self.self, "now()") }
  /// static func now() -> Int { nows() }
  /// ```
  ///
  /// Where there is no layer, the process keeps it.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it; also what tells it from the owner's other ones.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Spy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      Spy(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// The double of a static requirement, with a value that a call returns which no stub answers.
  ///
  /// Such a call is still a violation, unless the policy is `.relaxed`.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it; also what tells it from the owner's other ones.
  /// - `placeholder`: The value; it is made with the double.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, placeholder: @autoclosure () -> Output,
    unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Spy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      Spy(
        name, placeholder: placeholder(), unstubbed: unstubbed, fileID: fileID, filePath: filePath,
        line: line, column: column)
    }
  }
}

extension AsyncSpy where Arguments: Sendable, Output: Sendable {
  /// The double of a static requirement, kept by the outermost layer of the test: parallel tests do not share it, and
  /// all layers that are pushed in the test do.
  ///
  /// Where there is no layer, the process keeps it.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it; also what tells it from the owner's other ones.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> AsyncSpy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      AsyncSpy(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// The double of a static requirement, with a value that a call returns which no stub answers.
  ///
  /// Such a call is still a violation, unless the policy is `.relaxed`.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it; also what tells it from the owner's other ones.
  /// - `placeholder`: The value; it is made with the double.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, placeholder: @autoclosure () -> Output,
    unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> AsyncSpy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      AsyncSpy(
        name, placeholder: placeholder(), unstubbed: unstubbed, fileID: fileID, filePath: filePath,
        line: line, column: column)
    }
  }
}

extension LayerDoubles {
  static func `static`<Double: Sendable & Verifiable>(
    of owner: Any.Type, _ name: String, at callSite: CallSite, make: () -> Double
  ) -> Double {
    let key = StaticKey(
      owner: ObjectIdentifier(owner), name: name, kind: ObjectIdentifier(Double.self))
    guard let layer = OverrideLayer.ofCaller?.outermostThatEnds else {
      reportEscape(key, owner, at: callSite)
      return process.static(key, make: make)
    }
    return of(layer).static(key) {
      // Made under no layer, it is the outermost one's that it is used under; neither that of a request, nor that of an
      // instance which is being made.
      let double = OverrideLayer.binding(nil, operation: make)
      if layer.scope.isEnded { _ = double.finish() }
      return double
    }
  }

  /// Says so if work that belongs to no test asks for what running tests have used, and gets the process's own (O3).
  private static func reportEscape(_ key: StaticKey, _ owner: Any.Type, at callSite: CallSite) {
    guard OverrideLayer.areAnyAlive, let host = TestHosts.current,
      host.testOfCallingTask() == nil
    else { return }
    let layers = LiveLayers.all.filter { existing(of: $0)?.has(key) ?? false }
    guard !layers.isEmpty else { return }
    let tests = layers.sorted { $0.serial < $1.serial }.map { "'\($0.name)'" }
    TestHosts.reportOnRun(
      Violation(
        Message(
          "\(owner).\(key.name) was used by work that belongs to no test, and "
            + (tests.count == 1 ? "a running test has" : "running tests have")
            + " a double of its own.",
          facts: [
            Message.Fact("Double", "\(callSite)"),
            Message.Fact("Used by", tests.joined(separator: "\n")),
          ],
          remedies: [
            "Carry the context:  let context = OverrideContext.current … context.run { … }"
          ]),
        at: callSite),
      about: layers)
  }
}
