// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy
import UnderstudyCompatibility

/// Rule O6 of `Docs/Guarantees.md`, for lazy wrappers and providers: they count as dependencies
/// before they are used.
@Suite struct `Cached instances with a lazy dependency` {
  /// The forms of lazy dependencies on a type.
  enum Form: CaseIterable, Sendable {
    case lazy, lazyOptional, lazyArray, lazyArrayOrNothing
    case provider, optionalProvider, arrayProvider, providerOfProvider, lazyProvider
    case providers, lazyProviders

    /// True if registrations with a name are found, too.
    var findsAll: Bool {
      switch self {
      case .lazyArray, .lazyArrayOrNothing, .arrayProvider, .providers, .lazyProviders: true
      default: false
      }
    }
  }

  /// Returns the names of the postmen at the time of the call.
  private final class Office: Sendable {
    private let ask: @Sendable () throws -> [any Postman]

    init(_ form: Form) {
      switch form {
      case .lazy:
        let later = LazyInject<any Postman>()
        ask = { [later.wrappedValue] }
      case .lazyOptional:
        let later = LazyInject<(any Postman)?>()
        ask = { later.wrappedValue.map { [$0] } ?? [] }
      case .lazyArray:
        let later = LazyInject<[any Postman]>()
        ask = { later.wrappedValue }
      case .lazyArrayOrNothing:
        let later = LazyInject<[any Postman]?>()
        ask = { later.wrappedValue ?? [] }
      case .provider:
        let later = Provider<any Postman>()
        ask = { [try later()] }
      case .optionalProvider:
        let later = Provider<(any Postman)?>()
        ask = { try later().map { [$0] } ?? [] }
      case .arrayProvider:
        let later = Provider<[any Postman]>()
        ask = { try later() }
      case .providerOfProvider:
        let later = Provider<Provider<any Postman>>()
        ask = { [try later()()] }
      case .lazyProvider:
        let later = LazyInject<Provider<any Postman>>()
        ask = { [try later.wrappedValue()] }
      case .providers:
        let later = Resolver.injected([Provider<any Postman>].self)
        ask = { try later.map { try $0() } }
      case .lazyProviders:
        let later = LazyInject<[Provider<any Postman>]>()
        ask = { try later.wrappedValue.map { try $0() } }
      }
    }

    func names() throws -> [String] { try ask().map(\.name) }
  }

