// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

// The samples of Docs/LiveGuard.md. The line of a test target stands in Docs/Examples/LiveGuard.

extension Dependencies {
  static var postman: Dependency<any Mailer> {
    Dependency(inTests: .mustBeOverridden) { SMTPMailer() }
  }
}

/// The layer without a guard keeps the sample from refusing the lost work of other tests.
@Suite(.overrides(of: Resolver()))
struct UnguardedTests {
  @Suite(.overrides(.live(.mustBeOverridden), allowing: (any Store).self))
  struct GuardedTests {
    @Test func `an allowed type comes from production`() throws {
      let resolver = Resolver()
      resolver.register { MemoryStore() as any Store }
      let store: any Store = try resolver.resolve()
      try #expect(store.price(of: "tea") == 3)
    }
  }
}

final class GuardedCase: OverridesTestCase {
  override var overrideOptions: OverrideOptions { .live(.mustBeOverridden) }
  override var allowedTypes: [any Any.Type] { [(any Store).self] }

  func testAGuardedDependencyIsOverridden() throws {
    overrides.register { MailerSpy() as any Mailer }
    try Checkout().confirm()
  }
}

struct Receipts {
  @Inject(\.postman) var postman

  func send() throws { try $postman.get().send("Paid.") }
}

/// The samples, and the message, which the page shows as it is printed.
struct `The page about the live guard` {
  private let resolver = Resolver()

  private static func withoutLines(_ text: String) -> String {
    text.replacing(#/[A-Za-z]+/[A-Za-z]+\.swift:\d+/#, with: "AFile.swift:0")
      // The page asks the main resolver.
      .replacing(" of an unnamed resolver", with: "")
      .replacing(#/withOverrides\(of: …\) ({ .* }) operation: { … }/#) {
        "@Test(.overrides \($0.output.1))"
      }
      .trimmingCharacters(in: .newlines)
  }

  @Test func `shows the message`() throws {
    resolver.register(inTests: .mustBeOverridden) { SMTPMailer() as any Mailer }
    var text = ""
    withKnownIssue {
      do throws(ResolutionError) {
        _ = try resolver.resolve((any Mailer).self)
      } catch {
        text = Self.withoutLines(error.description)
      }
    }
    try #expect(Self.blocks().first == text)
  }

  private static func blocks() throws -> [String] {
    try Page(path: "Docs/LiveGuard.md").blocks("text").map(withoutLines)
  }

  @Test func `shows the message of work that lost its context`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      TestHosts.install(OneTest())
      let resolver = Resolver()
      resolver.register { SMTPMailer() as any Mailer }
      await OneTest.$name.withValue("a receipt is sent") {
        await withOverrides(.live(.mustBeOverridden), of: resolver) { _ in
        } operation: {
          await Task.detached { _ = try? resolver.resolve((any Mailer).self) }.value
        }
      }
    }
    let texts = OneTest.said(in: try #require(result).standardOutputContent)
    let blocks = try Self.blocks()
    #expect(blocks.count == 2 && texts.map(Self.withoutLines) == [blocks[1]], "\(texts)")
  }

  @Test func `shows a resolver that is guarded but for one registration`() throws {
    resolver.inTests = .mustBeOverridden
    resolver.register(inTests: .allowed) { MemoryStore() as any Store }
    try #expect(resolver.resolve((any Store).self) is MemoryStore)
  }

  @Test func `shows a guard that detached work cannot leave`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      TestHosts.install(OneTest())
      let resolver = Resolver()
      resolver.register { SMTPMailer() as any Mailer }
      resolver.inTests = .mustBeOverridden
      let mailer = await Task.detached { try? resolver.resolve((any Mailer).self) }.value
      if mailer != nil { fatalError("Production answered.") }
    }
    let texts = OneTest.said(in: try #require(result).standardOutputContent)
    #expect(texts.count == 1 && texts.first?.contains("must be overridden") == true, "\(texts)")
  }

  @Test func `shows an override of a guarded dependency`() throws {
    let mailer = MailerSpy()
    try withOverrides {
      $0.override(\.postman, with: mailer)
    } operation: {
      try Receipts().send()
    }
    #expect(mailer.sends.calls == ["Paid."])
  }

  @Test func `shows that a wrapper keeps the error`() {
    let receipts = Receipts()
    #expect(!receipts.$postman.isAvailable)
    withKnownIssue { try receipts.send() }
  }

  @Test(.overrides(allowing: (any Mailer).self))
  func `one test may use the real mailer`() throws {
    try Receipts().send()
  }

  @Test func `shows a part of a test in which production may answer`() throws {
    try withOverrides(.live(.allowed)) { _ in
    } operation: {
      try Receipts().send()
    }
  }
}
