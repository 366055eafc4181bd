// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting
import XCTest

private let resolver = {
  let resolver = Resolver()
  resolver.register { "live" }
  return resolver
}()

private final class Plain: Sendable {
  func text() throws -> String { try resolver.resolve() }
}

private class Model {
  @Inject var injected: String
  func text() throws -> String { try resolver.resolve() }
  func child() -> Child { withOverrides(from: self) { withResolver(resolver) { Child() } } }
  func plainChild() -> Child { withOverrides(from: self) { Child() } }
  func textOfPlainChild() async -> String {
    await withOverrides(from: self) {
      await Task.yield()
      return Child().injected
    }
  }
}

private final class Child {
  @Inject var injected: String
}

private func model(until end: OverrideEnd = .endOfOperation) -> Model {
  withOverrides(of: resolver, until: end) {
    $0.register { "double" }
  } operation: {
    withResolver(resolver) { Model() }
  }
}

/// The context of an object that was created under a layer.
@Suite struct `The context of an object` {
  @Test(arguments: ["live", "double"])
  func `keeps the resolver of the code that runs in it`(text: String) async throws {
    let key = resolver.register(named: text) { Model().plainChild().injected }
    defer { resolver.unregister(key) }
    try await withOverrides(.check(.unusedOverride, .off), of: resolver) {
      if text == "double" { $0.register { "double" } }
    } operation: {
      #expect(withResolver(resolver) { Model().plainChild().injected } == text)
      #expect(await withResolver(resolver) { await Model().textOfPlainChild() } == text)
      try #expect(resolver.resolve(key) == text)
    }
  }

  @Test func `is known until the layer ends`() throws {
    try withOverrides(of: resolver) {
      $0.register { "double" }
    } operation: {
      let model = withResolver(resolver) { Model() }
      try OverrideLayer.binding(nil) {
        try #expect(OverrideContext.of(model)?.run { try model.text() } == "double")
      }
    }
    #expect(OverrideContext.of(withResolver(resolver) { Model() }) == nil)
  }

