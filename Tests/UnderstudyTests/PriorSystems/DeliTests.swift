// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

/// An object with nine dependencies.
struct Nine: Sendable {
  let texts: [String]

  init(
    a: Int, b: Double, c: String, d: Bool, e: Int8, f: Int16, g: Int32, h: Int64, i: Float
  ) {
    texts = ["\(a)", "\(b)", c, "\(d)", "\(e)", "\(f)", "\(g)", "\(h)", "\(i)"]
  }
}

struct LoginView {
  @Inject var level: Int
  @InjectAll var texts: [String]
}

enum Outer {
  struct Inner: Sendable { let id: Int }
}

typealias Naïve = Outer.Inner

/// The behaviour of Deli's runtime for creating instances.
@Suite struct `Coming from Deli` {
  let resolver = Resolver()
  let counter = CallCounter()

  @Test func `DE-02 nine parameters of an initialiser are resolved by type`() throws {
    resolver.register(1)
    resolver.register(2.5)
    resolver.register("three")
    resolver.register(true)
    resolver.register(Int8(5))
    resolver.register(Int16(6))
    resolver.register(Int32(7))
    resolver.register(Int64(8))
    resolver.register(Float(9))
    resolver.register(autowiring: Nine.init(a:b:c:d:e:f:g:h:i:))
    #expect(
      try resolver.resolve(Nine.self).texts
        == ["1", "2.5", "three", "true", "5", "6", "7", "8", "9.0"])
  }

  @Test func `DE-03 a name or a qualifier selects one of several registrations`() throws {
    resolver.register((any Plugin).self, named: "facebook") { ToolPlugin(id: 1) }
    resolver.register((any Plugin).self, qualifiedBy: Sandbox.self) { ToolPlugin(id: 2) }
    resolver.register { r in
      Kept(
        id: try r.resolve((any Plugin).self, named: "facebook").id,
        argument: try r.resolve((any Plugin).self, qualifiedBy: Sandbox.self).id)
    }
    let kept = try resolver.resolve(Kept.self)
    #expect([kept.id, kept.argument] == [1, 2])
  }

  @Test func `DE-06 a request without a qualifier names the qualified registrations`() {
    resolver.register((any Plugin).self, named: 1) { ToolPlugin(id: 1) }
    resolver.needing((any Plugin).self).register { r in try r.resolve((any Plugin).self).id }
    #expect(
      resolver.graph.findings.map { "\($0.kind) \($0.candidates)" }
        == ["missing ['any Plugin' named 1]"])
    resolver.register((any Plugin).self, named: 2) { ToolPlugin(id: 2) }
    #expect(
      resolver.graph.findings.map { "\($0.kind) \($0.candidates)" }
        == ["ambiguous ['any Plugin' named 1, 'any Plugin' named 2]"])
    let error = resolutionError { try resolver.resolve((any Plugin).self) }
    #expect(
      error?.description.hasSuffix(
        "Did you mean 'any Plugin' named 1, or 'any Plugin' named 2?") == true)
  }

  @Test func `DE-08 a configuration is a block, cached or not, one for each qualifier`() throws {
    resolver.register(3)
    let kept = resolver.register(lifecycle: .cached) { [counter] r in
      Kept(id: counter.next(), argument: try r.resolve())
    }
    let fresh = resolver.register(qualifiedBy: Sandbox.self) { [counter] r in
      Kept(id: counter.next(), argument: try r.resolve())
    }
    #expect(try [kept, kept].map { try resolver.resolve($0).id } == [1, 1])
    #expect(try [fresh, fresh].map { try resolver.resolve($0).id } == [2, 3])
    #expect(try resolver.resolve(kept).argument == 3)
  }

  @Test func `DE-09 a type that only uses injection is not registered`() throws {
    resolver.register(3)
    resolver.register("a", named: 1)
    resolver.register("b", named: 2)
    let view = withResolver(resolver) { LoginView() }
    #expect(view.level == 3)
    #expect(view.texts == ["a", "b"])
    #expect(try resolver.resolve(LoginView?.self) == nil)
  }

  @Test func `DE-12 a registration with an argument is not a plain dependency`() {
    let first = #line + 1
    resolver.register { (tries: Int) in Service(tries: tries) as any Servicing }
    resolver.register(autowiring: Wanting.init(service:))
    #expect(
      resolver.graph.findings.map(\.description) == [
        """
        'Wanting' needs 'any Servicing', which takes an argument.
          Path   Wanting → any Servicing
          At     UnderstudyTests/DeliTests.swift:\(first + 1)
          Other  UnderstudyTests/DeliTests.swift:\(first)
        To fix, do one of these:
          • Take a Provider of a function:  Provider<(Int) -> any Servicing>
          • Resolve it with its argument in a block.
        """
      ])
  }

  @Test func `DE-13 a handwritten module answers through its links`() throws {
    let module = Module { registrar in
      registrar.alias(
        registrar.register(lifecycle: .cached) { Secretary() }, as: (any Printer).self,
        (any Mailer).self)
    }
    try resolver.load(module)
    let printer = try resolver.resolve((any Printer).self)
    #expect(try resolver.resolve((any Mailer).self) as? Secretary === printer)
    #expect(resolver.unload(module))
    #expect(resolver.keys.isEmpty)
  }

  @Test func `DE-18 a weak instance is shared while it is retained, and created again after that`()
    throws
  {
    resolver.register(scopedTo: Signup.self) { [counter] in Prop(counter.next()) }
    var held: Prop? = try resolver.resolve(scopedTo: Signup.self)
    #expect(try resolver.resolve(Prop.self, scopedTo: Signup.self) === held)
    held = nil
    #expect(try resolver.resolve(Prop.self, scopedTo: Signup.self).id == 2)
  }

  @Test func `DE-22 a structure is registered like a class, and created once if it is cached`()
    throws
  {
    resolver.register(lifecycle: .cached) { [counter] in Form(level: counter.next()) }
    var copy = try resolver.resolve(Form.self)
    copy.title = "changed"
    #expect(try resolver.resolve(Form.self) == Form(level: 1))
  }

  @Test func `DE-23 a nested type and its alias are one key in every spelling`()
    throws
  {
    let key = resolver.register(Naïve.self) { Outer.Inner(id: 1) }
    #expect(key == Key<Outer.Inner>())
    #expect(try resolver.resolve(Outer.Inner.self).id == 1)
  }

  @Test func `DE-24 sixty threads get one instance of each type`() throws {
    let (resolver, counter) = (resolver, counter)
    resolver.register(lifecycle: .cached) { r in
      Partner("outer", try r.resolve(named: "inner"))
    }
    resolver.register(named: "inner", lifecycle: .cached) {
      Partner("inner \(counter.next())")
    }
    let partners = try Threads.run(60) { _ in try resolver.resolve(Partner.self) }
    let first = try partners[0].get()
    #expect(partners.allSatisfy { $0.success === first })
    #expect(counter.value == 1)
  }
}
