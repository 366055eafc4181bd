// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

private struct Proxy: PropertyGroup {
  static let path = "proxy"
  let url: String
  var port: Int?
}

private struct Visitor {
  @Property("proxy") var proxy: Proxy?
}

private struct Patient {
  @Property("proxy.url") var url = "none"
  @Property("proxy.port") var port = 8080
}

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

  @Test func `has its own call in the advice of a strict layer`() throws {
    try resolver.set("server.url", "http://shop")
    let found = found(.strict) { _ in
    } _: {
      _ = try? resolver.property("server.url", as: String.self)
    }
    #expect(found.count == 1)
    #expect(
      found.first?.contains(#"• Override it:  $0.set("server.url", …)"#) == true, "\(found)")
  }

  @Test func `has its own call in the advice for a missing registration`() throws {
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(PropertyValue.self, named: "server.url")
    }
    let text = try #require(error).description
    #expect(text.contains(#"• Register it:  try resolver.set("server.url", …)"#), "\(text)")
    #expect(
      text.contains(#"withOverrides(of: …) { $0.set("server.url", …) } operation: { … }"#),
      "\(text)")
  }

  /// A value is not a property if it is in a container, or if its name is not a text.
  @Test func `has advice that other values of its type do not get`() {
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(PropertyValue.self, named: 1, in: "box")
    }
    #expect(
      error?.description.contains("$0.register(named: 1, in: \"box\") { … as PropertyValue }")
        == true)
  }

  @Test(arguments: ["group", "wrapper", "value", "member", "default"])
  func `is known if production has answered it as optional`(how: String) throws {
    let found = try found(.check(.unknownKey, .error)) {
      $0.set("proxy.url", "http://proxy")
      $0.set("proxy.port", 80)
    } _: {
      switch how {
      case "group":
        try #expect(resolver.property("proxy", as: Proxy?.self)?.port == 80)
      case "member":
        try resolver.set("proxy", ["url": "http://real"])
        try #expect(resolver.property("proxy", as: Proxy.self).port == 80)
      case "default": withResolver(resolver) { #expect(Patient().port + Patient().url.count == 92) }
      case "wrapper": withResolver(resolver) { #expect(Visitor().proxy?.url == "http://proxy") }
      default:
        try #expect(resolver.property("proxy.url", as: String?.self) == "http://proxy")
        try #expect(resolver.property("proxy.port", as: Int?.self) == 80)
      }
    }
    #expect(found == [])
  }

  @Test func `is unknown if it must not be missing`() throws {
    let found = try found(.check(.unknownKey, .error)) {
      $0.set("proxy.url", "http://proxy")
    } _: {
      try #expect(resolver.property("proxy", as: Proxy.self).url == "http://proxy")
    }
    #expect(
      found.map { String($0.prefix { !$0.isNewline }) } == [
        "The override of 'PropertyValue' named \"proxy.url\" overrides nothing: "
          + "production does not know the key."
      ])
  }
}
