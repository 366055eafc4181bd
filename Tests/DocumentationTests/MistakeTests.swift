// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

/// A host in a process of its own that prints the issues of its only test.
struct OneTest: TestHost {
  @TaskLocal static var name: String?

  private static let mark = "\n== said ==\n"

  static func say(_ text: String) { print(mark + text, terminator: mark) }

  static func said(in output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).components(separatedBy: mark).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
  }

  func testOfCallingTask() -> RunningTest? {
    OneTest.name.map { RunningTest(name: $0, adoptsEscapedWork: false) }
  }

  func isSkip(_ error: any Error) -> Bool { false }

  func runningCase() -> RunningTest? { nil }

  func report(_ violation: Violation) -> Bool {
    OneTest.say(violation.description)
    return false
  }
}

/// The messages of Docs/FirstTest.md, each provoked by its mistake. Only the line numbers are the
/// page's own.
struct `The first guide` {
  private static let blocks: [String] =
    (try? Page(path: "Docs/FirstTest.md").blocks("text").map(withoutLines)) ?? []

  /// A text without its line numbers.
  private static func withoutLines(_ text: String) -> String {
    text.replacing(#/[A-Za-z]+/[A-Za-z]+\.swift:\d+/#, with: "AFile.swift:0")
      // The page uses the main resolver.
      .replacing(" of an unnamed resolver", with: "")
      .replacing(#/withOverrides\(of: …\) ({ .* }) operation: { … }/#) {
        "@Test(.overrides \($0.output.1))"
      }
      .trimmingCharacters(in: .newlines)
  }

  private func expectShown(_ text: String) {
    let text = Self.withoutLines(text)
    #expect(Self.blocks.contains(text), "The page does not show this:\n\(text)")
  }

  private func caught(_ body: @escaping @Sendable () throws -> Void) async throws -> [String] {
    let caught = Lock<[String]>([])
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      caught.withLock { $0.append(issue.comments.map(\.rawValue).joined(separator: "\n")) }
      return nil
    }
    let test = try #require(Test.current)
    try await watch.provideScope(for: test, testCase: Test.Case.current) { try body() }
    return caught.withLock { $0 }
  }

  @Test func `shows that there is no registration`() {
    let resolver = Resolver()
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve((any Mailer).self)
    }
    expectShown(error?.description ?? "")
  }

  @Test func `shows that another key is registered`() async throws {
    let resolver = Resolver()
    let layer = OverrideLayer(
      LayerTraits(of: resolver, named: "a confirmed order is mailed", on: nil, at: .unknown))
    layer.register { MailerSpy() }
    let error = #expect(throws: ResolutionError.self) {
      try OverrideLayer.binding(layer) { _ = try resolver.resolve((any Mailer).self) }
    }
    let findings = layer.end()
    #expect(findings.count == 1)
    for text in [error?.description ?? ""] + findings.map(\.description) { expectShown(text) }
  }

  @Test func `shows that an override came too late`() async throws {
    final class Courier: Mailer {
      func send(_ text: String) {}
    }
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Courier() as any Mailer }
    let texts = try await caught {
      try withOverrides(of: resolver, named: "a confirmed order is mailed", isBoundary: true) { _ in
      } operation: {
        let mailer = try resolver.resolve((any Mailer).self)
        OverrideLayer.current?.register { MailerSpy() as any Mailer }
        _ = try resolver.resolve((any Mailer).self)
        withExtendedLifetime(mailer) {}
      }
    }
    #expect(texts.count == 1)
    for text in texts { expectShown(text) }
  }

  /// Runs in its own process, since an issue of the run belongs to no test and cannot be expected.
  @Test func `shows that work has lost its context`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      TestHosts.install(OneTest())
      let resolver = Resolver()
      resolver.register { SMTPMailer() as any Mailer }
      await OneTest.$name.withValue("a confirmed order is mailed") {
        await withOverrides(.check(.unusedOverride, .off), of: resolver) {
          $0.register { MailerSpy() as any Mailer }
        } operation: {
          await Task.detached {
            do throws(ResolutionError) {
              _ = try resolver.resolve((any Mailer).self)
            } catch {
              OneTest.say(error.description)
            }
          }.value
        }
      }
    }
    let texts = OneTest.said(in: try #require(result).standardOutputContent)
    #expect(texts.count == 2)
    #expect(texts.first == texts.last)
    for text in texts { expectShown(text) }
  }

  @Test func `shows that no stub answers`() async throws {
    let texts = try await caught {
      withOverrides { _ in
      } operation: {
        let prices = Spy<String, Int, any Error>("price(of:)")
        prices.when("tea").returns(3)
        _ = try? prices("tea")
        _ = try? prices("cake")
      }
    }
    #expect(texts.count == 1)
    for text in texts { expectShown(text) }
  }

  @Test func `shows that a key was resolved too often`() async throws {
    let resolver = Resolver()
    let texts = try await caught {
      try withOverrides(of: resolver, named: "a confirmed order is mailed") {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
        _ = try resolver.resolve((any Mailer).self)
        assertResolved((any Mailer).self, count: 1)
      }
    }
    #expect(texts.count == 1)
    for text in texts { expectShown(text) }
  }

  @Test func `shows no other message`() { #expect(Self.blocks.count == 7) }
}