  @Test(arguments: Form.allCases)
  func `are created again if a layer overrides it`(form: Form) throws {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached) { Office(form) }
    try withResolver(resolver) {
      let warm: Office = try resolver.resolve()
      try withLayer(of: resolver) {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        let inside: Office = try resolver.resolve()
        #expect(inside !== warm)
        try #expect(inside.names() == ["double"])
        try #expect(resolver.resolve(Office.self) === inside)
      }
      try #expect(resolver.resolve(Office.self) === warm)
      try #expect(warm.names() == ["production"])
    }
  }

  @Test(arguments: Form.allCases)
  func `are created again if a layer decorates or adds an element`(
    form: Form
  ) throws {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    resolver.register((any Postman).self, named: 1) { RealPostman() }
    resolver.register(lifecycle: .cached) { Office(form) }
    try withResolver(resolver) {
      let warm: Office = try resolver.resolve()
      try withLayer(of: resolver) {
        $0.decorate((any Postman).self, named: 1) { _ in PostmanDouble() }
        $0.register((any Postman).self, named: 2) { PostmanDouble() }
      } operation: {
        let inside: Office = try resolver.resolve()
        #expect((inside !== warm) == form.findsAll)
        try #expect(
          inside.names() == ["production"] + (form.findsAll ? ["double", "double"] : []))
        try #expect(resolver.resolve(Office.self) === inside)
      }
      try #expect(resolver.resolve(Office.self) === warm)
    }
  }

  @Test(arguments: [
    Form.lazyOptional, .lazyArray, .optionalProvider, .arrayProvider, .providers, .lazyProviders,
  ])
  func `are created again if a layer overrides a missing registration`(form: Form) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Office(form) }
    try withResolver(resolver) {
      let warm: Office = try resolver.resolve()
      try withLayer(of: resolver) {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        try #expect(resolver.resolve(Office.self).names() == ["double"])
      }
      try #expect(resolver.resolve(Office.self) === warm)
      try #expect(warm.names() == [])
    }
  }

  /// The instance will store the layer's answer, so it must not outlive the layer.
  @Test func `belong to the layer that answers one of its elements`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Office(.arrayProvider) }
    try withResolver(resolver) {
      try withLayer(of: resolver) {
        $0.register((any Postman).self, named: 1) { PostmanDouble() }
      } operation: {
        let outer: Office = try resolver.resolve()
        try withLayer(of: resolver) {
          $0.register { 1 }
        } operation: {
          let inner: Office = try resolver.resolve()
          #expect(inner === outer)
          try #expect(inner.names() == ["double"])
        }
      }
      try #expect(resolver.resolve(Office.self).names() == [])
    }
  }

  // MARK: Functions

  private struct Letter: Sendable {
    let text: String
  }

  private final class Desk: Sendable {
    let write: Provider<(String) -> Letter>

    init(write: Provider<(String) -> Letter>) { self.write = write }
  }

  /// Registers a letter's author, with a block that takes the text or no argument.
  private func register(_ author: String, takingText: Bool, on registering: some Registering) {
    if takingText {
      registering.register { (text: String) in Letter(text: "\(author): \(text)") }
    } else {
      registering.register { Letter(text: author) }
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `are created again if a layer overrides the result of a provided function`(
    realTakesText: Bool, doubleTakesText: Bool
  ) throws {
    let resolver = Resolver()
    resolver.register(autowiring: Desk.init(write:), lifecycle: .cached)
    register("production", takingText: realTakesText, on: resolver)
    let warm: Desk = try resolver.resolve()
    try withLayer(of: resolver) {
      register("double", takingText: doubleTakesText, on: $0)
    } operation: {
      let inside: Desk = try resolver.resolve()
      try #expect(inside.write("hi").text == (doubleTakesText ? "double: hi" : "double"))
      try #expect(resolver.resolve(Desk.self) === inside)
    }
    try #expect(resolver.resolve(Desk.self) === warm)
    try #expect(warm.write("hi").text == (realTakesText ? "production: hi" : "production"))
  }

  @Test func `stay valid if a layer overrides another function of the same argument`() throws {
    let resolver = Resolver()
    resolver.register(autowiring: Desk.init(write:), lifecycle: .cached)
    register("production", takingText: true, on: resolver)
    let warm: Desk = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.register { (text: String) in text.count }
      $0.register(named: "other") { (text: String) in Letter(text: text) }
    } operation: {
      try #expect(resolver.resolve(Desk.self) === warm)
    }
  }

  @Test func `need the result of a provided function, in the graph`() throws {
    let resolver = Resolver()
    resolver.register(autowiring: Desk.init(write:))
    func edges() -> [String] {
      let graph = resolver.graph
      return graph.edges.map {
        "\($0.kind) \(graph.nodes[$0.to].key.step) \(graph.nodes[$0.to].kind)"
      }
    }
    #expect(edges() == ["deferred Letter missing"])
    register("production", takingText: true, on: resolver)
    #expect(edges() == ["deferred Letter registered"])
    try resolver.graph.validate()
    try withLayer(of: resolver) {
      register("double", takingText: false, on: $0)
    } operation: {
      #expect(edges() == ["deferred Letter registered"])
      try resolver.graph.validate()
    }
  }

  @Test func `need a registered function itself, without a missing result`() throws {
    let resolver = Resolver()
    resolver.register(autowiring: Desk.init(write:))
    resolver.register { { text in Letter(text: text) } as (String) -> Letter }
    #expect(resolver.graph.edges.count == 1)
    try resolver.graph.validate()
  }
}
