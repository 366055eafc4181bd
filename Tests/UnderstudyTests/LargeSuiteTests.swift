// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

private protocol Numbered: Sendable { var number: Int { get } }

private final class Seat: Numbered {
  let number: Int

  init(_ number: Int) { self.number = number }
}

private struct PostalDoubles: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { PostOffice() as any Postman }
    registrar.register { 1 }
  }
}

/// What tests that run at the same time, or many scopes of one test, must not be told.
@Suite struct `A suite of many tests` {
  private let resolver = Resolver()

  /// The layer of a running test, or an inner one of it.
  private func layer(
    _ name: String, on outer: OverrideLayer? = nil,
    _ options: OverrideOptions = [.check(.unusedOverride, .off), .check(.sharedInstance, .off)]
  ) -> OverrideLayer {
    var traits = LayerTraits(of: resolver, named: name, on: outer, at: CallSite())
    traits.test = outer == nil ? RunningTest(name: name, adoptsEscapedWork: false) : nil
    traits.options = options
    return OverrideLayer(traits)
  }

  private func findings(_ layer: OverrideLayer) -> [String] {
    layer.end().map(\.message.headline)
  }

  @Test func `may ask for one instance of production with the argument that created it`() throws {
    resolver.register(lifecycle: .cached) { (number: Int) in "\(number)" }
    func ask(_ layer: OverrideLayer, with number: Int) throws {
      _ = try OverrideLayer.binding(layer) { try resolver.resolve(String.self, with: number) }
    }
    let layers = ["first", "second", "third"].map { layer($0) }
    for layer in layers.prefix(2) { try ask(layer, with: 1) }
    try ask(layers[2], with: 2)
    let ignored =
      "'String' was asked for with an argument, and its instance was created with another."
    #expect(layers.map(findings) == [[], [], [ignored]])
  }

  /// The request for the aliased key compares the arguments.
  @Test func `may ask for an alias with the argument that created its instance`() throws {
    let key = resolver.register(lifecycle: .cached) { (number: Int) in Seat(number) }
    resolver.alias(key, as: (any Numbered).self)
    let (one, another) = (layer("one"), layer("another"))
    func ask(_ layer: OverrideLayer, with number: Int) throws {
      _ = try OverrideLayer.binding(layer) {
        try resolver.resolve((any Numbered).self, with: number)
      }
    }
    for _ in 1...2 { try ask(one, with: 1) }
    try ask(another, with: 2)
    #expect(findings(one) == [])
    let ignored =
      "'Seat' was asked for with an argument, and its instance was created with another."
    #expect(findings(another) == [ignored])
  }

  @Test func `may override in one scope what an object of another scope has`() throws {
    let late =
      "'any Postman' is overridden after an object captured it: that object keeps the old one."
    /// The objects live as long as the test.
    var objects: [any Postman] = []
    func scope(_ outer: OverrideLayer, asking: Bool) throws -> OverrideLayer {
      let inner = layer("inner", on: outer)
      inner.register { PostOffice() as any Postman }
      if asking {
        try OverrideLayer.binding(inner) {
          objects.append(try resolver.resolve((any Postman).self))
        }
      }
      return inner
    }
    let test = layer("test")
    let first = try scope(test, asking: true)
    let second = try scope(test, asking: true)
    #expect(findings(second) == [])
    // A layer below changes what the object of a layer above would get.
    test.register { PostOffice() as any Postman }
    #expect(findings(first) == [])
    #expect(findings(test) == [late])
    // An object of the layer below keeps what it has.
    let other = layer("other")
    other.register { PostOffice() as any Postman }
    try OverrideLayer.binding(other) { objects.append(try resolver.resolve((any Postman).self)) }
    #expect(try findings(scope(other, asking: false)) == [late])
    #expect(findings(other) == [])
  }

  @Test func `may replace what it uses of an assembly`() throws {
    let layer = layer("test", on: nil, [])
    layer.install(PostalDoubles())
    layer.register { PostmanDouble() as any Postman }
    _ = try OverrideLayer.binding(layer) { try resolver.resolve((any Postman).self) }
    #expect(findings(layer) == [])
    let unused = self.layer("another", on: nil, [])
    unused.install(PostalDoubles())
    #expect(findings(unused).count == 1)
  }

  /// A test with arguments has a layer for each case.
  @Test func `has at most five of its tests named by work that lost its context`() async {
    RunIssues.claim()
    let resolver = resolver
    let names =
      ["one of many", "one of many", "another", "one of many"] + (1...4).map { "the \($0)" }
    let layers = names.map { name in
      let layer = Stage.root(name, of: resolver, adoptsEscapedWork: false)
      layer.register((any Postman).self) { PostmanDouble() }
      return layer
    }
    let message = await Task.detached { () -> String in
      do throws(ResolutionError) {
        return try resolver.resolve((any Postman).self).name
      } catch {
        return error.description
      }
    }.value
    let tests = message.split(separator: "\n").filter {
      $0.hasPrefix("  Overridden") || $0.hasPrefix("      ")
    }
    #expect(
      tests.map { $0.drop { $0 == " " } } == [
        "Overridden by  'another'", "'one of many'", "'the 1'", "'the 2'", "'the 3'", "and others",
      ], "\(message)")
    #expect(RunIssues.take(mentioning: "one of many").count == 1)
    for layer in layers { _ = layer.end() }
  }

  /// Thousands of layers may store instances of a second resolver.
  @Test func `has each of its layers noted once at another resolver`() throws {
    let other = Resolver(parent: resolver)
    other.register(lifecycle: .cached) { PostOffice() }
    other.register(lifecycle: .cached) { "a letter" }
    let layers = (1...20).map {
      Stage.root("test \($0)", of: resolver, adoptsEscapedWork: false)
    }
    for layer in layers {
      try OverrideLayer.binding(layer) {
        _ = try (other.resolve(PostOffice.self), other.resolve(String.self))
      }
    }
    let hosts = other.store.reading { $0.hosts.map(ObjectIdentifier.init) }
    #expect(hosts == layers.map { ObjectIdentifier($0.store) })
    for layer in layers { _ = layer.end() }
  }

  @Test func `finds the layer of the calling test for an object that each of them stores`() throws {
    let office = PostOffice()
    resolver.register(lifecycle: .cached) { "of production" }
    let layers = (1...8).map { number in
      let layer = layer("test \(number)")
      layer.register(office as any Postman)
      layer.register { "of test \(number)" }
      return layer
    }
    for layer in layers {
      _ = try OverrideLayer.binding(layer) { try resolver.resolve((any Postman).self) }
    }
    for (number, layer) in zip(1..., layers) {
      let text = try OverrideLayer.binding(layer) {
        try withOverrides(from: office) { try resolver.resolve(String.self) }
      }
      #expect(text == "of test \(number)")
    }
    for layer in layers { _ = layer.end() }
  }
}
