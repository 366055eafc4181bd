// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

private protocol Kind: Sendable {}

/// Turns a type into another type, so that each test has types of its own.
private struct Around<Inner>: Kind {}

private enum Ended {}
private enum Gone {}
private enum CountedTwice {}

/// Several types, since two types may share a counter.
private struct Kinds {
  private let types: [any Kind.Type]

  init<Test>(of _: Test.Type) {
    types = Kinds.types(around: Around<Test>.self, count: 16)
  }

  private static func types<Inner: Kind>(around _: Inner.Type, count: Int) -> [any Kind.Type] {
    count == 0 ? [] : [Inner.self] + types(around: Around<Inner>.self, count: count - 1)
  }

  private var said: Int { types.filter { OverriddenTypes.mayHave(AnyKey(plain: $0)) }.count }

  var areOverridden: Bool { said == types.count }
  var areFree: Bool { said == 0 }

  func override(in layer: OverrideLayer) {
    func add<Value: Kind>(_: Value.Type) {
      layer.register(Value.self, named: "of the layer") { throw Mishap() }
    }
    for type in types { add(type) }
  }
}

/// The fast check that lets work without a layer pass. Each test has its own process, since
/// overrides of other tests could share a counter with its types.
@Suite struct `The overridden types` {
  @Test func `include a layer's types until it ends`() async {
    await #expect(processExitsWith: .success) {
      let kinds = Kinds(of: Ended.self)
      let layer = OverrideLayer.unscoped(of: Resolver())
      precondition(kinds.areFree)
      kinds.override(in: layer)
      precondition(kinds.areOverridden)
      _ = layer.end()
      precondition(kinds.areFree)
    }
  }

  @Test func `include the types of a layer that is never ended until it is released`() async {
    await #expect(processExitsWith: .success) {
      let kinds = Kinds(of: Gone.self)
      do {
        let layer = OverrideLayer.unscoped(of: Resolver())
        kinds.override(in: layer)
        precondition(kinds.areOverridden)
        withExtendedLifetime(layer) {}
      }
      precondition(kinds.areFree)
    }
  }

  @Test func `are counted, so that the end of one layer takes none from another`() async {
    await #expect(processExitsWith: .success) {
      let kinds = Kinds(of: CountedTwice.self)
      let (first, second) = (
        OverrideLayer.unscoped(of: Resolver()), OverrideLayer.unscoped(of: Resolver())
      )
      kinds.override(in: first)
      kinds.override(in: second)
      _ = first.end()
      precondition(kinds.areOverridden)
      _ = second.end()
      precondition(kinds.areFree)
    }
  }
}
