// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

/// The remedies at the end of a message.
private func remedies(_ text: String) -> [String] {
  text.split(separator: "\n").filter { $0.hasPrefix("  • ") }.map { String($0.dropFirst(4)) }
}

/// The texts of the issues that `body` records.
private func issues(_ body: () -> Void) -> [String] {
  let found = Lock<[String]>([])
  withKnownIssue(isIntermittent: true) {
    body()
  } matching: { issue in
    found.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
    return true
  }
  return found.withLock { $0 }
}

/// Runs `body` under the layer of a test, and returns what is reported until the layer's end.
private func violationsOfTest(_ body: () -> Void) throws -> [String] {
  var traits = LayerTraits(of: Resolver(), named: "of the test", on: nil, at: CallSite())
  traits.isBoundary = true
  traits.test = try #require(TestHosts.current?.testOfCallingTask())
  let layer = OverrideLayer(traits)
  let found = issues { OverrideLayer.binding(layer, operation: body) }
  return found + layer.end().map(\.description)
}

private func spyOfScope() -> Spy<Int, Int, Never> {
  withOverrides(named: "scope") { _ in
  } operation: {
    let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
    spy.returns(1)
    _ = spy(1)
    return spy
  }
}

private func useInScope(_ spy: Spy<Int, Int, Never>) {
  spy.returns(1)
  withOverrides(named: "scope") { _ in
  } operation: {
    _ = spy(1)
  }
}

@Suite struct `A double that is used after a layer within its test` {
  @Test func `is to be used in time, or made before the layer in a test that finishes it`() {
    let found = issues {
      let spy = spyOfScope()
      _ = spy(2)
      spy.expects(.once)
    }
    let expected = [
      "Use it before the layer that finished it ends.",
      "Make it before that layer, and have the test finish it:  "
        + "@Test(.overrides()), or OverridesTestCase",
    ]
    #expect(
      found.map(\.firstLine) == [
        "f(2) was called after its double was finished.",
        "The expectation of f(any arguments) once cannot be met: its double was finished.",
      ])
    #expect(found.map(remedies) == [expected, expected])
  }

  @Test func `is to be made before the layer in a test with a layer`() throws {
    let found = try violationsOfTest {
      let spy = spyOfScope()
      _ = spy(2)
      spy.expects(.once)
    }
    let expected = [
      "Use it before the layer that finished it ends.",
      "Make it before that layer: an outer layer finishes it then.",
    ]
    #expect(found.map(remedies) == [expected, expected])
  }

  @Test func `may be used there if the test has made it`() throws {
    let found = try violationsOfTest {
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
      useInScope(spy)
      _ = spy(2)
    }
    #expect(found == [])
  }

  @Test func `is to be made before the layer for detached work of a test with a layer`()
    async throws
  {
    var traits = LayerTraits(of: Resolver(), named: "of the test", on: nil, at: CallSite())
    traits.isBoundary = true
    traits.test = try #require(TestHosts.current?.testOfCallingTask())
    let layer = OverrideLayer(traits)
    let scope = OverrideLayer(
      LayerTraits(of: layer.resolver, named: "scope", on: layer, at: CallSite()))
    let isOfLayer = await Task.detached {
      if case .layerOfTest = Finisher(scope, isOfOlder: false).caller { true } else { false }
    }.value
    #expect(isOfLayer)
    #expect(scope.end() + layer.end() == [])
  }

  @Test(arguments: [0])
  func `of a parameterized test may be another case's`(number: Int) {
    let found = issues {
      let spy = spyOfScope()
      _ = spy(2)
    }
    #expect(
      found.map(remedies) == [
        ["Use it before the layer that finished it ends.", "Make a new double for each test."]
      ])
  }

  @Test func `is another test's if that test has no layer`() throws {
    var traits = LayerTraits(of: Resolver(), named: "of another", on: nil, at: CallSite())
    traits.isBoundary = true
    traits.test = RunningTest(name: "other", adoptsEscapedWork: false, file: "Other.swift", line: 1)
    let layer = OverrideLayer(traits)
    let spy = OverrideLayer.binding(layer) { Spy<Int, Int, Never>("f(_:)", placeholder: 0) }
    OverrideLayer.binding(layer) {
      spy.returns(1)
      _ = spy(1)
    }
    #expect(layer.end() == [])
    #expect(
      issues { _ = spy(2) }.map(remedies) == [
        [
          "Resolve it when it is needed: a static or a global keeps the double of an earlier test.",
          "Make a new double for each test.",
        ]
      ])
  }

  @Test func `is the test's to finish if only the first use was in the layer`() {
    let found = issues {
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
      useInScope(spy)
      _ = spy(2)
    }
    #expect(
      found.map(remedies) == [
        [
          "Have the test finish it, not the layer that it was first used under:  "
            + "@Test(.overrides()), or OverridesTestCase",
          "Make a new double for each layer.",
        ]
      ])
  }

  @Test func `can be expected and called no more after finish, but after verify`() throws {
    let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
    let found = issues {
      spy.returns(1)
      _ = spy(1)
      #expect(spy.finish() == [])
      spy.expects(.once)
    }
    #expect(
      found.map(remedies) == [
        ["To check it and go on using it:  try verify(double)", "Make a new double for each test."]
      ])
    let other = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
    other.returns(1)
    _ = other(1)
    try verify(other)
    other.expects(.once)
    _ = other(2)
    try verify(other)
  }
}
