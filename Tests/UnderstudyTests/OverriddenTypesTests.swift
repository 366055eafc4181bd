// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

private protocol Kind: Sendable {}

/// A type of its own for every type.
private struct Around<Inner>: Kind {}

private enum Ended {}
private enum Gone {}
private enum CountedTwice {}

/// Several types: another test may override something whose type shares a count with one of them.
private struct Kinds {
  private let types: [any Kind.Type]

  init<Test>(of _: Test.Type) {
    types = Kinds.types(around: Around<Test>.self, count: 16)
  }

  private static func types<Inner: Kind>(around _: Inner.Type, count: Int) -> [any Kind.Type] {
    count == 0 ? [] : [Inner.self] + types(around: Around<Inner>.self, count: count - 1)
  }

  /// How many of them are said to be overridden.
  private var said: Int { types.filter { OverriddenTypes.mayHave(AnyKey(plain: $0)) }.count }

  var areOverridden: Bool { said == types.count }
  /// Of other tests' overrides, some may share a count with one of them.
  var areFree: Bool { said <= types.count / 2 }

  func override(in layer: OverrideLayer) {
    func add<Value: Kind>(_: Value.Type) {
      layer.register(Value.self, named: "of the layer") { throw Mishap() }
    }
    for type in types { add(type) }
  }
}

/// What lets work that sees no layer pass without looking through those of all running tests.
@Suite struct `The overridden types` {
  @Test func `are those of a layer until it ends`() {
    let kinds = Kinds(of: Ended.self)
    let layer = OverrideLayer.unscoped(of: Resolver())
    #expect(kinds.areFree)
    kinds.override(in: layer)
    #expect(kinds.areOverridden)
    _ = layer.end()
    #expect(kinds.areFree)
  }

  @Test func `are those of a layer that nobody ends until it is gone`() {
    let kinds = Kinds(of: Gone.self)
    do {
      let layer = OverrideLayer.unscoped(of: Resolver())
      kinds.override(in: layer)
      #expect(kinds.areOverridden)
      withExtendedLifetime(layer) {}
    }
    #expect(kinds.areFree)
  }

  @Test func `are counted, so that the end of one layer takes none from another`() {
    let kinds = Kinds(of: CountedTwice.self)
    let (first, second) = (
      OverrideLayer.unscoped(of: Resolver()), OverrideLayer.unscoped(of: Resolver())
    )
    kinds.override(in: first)
    kinds.override(in: second)
    _ = first.end()
    #expect(kinds.areOverridden)
    _ = second.end()
    #expect(kinds.areFree)
  }
}
