// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

private let layer = "a confirmed order"

private func live(_ number: Int) -> Dependency<Int> { Dependency { number } }

extension Dependencies {
  fileprivate static var declaredByAFunction: Dependency<Int> { live(1) }
}

/// The mistakes of the page.
extension Mistake {
  static let requests = [
    Mistake("You register nothing for the type") {
      _ = try $0.resolve((any Mailer).self)
    },
    Mistake("You request a `.once` registration twice", facts: ["Handed out"]) { resolver in
      resolver.register(Discount(percent: 10), lifecycle: .once)
      _ = try resolver.resolve(Discount.self)
      _ = try resolver.resolve(Discount.self)
    },
    Mistake("You leave out the argument") { resolver in
      resolver.register { (percent: Int) in Discount(percent: percent) }
      _ = try resolver.resolve(Discount.self)
    },
    Mistake("You pass an argument of another type") { resolver in
      resolver.register { (percent: Int) in Discount(percent: percent) }
      _ = try resolver.resolve(Discount.self, with: "ten")
    },
    Mistake("You pass an argument to a block without parameters") { resolver in
      resolver.register { Discount(percent: 10) }
      try withOverrides(of: resolver) { _ in
      } operation: {
        _ = try resolver.resolve(Discount.self, with: 20)
      }
    },
    Mistake("You pass another argument for an instance that is cached") { resolver in
      resolver.register(lifecycle: .cached) { (percent: Int) in Discount(percent: percent) }
      try withOverrides(of: resolver) { _ in
      } operation: {
        _ = try resolver.resolve(Discount.self, with: 10)
        _ = try resolver.resolve(Discount.self, with: 20)
      }
    },
    Mistake("A block needs its own type") { resolver in
      resolver.register { r in
        Basket(store: MemoryStore(), mailer: try r.resolve(Basket.self).mailer)
      }
      _ = try resolver.resolve(Basket.self)
    },
    Mistake("A block throws") { resolver in
      resolver.register { () throws -> any Store in throw Offline() }
      _ = try resolver.resolve((any Store).self)
    },
    Mistake("You resolve an `async` block with `resolve`") { resolver in
      resolver.register { () async in MemoryStore() as any Store }
      _ = try resolver.resolve((any Store).self)
    },
    Mistake("You resolve a `@MainActor` block from another actor") { resolver in
      resolver.register { @MainActor in BasketModel() }
      _ = try resolver.resolve(BasketModel.self)
    },
    Mistake("You register a value with `weak:`") { resolver in
      resolver.register(weak: MemoryStore() as any Store)
      _ = try resolver.resolve((any Store).self)
    },
    Mistake("You inject a value with `@WeakInject` or `@WeakLazyInject`") { resolver in
      resolver.register { MemoryStore() as any Store }
      _ = try withResolver(resolver) { WeakInject<any Store>() }.get()
    },
    Mistake("You register an object with `weak:` that nothing retains") { resolver in
      resolver.register(weak: MailerSpy())
      _ = try resolver.resolve(MailerSpy.self)
    },
    Mistake("You read a `@LazyInject` when its resolver is gone") { _ in
      final class Owner: Sendable { let mailer = LazyInject<any Mailer>() }
      func makeOwner() throws -> Owner {
        let resolver = Resolver()
        resolver.register(lifecycle: .cached) { Owner() }
        return try resolver.resolve()
      }
      _ = try makeOwner().mailer.get()
    },
  ]

