// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

@Suite struct `A property that a test overrides` {
  let resolver = Resolver()

  private func found(
    _ options: OverrideOptions = [], _ configure: (OverrideLayer) -> Void,
    _ body: () throws -> Void
  ) rethrows -> [String] {
    var traits = LayerTraits(of: resolver, named: "layer", on: nil, at: CallSite())
    traits.options = options
    let layer = OverrideLayer(traits)
    configure(layer)
    try OverrideLayer.binding(layer, operation: body)
    return layer.end().map(\.description)
  }

  @Test func `is proposed by a strict layer with its own call`() throws {
    try resolver.set("server.url", "http://shop")
    let found = found(.strict) { _ in
    } _: {
      _ = try? resolver.property("server.url", as: String.self)
    }
    #expect(found.count == 1)
    #expect(
      found.first?.contains(#"• Override it:  $0.set("server.url", …)"#) == true, "\(found)")
  }

  @Test func `is proposed where nothing is registered, with its own call`() throws {
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(PropertyValue.self, named: "server.url")
    }
    let text = try #require(error).description
    #expect(text.contains(#"• Register it:  try resolver.set("server.url", …)"#), "\(text)")
    #expect(text.contains(#"@Test(.overrides { $0.set("server.url", …) })"#), "\(text)")
  }

  /// What is in a container, or has a name that is no text, is no property.
  @Test func `is not proposed for another value of its type`() {
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(PropertyValue.self, named: 1, in: "box")
    }
    #expect(
      error?.description.contains("$0.register(named: 1, in: \"box\") { … as PropertyValue }")
        == true)
  }
}
