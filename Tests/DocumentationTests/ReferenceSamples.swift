// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
public import UnderstudyTesting

// The samples of Docs/Graph.md, Docs/Guarantees.md, Docs/Decisions and the catalogues of the
// reference.

private typealias SystemClock = ContinuousClock

extension Dependencies {
  /// The clock of the process.
  public static var clock: Dependency<any Clock<Duration>> { declaredClock }
}
private let declaredClock = Dependency<any Clock<Duration>> { SystemClock() }

extension Dependencies {
  static var mailer: Dependency<any Mailer> { Dependency { SMTPMailer() } }
}

enum SendableClasses {
  final class Checkout: Sendable {
    let mailer = Resolver.current.resolve(\.mailer)
    let store = Inject<any Store>().wrappedValue
    private let lazyClock = LazyInject(\.clock)
    var clock: any Clock<Duration> { lazyClock.wrappedValue }
  }
}

struct ReferenceSamples {
  @Test func `a constant sees the same layers`() {
    let resolver = Resolver()
    resolver.register { Database() as any Store }
    withResolver(resolver) {
      withOverrides {
        $0.register { MailerSpy() as any Mailer }
        $0.override(\.clock) { ManualClock() }
      } operation: {
        let checkout = SendableClasses.Checkout()
        #expect(checkout.mailer is MailerSpy)
        #expect(checkout.store is Database)
        #expect(checkout.clock is ManualClock)
      }
    }
  }

  @Test func `a layer over a declared dependency`() throws {
    try withOverrides { layer in
      layer.override(\.mailer) { MailerSpy() }
    } operation: {
      try Checkout().confirm()
    }
  }

  @Test(.overrides { $0.override(\.mailer) { MailerSpy() } })
  func `a receipt is sent`() throws {
    try Checkout().confirm()
    assertResolved(\.mailer, count: 1)
  }

  @Test func `a graph`() throws {
    let resolver = Resolver()
    resolver.register { SMTPMailer() as any Mailer }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: file) }

    try resolver.graph.validate()  // throws all findings as one error
    print(resolver.graph)  // the graph as text
    let page = resolver.graph.html(title: "Shop")
    try page.write(to: file, atomically: true, encoding: .utf8)
    #expect(try String(contentsOf: file, encoding: .utf8) == page)
  }
}
