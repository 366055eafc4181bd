// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private struct PostalModule: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { RealPostman() as any Postman }
    registrar.register { r in Clerk(postman: try r.resolve()) }
  }
}

private struct PostalDoubles: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { PostmanDouble() as any Postman }
    registrar.install(Counters())
  }
}

private struct Counters: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register(3, named: "counters")
  }
}

/// A module's registrations, installed in one line.
@Suite struct `An assembly` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.install(PostalModule())
    return resolver
  }()

  @Test func `brings a resolver all that it registers`() throws {
    #expect(resolver.keys.count == 2)
    #expect(try resolver.resolve(Clerk.self).postman.name == "production")
  }

  @Test func `replaces a module's registrations on a layer in one line`() throws {
    try withOverrides(of: resolver) {
      $0.install(PostalDoubles())
    } operation: {
      let clerk = try resolver.resolve(Clerk.self)
      #expect(clerk.postman.name == "double")
      #expect(try resolver.resolve(Int.self, named: "counters") == 3)
    }
    #expect(try resolver.resolve(Clerk.self).postman.name == "production")
    #expect(try resolver.resolve(Int?.self, named: "counters") == nil)
  }

  @Test func `can be overridden further in the same layer`() throws {
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(PostalDoubles())
      $0.register { PostOffice() as any Postman }
    } operation: {
      let name = try resolver.resolve((any Postman).self).name
      #expect(name == "office")
    }
  }

  @Test(.overrides(of: assembled) { $0.install(PostalDoubles()) })
  func `is installed by a trait`() throws {
    #expect(try assembled.resolve(Clerk.self).postman.name == "double")
    #expect(try assembled.resolve(Int.self, named: "counters") == 3)
  }

  @Test func `on a layer is no longer there after the layer's end`() async throws {
    let clerk = try withOverrides(of: resolver) {
      $0.install(PostalDoubles())
    } operation: {
      _ = try resolver.resolve(Int.self, named: "counters")
      return try resolver.resolve(Clerk.self)
    }
    #expect(clerk.postman.name == "double")
    #expect(try resolver.resolve((any Postman).self).name == "production")
  }
}

private let assembled: Resolver = {
  let resolver = Resolver()
  resolver.install(PostalModule())
  return resolver
}()