  static let overrides = [
    Mistake(
      "A property of an XCTest case injects a key that `overrides(_:)` overrides",
      facts: ["Injected"]
    ) { resolver in
      resolver.register { SMTPMailer() as any Mailer }
      let checkout = withResolver(resolver) { Checkout() }
      withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
        $0.markShared()
      } operation: {
        OverrideLayer.required.note(EarlyInjections(of: checkout))
      }
    },
    Mistake("You override the class instead of the protocol", facts: ["Production"]) { resolver in
      resolver.register { SMTPMailer() as any Mailer }
      try withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() }
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
    Mistake("You override another resolver than the code asks", facts: ["Asked of"]) { resolver in
      let other = Resolver(named: "shop")
      other.register { SMTPMailer() as any Mailer }
      try withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        _ = try other.resolve((any Mailer).self)
      }
    },
    Mistake("You override a key that the test never requests") { resolver in
      withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
      }
    },
    Mistake("You install an assembly, and the test requests none of its keys") { resolver in
      withOverrides(of: resolver, named: layer) {
        $0.install(ShopDoubles())
      } operation: {
      }
    },
    Mistake("You register one key twice") { resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.register { SMTPMailer() as any Mailer }
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
    Mistake("You override a key before you install the assembly that has it") { resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
        $0.install(ShopDoubles())
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
    Mistake("You forget `.cached` where production shares one instance") { resolver in
      resolver.register(lifecycle: .cached) { SMTPMailer() as any Mailer }
      try withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        let mailers = [
          try resolver.resolve((any Mailer).self), try resolver.resolve((any Mailer).self),
        ]
        withExtendedLifetime(mailers) {}
      }
    },
    Mistake("You override a key after an object has captured it") { resolver in
      resolver.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      try withOverrides(of: resolver, named: layer, isBoundary: true) { _ in
      } operation: {
        let mailer = try resolver.resolve((any Mailer).self)
        OverrideLayer.required.register { MailerSpy() as any Mailer }
        _ = try resolver.resolve((any Mailer).self)
        withExtendedLifetime(mailer) {}
      }
    },
    Mistake("You override a key that production does not know, with `enforce: true`") { resolver in
      try withOverrides(of: resolver, named: layer, enforce: true) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
    Mistake("You decorate a key that has no registration") { resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.decorate((any Store).self) { $0 }
      } operation: {
        _ = try resolver.resolve((any Store).self)
      }
    },
    Mistake("You plan a fault for a request that the code does not make") { resolver in
      resolver.register { SMTPMailer() as any Mailer }
      try withOverrides(of: resolver, named: layer) {
        $0.fault((any Mailer).self, .throwing(Offline()), on: .nth(2))
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
    Mistake("You register on `Resolver.main` in a test that has a layer") { _ in
      struct Leaflet: Sendable {}
      defer { Resolver.main.unregister(Key<Leaflet>()) }
      withOverrides(named: layer) { _ in
      } operation: {
        _ = Resolver.main.register(Leaflet())
      }
    },
    Mistake("You remove a registration of `Resolver.main` in a test") { _ in
      struct Leaflet: Sendable {}
      let key = Resolver.main.register(Leaflet())
      withOverrides(named: layer) { _ in
      } operation: {
        _ = Resolver.main.unregister(key)
      }
    },
    Mistake("You set `Resolver.main.inTests` to `nil` or `.allowed` in a test") { _ in
      withOverrides(named: layer) { _ in
      } operation: {
        Resolver.main.inTests = nil
      }
    },
    Mistake("You override a computed static that calls a function which declares it") { resolver in
      withOverrides(.check(.unusedOverride, .off), of: resolver, named: layer) {
        $0.override(\.declaredByAFunction, with: 2)
      } operation: {
      }
    },
    Mistake("You use `OverrideLayer.required` in a test without a layer") { _ in
      OverrideLayer.required.register { MailerSpy() as any Mailer }
    },
  ]

  static let production = [
    Mistake("You forget to override a guarded dependency", facts: ["Guarded by"]) { resolver in
      resolver.register(inTests: .mustBeOverridden) { SMTPMailer() as any Mailer }
      _ = try resolver.resolve((any Mailer).self)
    },
    Mistake("You forget an override under `.strict`") { resolver in
      resolver.register { SMTPMailer() as any Mailer }
      try withOverrides(.strict, of: resolver, named: layer) { _ in
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
    Mistake("The code uses a key that the test calls `unimplemented`") { resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.unimplemented((any Mailer).self)
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
      }
    },
  ]

  static let ends = [
    Mistake("Work makes a request when its layer has ended") { resolver in
      let context = withOverrides(.check(.unusedOverride, .off), of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        OverrideContext.current
      }
      _ = try context.run { try resolver.resolve((any Mailer).self) }
    },
    Mistake("You register on a layer that has ended") { resolver in
      let ended = withOverrides(of: resolver, named: layer) { _ in
      } operation: {
        OverrideLayer.required
      }
      ended.register { MailerSpy() as any Mailer }
    },
    Mistake("A block still runs when its layer ends") { resolver in
      let (starts, started) = AsyncStream<Void>.makeStream()
      let (ends, end) = AsyncStream<Void>.makeStream()
      let task = await withOverrides(of: resolver, named: layer) {
        $0.register { () async -> any Mailer in
          started.finish()
          for await _ in ends {}
          return MailerSpy()
        }
      } operation: {
        let task = Task { try await resolver.resolveAsync((any Mailer).self) }
        for await _ in starts {}
        return task
      }
      end.finish()
      _ = try? await task.value
    },
    Mistake("You return no object from an operation with `until: .endOfTest`") { resolver in
      _ = withOverrides(of: resolver, named: layer, until: .endOfTest) { _ in
      } operation: {
        "no object"
      }
    },
    Mistake("An instance outlives its layer, with `.reportsSurvivors`") { resolver in
      let mailer = try withOverrides(.reportsSurvivors, of: resolver, named: layer) {
        $0.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      } operation: {
        try resolver.resolve((any Mailer).self)
      }
      withExtendedLifetime(mailer) {}
    },
    Mistake("A disposer throws") { resolver in
      withOverrides(of: resolver, named: layer) {
        $0.onDispose { throw Offline() }
      } operation: {
      }
    },
  ]

  static let doubles = [
    Mistake("No stub answers a call") { _ in
      withOverrides(named: layer) { _ in
      } operation: {
        let prices = Spy<String, Int, any Error>("price(of:)")
        _ = try? prices("cake")
      }
    },
    Mistake("You stub a call that the code does not make") { _ in
      withOverrides(named: layer) { _ in
      } operation: {
        let prices = Spy<String, Int, any Error>("price(of:)")
        prices.when("tea").returns(3)
      }
    },
    Mistake("You expect a call that the code does not make") { _ in
      withOverrides(named: layer) { _ in
      } operation: {
        _ = MailerSpy().sends.when("Thank you.").expects(.once)
      }
    },
    Mistake("The code makes an expected call too often") { _ in
      withOverrides(named: layer) { _ in
      } operation: {
        let prices = Spy<String, Int, any Error>("price(of:)")
        prices.when("tea").expects(.once).returns(3)
        _ = try? prices("tea")
        _ = try? prices("tea")
      }
    },
    Mistake(
      "You stub one double, and the code calls another that the same line made under the same layer",
      facts: ["Doubles"]
    ) { resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        let stubbed = try resolver.resolve((any Mailer).self) as? MailerSpy
        stubbed?.sends.returns()
        try resolver.resolve((any Mailer).self).send("Thank you.")
      }
    },
    Mistake("The code calls a double whose test or layer has ended") { _ in
      let prices = withOverrides(named: layer) { _ in
      } operation: {
        let prices = Spy<String, Int, any Error>("price(of:)")
        prices.returns(3)
        _ = try? prices("tea")
        return prices
      }
      _ = try? prices("tea")
    },
    Mistake(
      "A task sleeps on a `ManualClock`, waits at a `Gate` or for a `ScriptedSequence` after its test"
    ) { _ in
      let clock = withOverrides(named: layer, isBoundary: true) { _ in
      } operation: {
        ManualClock()
      }
      await Task { try? await clock.sleep(for: .seconds(1)) }.value
    },
    Mistake("The code resolves a key more often than you assert") { resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
        _ = try resolver.resolve((any Mailer).self)
        assertResolved((any Mailer).self, count: 1)
      }
    },
    Mistake("You assert that a class is never resolved, and only its protocol is registered") {
      resolver in
      try withOverrides(of: resolver, named: layer) {
        $0.register { MailerSpy() as any Mailer }
      } operation: {
        _ = try resolver.resolve((any Mailer).self)
        assertNeverResolved(MailerSpy.self)
      }
    },
    Mistake("You count `[T]`, and only `T` is registered") { resolver in
      resolver.register { SMTPMailer() as any Mailer }
      try withOverrides(of: resolver, named: layer) { _ in
      } operation: {
        _ = try resolver.resolve([any Mailer].self)
        assertNeverResolved([any Mailer].self)
      }
    },
    Mistake("You count resolutions in a test without a layer") { _ in
      assertResolved((any Mailer).self, count: 1)
    },
  ]

  /// The mistakes that are possible in the process of the tests.
  static let here = requests + overrides + production + ends + doubles
  /// The mistakes that need their own process.
  static let elsewhere = [
    "escaped work", "a shared instance", "a missing value", "a missing adapter",
    "a strict read", "escaped work of a guarded suite",
  ]
}