  /// A case of XCTest has its object in such a property.
  @Test func `is that of the object in an implicitly unwrapped optional`() throws {
    var model: Model!
    withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      model = withResolver(resolver) { Model() }
      return model
    }
    #expect(OverrideContext.of(model) != nil)
    let nested: Model?? = .some(.some(model))
    let erased: Any = (model as Model?) as Any
    #expect(OverrideContext.of(nested as Any) != nil && OverrideContext.of(erased) != nil)
    let text = try withOverrides(from: model) { try resolver.resolve(String.self) }
    #expect(text == "double")
    model = nil
    #expect(OverrideContext.of(model) == nil)
  }

  /// A `nil` would skip the code of `OverrideContext.of(model)?.run { … }` without a sign.
  @Test func `is known after the layer's end, and says that the layer has ended`() async throws {
    let issue = ended(
      "ended model", currentTestName, line: 131, key: "'String'", file: #fileID)
    try await expect(issues: [issue]) {
      let model = withOverrides(of: resolver, named: "ended model") { _ in
      } operation: {
        withResolver(resolver) { Model() }
      }
      let context = try #require(OverrideContext.of(model))
      #expect(throws: ResolutionError.self) {
        try context.run { try resolver.resolve(String.self, line: 131) }
      }
    }
  }

  @Test(.overrides(of: resolver))
  func `lives until the end of the test with the test's layer`() throws {
    let model = model(until: .endOfTest)
    #expect(try OverrideContext.of(model)?.run { try model.text() } == "double")
    #expect(model.child().injected == "double")
  }

  @Test func `lives as long as the object in a test without a layer`() throws {
    let layer: OverrideLayer
    do {
      let model = model(until: .endOfTest)
      let context = try #require(OverrideContext.of(model))
      #expect(try context.run { try model.text() } == "double")
      #expect(model.child().injected == "double")
      layer = try #require(context.layer)
      #expect(layer.nearestEnded == nil)
      withExtendedLifetime(model) {}
    }
    #expect(layer.nearestEnded === layer)
  }

  /// The search reads the layers of all tests.
  @Test func `is looked for without keeping another test's instances`() throws {
    let (plain, isOver) = (Plain(), Box(false))
    try Threads.run {
      while !isOver.value { _ = OverrideContext.of(plain) }
    } _: {
      defer { isOver.value = true }
      var survivors: [Violation] = []
      for _ in 0..<5_000 {
        let layer = Stage.root(
          "searched", of: resolver, adoptsEscapedWork: false, options: .reportsSurvivors)
        layer.register(lifecycle: .cached) { Plain() }
        try OverrideLayer.binding(layer) { _ = try resolver.resolve(Plain.self) }
        survivors += layer.end()
      }
      #expect(survivors.map(\.description) == [])
    }
  }

  /// Any test may push that layer, and may look at the object at the moment of its release.
  @Test func `of an object without a wrapper ends when the next layer is pushed after the object`()
    throws
  {
    var layer: OverrideLayer?
    do {
      let plain = withOverrides(of: resolver, until: .endOfTest) {
        $0.register { "double" }
      } operation: {
        layer = .current
        return Plain()
      }
      try #expect(OverrideContext.of(plain)?.run { try plain.text() } == "double")
    }
    try Threads.spin(
      until: {
        withOverrides(of: resolver) { _ in
        } operation: {
          layer?.nearestEnded != nil
        }
      }, "the end of the layer")
  }

  @Test(arguments: [false, true])
  func `cannot be kept by an instance that the layer stores, which is an issue`(
    isInArray: Bool
  ) throws {
    var layer: OverrideLayer?
    try withKnownIssue {
      let plain = try withOverrides(of: resolver, until: .endOfTest) {
        $0.register(lifecycle: .cached) { Plain() }
      } operation: { () -> Any in
        layer = .current
        let plain = try resolver.resolve(Plain.self)
        return isInArray ? [plain] : plain
      }
      withExtendedLifetime(plain) {}
    } matching: { issue in
      "\(issue)".contains("should end with the test, but the end of the test is not known here")
    }
    #expect(layer?.nearestEnded != nil)
  }

  @Test func `stays after its wrapper was assigned`() throws {
    func text<Object>(
      _ make: @autoclosure () -> Object, after assign: (Object) -> Void
    ) throws -> String {
      let object = withOverrides(of: resolver, until: .endOfTest) {
        $0.register { "double" }
      } operation: {
        withResolver(resolver) { make() }
      }
      assign(object)
      return try withOverrides(from: object) { try resolver.resolve(String.self) }
    }
    final class Lazy { @LazyInject var text: String }
    final class Weak { @WeakInject var plain: Plain? }
    final class Late { @WeakLazyInject var plain: Plain? }
    try #expect(text(Lazy()) { $0.text = "assigned" } == "double")
    try #expect(text(Weak()) { $0.plain = Plain() } == "double")
    try #expect(text(Late()) { $0.plain = Plain() } == "double")
  }

  @Test func `is known for each object of an array or a tuple`() throws {
    let made = withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      withResolver(resolver) { [Model(), Model()] }
    }
    for model in made { #expect(model.child().injected == "double") }
    let (model, _) = withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      withResolver(resolver) { (Model(), 1) }
    }
    #expect(model.child().injected == "double")
  }

  @Test func `is known for a returned object without wrappers`() throws {
    let plain = withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      Plain()
    }
    #expect(try OverrideContext.of(plain)?.run { try plain.text() } == "double")
    #expect(try withOverrides(from: plain) { try plain.text() } == "double")
  }

  @Test func `is known for a returned object in optionals`() async throws {
    try await expect(issues: []) {
      let plain: Plain?? = withOverrides(of: resolver, until: .endOfTest) {
        $0.register { "double" }
      } operation: {
        .some(.some(Plain()))
      }
      try #expect(OverrideContext.of(plain as Any)?.run { try plain??.text() } == "double")
    }
  }

  @Test func `is known for an object whose superclass has a wrapper`() throws {
    final class Special: Model {}
    try withOverrides(of: resolver) {
      $0.register { "double" }
    } operation: {
      let special = withResolver(resolver) { Special() }
      try OverrideLayer.binding(nil) {
        try #expect(OverrideContext.of(special)?.run { try special.text() } == "double")
      }
    }
  }

  @Test(.overrides(of: resolver) { $0.register(lifecycle: .cached) { Plain() } })
  func `is known for an instance that the test's layer stores`() throws {
    let plain = try resolver.resolve(Plain.self)
    let context = try #require(OverrideLayer.binding(nil) { OverrideContext.of(plain) })
    #expect(context.layer === OverrideLayer.current)
    #expect(OverrideContext.of(Plain()) == nil)
  }

  @Test(.overrides(of: resolver))
  func `lives until the end of the test, even without an object that retains it`() throws {
    var kept: OverrideLayer?
    withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      kept = .current
    }
    #expect(kept?.nearestEnded == nil)
    let text = try OverrideLayer.binding(kept) { try resolver.resolve(String.self) }
    #expect(text == "double")
  }

  @Test func `lives until the end of the layer below it`() throws {
    var kept: OverrideLayer?
    try withOverrides(of: resolver) { _ in
    } operation: {
      withOverrides(of: resolver, until: .endOfTest) {
        $0.register { "double" }
      } operation: {
        kept = .current
      }
      #expect(kept?.nearestEnded == nil)
      _ = try OverrideLayer.binding(kept) { try resolver.resolve(String.self) }
    }
    #expect(kept?.nearestEnded != nil)
  }

  @Test func `exists for an asynchronous scope, too`() async throws {
    let plain = await withOverrides(of: resolver, until: .endOfTest) {
      await Task.yield()
      $0.register { "double" }
    } operation: {
      await Task.yield()
      return Plain()
    }
    let text = try await withOverrides(from: plain) {
      await Task.yield()
      return try plain.text()
    }
    #expect(text == "double")
  }

  @Test func `is an error if the layer has ended, not production's answer`() throws {
    let model = model()
    withKnownIssue { _ = try withOverrides(from: model) { try resolver.resolve(String.self) } }
  }

  @Test func `is the caller's for an object without a context`() throws {
    let plain = Plain()
    let text = try withOverrides(of: resolver) {
      $0.register { "double" }
    } operation: {
      try withOverrides(from: plain) { try plain.text() }
    }
    #expect(text == "double")
  }

  @Test func `ends with the operation if that throws`() throws {
    #expect(throws: Strike.self) {
      try withOverrides(.check(.unusedOverride, .off), of: resolver, until: .endOfTest) {
        $0.register { "double" }
      } operation: {
        throw Strike()
      }
    }
  }

  @Test func `tells a request that the test makes without it`() async throws {
    try await expect(issues: [
      .warning(
        """
        The override of 'Int' was never resolved.
          Asked for   outside of the layer, at \(#fileID):931
          Overridden  \(#fileID):930
          Layer       'left'
        To fix, do one of these:
          • Ask under the layer of the object that the operation returned:  withOverrides(from: …)
          • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
        """, line: 930)
    ]) {
      var model: Model? = withOverrides(of: resolver, named: "left", until: .endOfTest) {
        $0.register(line: 930) { 3 }
      } operation: {
        withResolver(resolver) { Model() }
      }
      #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self, line: 931) }
      withExtendedLifetime(model) {}
      model = nil
      // The next layer looks for objects that are gone.
      withOverrides(of: resolver) { _ in
      } operation: {
      }
    }
  }

  @Test func `is reported if nothing will signal the end of the test`() async throws {
    try await expect(issues: [
      .error(
        """
        The layer 'lone' should end with the test, but the end of the test is not known here.
          Layer   'lone'
          Pushed  \(#fileID):910
        To fix, do one of these:
          • Give the test a layer:  @Test(.overrides())
          • Return an object from the operation: the layer lives for as long as the object.
        """, line: 910)
    ]) {
      _ = withOverrides(of: resolver, named: "lone", until: .endOfTest, line: 910) { _ in
      } operation: {
        "no object"
      }
    }
  }
}

