// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let resolver = {
  let resolver = Resolver()
  resolver.register { "live" }
  return resolver
}()

private final class Plain: Sendable {
  func text() throws -> String { try resolver.resolve() }
}

private final class Model {
  @Inject var injected: String
  func text() throws -> String { try resolver.resolve() }
  func child() -> Child { withOverrides(from: self) { withResolver(resolver) { Child() } } }
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

/// The context of an object that was made under a layer.
@Suite struct `The context of an object` {
  @Test func `is known until the layer ends`() throws {
    try withOverrides(of: resolver) {
      $0.register { "double" }
    } operation: {
      let model = withResolver(resolver) { Model() }
      try OverrideLayer.binding(nil) {
        try #expect(OverrideContext.of(model)?.run { try model.text() } == "double")
      }
    }
    #expect(OverrideContext.of(model()) == nil)
    #expect(OverrideContext.of(withResolver(resolver) { Model() }) == nil)
  }

  @Test(.overrides(of: resolver) { _ in })
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

  @Test func `is known for an object without wrappers that the operation returned`() throws {
    let plain = withOverrides(of: resolver, until: .endOfTest) {
      $0.register { "double" }
    } operation: {
      Plain()
    }
    #expect(try OverrideContext.of(plain)?.run { try plain.text() } == "double")
    #expect(try withOverrides(from: plain) { try plain.text() } == "double")
  }

  @Test func `is an asynchronous scope's as well`() async throws {
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

  @Test func `is an error where the layer has ended, and not production`() throws {
    let model = model()
    withKnownIssue { _ = try withOverrides(from: model) { try resolver.resolve(String.self) } }
  }

  @Test func `is the caller's for an object that has none`() throws {
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

  @Test func `says that nothing tells the end of the test`() async throws {
    try await expect(issues: [
      .error(
        """
        The layer 'lone' was to live until the end of the test, which cannot be known here.
          Layer   'lone'
          Pushed  \(#fileID):910
        To fix, do one of these:
          • Give the test a layer:  @Test(.overrides { _ in })
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

/// What a layer left to the end of the test has to say is said.
@Suite struct `A layer that is left to the end of the test` {
  @Test(
    .catching(
      .warning(
        """
        The override of 'Int' was never resolved.
          Overridden  UnderstudyTests/ObjectContextTests.swift:920
          Layer       'kept'
        To fix, do one of these:
          • Remove it, or let the code under test ask for 'Int'.
          • Allow it:  .overrides(.check(.unusedOverride, .off)) { … }
        """, line: 920)),
    .overrides(of: resolver) { _ in })
  func `reports on the test`() {
    _ = withOverrides(of: resolver, named: "kept", until: .endOfTest) {
      $0.register(line: 920) { 3 }
    } operation: {
      Plain()
    }
  }
}