/// The tests of a process without a framework. Prints findings with their weights.
private struct TwoTests: TestHost {
  @TaskLocal static var name: String?

  func testOfCallingTask() -> RunningTest? {
    TwoTests.name.map { RunningTest(name: $0, adoptsEscapedWork: false) }
  }

  func isSkip(_ error: any Error) -> Bool { false }

  func runningCase() -> RunningTest? { nil }

  func report(_ violation: Violation) -> Bool {
    OneTest.say("\(violation.severity)")
    OneTest.say(violation.description)
    return false
  }
}

/// Docs/Mistakes.md, row by row.
struct `The table of mistakes` {
  private func expectRow(_ row: MistakeRow, at location: SourceLocation = #_sourceLocation) {
    let rows = MistakeRow.all.filter { $0.mistake == row.mistake }
    #expect(rows == [row], "Docs/Mistakes.md has another row, or none.", sourceLocation: location)
  }

  @Test(arguments: Mistake.here)
  func `has each mistake with its headline and its weight`(mistake: Mistake) async throws {
    let caught = Lock<[Issue]>([])
    let thrown = Lock<[String]>([])
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      caught.withLock { $0.append(issue) }
      return nil
    }
    let test = try #require(Test.current)
    try await watch.provideScope(for: test, testCase: Test.Case.current) {
      do {
        try await mistake.make(Resolver())
      } catch let error as ResolutionError {
        thrown.withLock { $0.append(error.description) }
      }
    }
    let (issues, errors) = (caught.withLock { $0 }, thrown.withLock { $0 })
    let texts = issues.map { $0.comments.map(\.rawValue).joined(separator: "\n") }
    let text = try #require(errors.first ?? texts.first, "Nothing was said.")
    #expect(issues.count <= 1, "\(texts.joined(separator: "\n\n"))")
    let weights = errors.map { _ in "thrown" } + issues.map { "\($0.severity)" }
    let row = mistake.row(text, weight: weights.joined(separator: ", "))
    for other in texts { #expect(mistake.row(other, weight: row.weight) == row) }
    expectRow(row)
  }