/// The violations of a layer that lives until the end of the test are reported.
@Suite struct `A layer that lives until the end of the test` {
  @Test(
    .catching(
      .warning(
        """
        The override of 'Int' was never resolved.
          Overridden  UnderstudyTests/ObjectContextTests.swift:920
          Layer       'kept'
        To fix, do one of these:
          • Remove it, or let the code under test ask for 'Int'.
          • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
        """, line: 920)),
    .overrides(of: resolver))
  func `reports its violations to the test`() {
    _ = withOverrides(of: resolver, named: "kept", until: .endOfTest) {
      $0.register(line: 920) { 3 }
    } operation: {
      Plain()
    }
  }
}

/// A plain XCTest case signals its end in its teardown.
final class ObjectContextCase: XCTestCase {
  nonisolated(unsafe) private static var left: OverrideLayer?

  override class func tearDown() {
    XCTAssertNotNil(left?.nearestEnded)
    left = nil
  }

  func testLivesUntilTheEndOfTheCase() throws {
    // The operation returns no object that could retain the layer.
    withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      ObjectContextCase.left = .current
    }
    let layer = try XCTUnwrap(ObjectContextCase.left)
    XCTAssertNil(layer.nearestEnded)
    XCTAssertEqual(try OverrideLayer.binding(layer) { try resolver.resolve() }, "double")
    let model = model(until: .endOfTest)
    XCTAssertEqual(try OverrideContext.of(model)?.run { try model.text() }, "double")
    XCTAssertEqual(model.child().injected, "double")
  }
}