  @Test func `has escaped work`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      TestHosts.install(OneTest())
      let resolver = Resolver()
      resolver.register { SMTPMailer() as any Mailer }
      await OneTest.$name.withValue("a confirmed order") {
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
    #expect(texts.count == 2 && texts.first == texts.last)
    let mistake = Mistake("Work leaves the test without its context") { _ in }
    expectRow(mistake.row(texts.first ?? "", weight: "thrown, error of the run"))
  }

  @Test func `has an instance that two tests share`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      TestHosts.install(TwoTests())
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) { MailerSpy() as any Mailer }
      @Sendable func use(in test: String, then body: @Sendable () async -> Void) async {
        await TwoTests.$name.withValue(test) {
          await withOverrides(of: resolver) { _ in
          } operation: {
            _ = try? resolver.resolve((any Mailer).self)
            await body()
          }
        }
      }
      await use(in: "one") {
        await Task.detached { await use(in: "another") {} }.value
      }
    }
    let texts = OneTest.said(in: try #require(result).standardOutputContent)
    try #require(texts.count == 2, "\(texts)")
    let mistake = Mistake("Two tests that run at the same time use one instance") { _ in }
    expectRow(mistake.row(texts[1], weight: texts[0]))
  }

  @Test func `has a missing value that is read`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let mailer = withResolver(Resolver()) { Inject<any Mailer>() }
      _ = mailer.wrappedValue
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let end = try #require(text.components(separatedBy: "Fatal error: ").last)
    let mistake = Mistake("You read a wrapper that has no value") { _ in }
    expectRow(
      mistake.row(end.trimmingCharacters(in: .whitespacesAndNewlines), weight: "ends the process"))
  }

  @Test func `has a forbidden answer to a form that cannot throw`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withOverrides(.strict, named: "a confirmed order") { _ in
      } operation: {
        _ = Resolver.main.resolve(\.mailer)
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let end = try #require(text.components(separatedBy: "Fatal error: ").last)
    let mistake = Mistake(
      "`resolve(\\.mailer)` needs an override that you forgot, under `.strict` or a guard"
    ) { _ in }
    expectRow(
      mistake.row(end.trimmingCharacters(in: .whitespacesAndNewlines), weight: "ends the process"))
  }

  @Test func `has escaped work of a guarded suite`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      TestHosts.install(TwoTests())
      let resolver = Resolver()
      resolver.register { SMTPMailer() as any Mailer }
      await TwoTests.$name.withValue("a confirmed order") {
        await withOverrides(.live(.mustBeOverridden), of: resolver) { _ in
        } operation: {
          await Task.detached {
            if (try? resolver.resolve((any Mailer).self)) != nil {
              fatalError("Production answered.")
            }
          }.value
        }
      }
    }
    let texts = OneTest.said(in: try #require(result).standardOutputContent)
    try #require(texts.count == 2, "\(texts)")
    let mistake = Mistake(
      "Work leaves a suite with `.live(.mustBeOverridden)` without its context",
      facts: ["Guarded by"]
    ) { _ in }
    expectRow(mistake.row(texts[1], weight: "thrown, \(texts[0]) of the run"))
  }

  @Test func `has a test target without the adapter`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      TestHosts.install(nil)
      AtomicInt.processHasNoTests.store(0)
      withOverrides(named: "a confirmed order") { _ in
      } operation: {
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let start = try #require(text.firstRange(of: "error: "))
    let mistake = Mistake("You link `Understudy` without `UnderstudyTesting`") { _ in }
    expectRow(mistake.row(String(text[start.upperBound...]), weight: "the run fails"))
  }

  @Test func `has no row without a mistake here`() {
    let made = Mistake.here.map(\.name)
    #expect(MistakeRow.all.count == made.count + Mistake.elsewhere.count)
    let shown = Set(MistakeRow.all.map { $0.mistake })
    #expect(shown.count == MistakeRow.all.count && shown.isSuperset(of: made))
  }
}
