// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting
import XCTest

private let printed = RecordedText()
private let opened = RecordedURLs()
private let failures = FailureRecorder()
private let work = BackgroundWork()

/// Each key with each of its doubles, which the trait finds by a leading dot.
@Suite struct `A trait of one line` {
  private let resolver = Resolver.main

  @Test(.override(\.uuid, with: .counting)) func `counts UUIDs`() {
    #expect(resolver.resolve(\.uuid)() == .counted(1))
    #expect(resolver.resolve(\.uuid)() == .counted(2))
  }

  @Test(.override(\.uuid, with: .seeded(7))) func `seeds UUIDs`() {
    #expect(resolver.resolve(\.uuid)() == UUIDSource.seeded(7).uuid())
  }

  @Test(.override(\.uuid, with: .constant(.counted(7)))) func `repeats a UUID`() {
    #expect(resolver.resolve(\.uuid)() == .counted(7))
    #expect(resolver.resolve(\.uuid)() == .counted(7))
  }

  @Test(.override(\.uuid, with: .scripted(.counted(7), .counted(3)))) func `scripts UUIDs`() {
    #expect(resolver.resolve(\.uuid)() == .counted(7))
    #expect(resolver.resolve(\.uuid)() == .counted(3))
  }

  @Test(.override(\.randomNumberGenerator, with: .seeded(7))) func `seeds numbers`() {
    var expected = SeededGenerator(seed: 7)
    #expect(resolver.resolve(\.randomNumberGenerator).next() == expected.next())
  }

  @Test(.override(\.randomNumberGenerator, with: .constant(7))) func `repeats a number`() {
    let numbers = (0..<2).map { _ in resolver.resolve(\.randomNumberGenerator).next() }
    #expect(numbers == [7, 7])
  }

  @Test(.override(\.randomNumberGenerator, with: .scripted(7, 3))) func `scripts numbers`() {
    let numbers = (0..<2).map { _ in resolver.resolve(\.randomNumberGenerator).next() }
    #expect(numbers == [7, 3])
  }

  @Test(.override(\.date, with: .constant(since1970: 60))) func `fixes the date by a number`() {
    #expect(resolver.resolve(\.date).now == Date(timeIntervalSince1970: 60))
  }

  @Test(.override(\.date, with: .constant(.distantPast))) func `fixes the date`() {
    #expect(resolver.resolve(\.date).now == .distantPast)
  }

  @Test(.override(\.continuousClock, with: .immediate)) func `lets no task wait`() async throws {
    try await resolver.resolve(\.continuousClock).sleep(for: .seconds(3600))
  }

  @Test(.override(\.suspendingClock, with: .manual())) func `stops a clock`() async throws {
    let clock = try #require(resolver.resolve(\.suspendingClock) as? ManualClock)
    let sleeper = Task { [resolver] in
      try await resolver.resolve(\.suspendingClock).sleep(for: .seconds(3600))
    }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(3600))
    try await sleeper.value
  }

  @Test(.override(\.calendar, with: .gregorianUTC)) func `fixes the calendar`() {
    #expect(resolver.resolve(\.calendar) == .gregorianUTC)
  }

  @Test(.override(\.locale, with: .posix)) func `fixes the locale`() {
    #expect(resolver.resolve(\.locale) == .posix)
  }

  @Test(.override(\.preferredLocales, with: [.posix])) func `fixes the languages`() {
    #expect(resolver.resolve(\.preferredLocales) == [.posix])
  }

  @Test(.override(\.timeZone, with: .utc)) func `fixes the time zone`() {
    #expect(resolver.resolve(\.timeZone) == .utc)
  }

  @Test(.override(\.environment, with: ["HOME": "/home/me"])) func `fixes the environment`() {
    #expect(resolver.resolve(\.environment).variables == ["HOME": "/home/me"])
  }

  @Test(.override(\.arguments, with: ["tool", "word"])) func `fixes the arguments`() {
    #expect(resolver.resolve(\.arguments).words == ["tool", "word"])
  }

  @Test(.override(\.processInfo, with: .fixed(hostName: "stage"))) func `fixes the process`() {
    #expect(resolver.resolve(\.processInfo).hostName == "stage")
  }

  @Test(.override(\.standardOutput, with: .recorded)) func `records the output`() throws {
    let output = try #require(resolver.resolve(\.standardOutput) as? RecordedText)
    resolver.resolve(\.standardOutput).writeLine("sold")
    #expect(output.text == "sold\n")
  }

  @Test(.override(\.standardError, with: printed)) func `records the errors`() {
    resolver.resolve(\.standardError).write("sold out")
    #expect(printed.text == "sold out")
  }

  @Test(.override(\.fileSystem, with: .inMemory)) func `keeps files in memory`() throws {
    try resolver.resolve(\.fileSystem).write("7", to: "/seats")
    #expect(try resolver.resolve(\.fileSystem).list("/") == ["seats"])
  }

  @Test(.override(\.fileSystem, with: .inMemory(["/seats": "7"]))) func `has files`() throws {
    #expect(try resolver.resolve(\.fileSystem).readText("/seats") == "7")
  }

  @Test(.override(\.httpClient, with: .scripted(.init(text: "7")))) func `scripts a server`()
    async throws
  {
    let url = try #require(URL(string: "https://example.com"))
    #expect(try await resolver.resolve(\.httpClient).get(url).text == "7")
  }

  @Test(.override(\.httpClient, with: .stubbed { .init(text: $0.method) }))
  func `stubs a server`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(try await resolver.resolve(\.httpClient).get(url).text == "GET")
  }

  @Test(.override(\.keyValueStore, with: .inMemory)) func `keeps values in memory`() {
    resolver.resolve(\.keyValueStore).set(7, for: "level")
    #expect(resolver.resolve(\.keyValueStore).value(Int.self, for: "level") == 7)
  }

  @Test(.override(\.keyValueStore, with: .inMemory(["level": 7, "name": "Ada"])))
  func `has values`() {
    #expect(resolver.resolve(\.keyValueStore).value(String.self, for: "name") == "Ada")
  }

  @Test(.override(\.notifications, with: .isolated)) func `isolates notifications`() {
    #expect(resolver.resolve(\.notifications) !== NotificationCenter.default)
  }

  @Test(.override(\.openURL, with: .recorded(by: opened))) func `records URLs`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(await resolver.resolve(\.openURL)(url))
    #expect(opened.urls == [url])
  }

  @Test(.override(\.openURL, with: .refusing)) func `opens no URL`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(await !resolver.resolve(\.openURL)(url))
  }

  @Test(.override(\.mainQueue, with: .immediate)) func `schedules nothing`() {
    let ran = Spy<Void, Void, Never>("ran()")
    resolver.resolve(\.mainQueue).schedule(after: .seconds(3600)) { ran() }
    #expect(ran.callCount == 1)
  }

  @Test(.override(\.mainQueue, with: .manual())) func `schedules by hand`() throws {
    let queue = try #require(resolver.resolve(\.mainQueue) as? ManualScheduler)
    let ran = Spy<Void, Void, Never>("ran()")
    resolver.resolve(\.mainQueue).schedule(after: .seconds(1)) { ran() }
    #expect(ran.callCount == 0)
    queue.advance(by: .seconds(1))
    #expect(ran.callCount == 1)
  }

  @Test(.override(\.fireAndForget, with: work)) func `shares the work`() async {
    let start = resolver.resolve(\.fireAndForget)
    start {}
    #expect(start === work)
    #expect(await work.finished())
  }

  @Test(.override(\.assert, with: .recorded(by: failures))) func `records an assertion`() {
    resolver.resolve(\.assert)(false, "asserted")
    #expect(failures.failures.map(\.message).contains("asserted"))
  }

  @Test(.override(\.precondition, with: .reporting)) func `reports a precondition`() async {
    let issues = await issues { resolver.resolve(\.precondition)(false, "conditioned") }
    #expect(issues == ["conditioned"])
  }

  @Test(.override(\.fatalError, with: .throwing)) func `throws at an end`() {
    #expect(throws: ProgramEnd.self) { try resolver.resolve(\.fatalError)("ended") }
  }

  @Test(.override(\.fatalError, with: .recorded(by: failures))) func `records an end`() {
    #expect(throws: ProgramEnd.self) { try resolver.resolve(\.fatalError)("recorded") }
    #expect(failures.failures.map(\.message).contains("recorded"))
  }
}

/// The same for an XCTest case whose layer overrides all keys.
final class EssentialsCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) throws {
    layer.override(\.uuid, with: .counting)
    layer.override(\.randomNumberGenerator, with: .constant(7))
    layer.override(\.date, with: .constant(since1970: 60))
    layer.override(\.continuousClock, with: .immediate)
    layer.override(\.suspendingClock, with: .manual())
    layer.override(\.calendar, with: .gregorianUTC)
    layer.override(\.locale, with: .posix)
    layer.override(\.preferredLocales, with: [.posix])
    layer.override(\.timeZone, with: .utc)
    layer.override(\.environment, with: ["HOME": "/home/me"])
    layer.override(\.arguments, with: ["tool", "word"])
    layer.override(\.processInfo, with: .fixed(hostName: "stage"))
    layer.override(\.standardOutput, with: .recorded)
    layer.override(\.standardError, with: .recorded)
    layer.override(\.fileSystem, with: .inMemory(["/seats": "7"]))
    layer.override(\.httpClient, with: .stubbed { .init(text: $0.method) })
    layer.override(\.keyValueStore, with: .inMemory(["level": 7]))
    layer.override(\.notifications, with: .isolated)
    layer.override(\.openURL, with: .refusing)
    layer.override(\.mainQueue, with: .immediate)
    layer.override(\.fireAndForget, with: work)
    layer.override(\.assert, with: .recorded(by: failures))
    layer.override(\.precondition, with: .recorded(by: failures))
    layer.override(\.fatalError, with: .throwing)
  }

  func testEachKeyHasItsDouble() async throws {
    let resolver = Resolver.main
    let url = try XCTUnwrap(URL(string: "https://example.com"))
    XCTAssertEqual(resolver.resolve(\.uuid)(), .counted(1))
    XCTAssertEqual(resolver.resolve(\.randomNumberGenerator).next(), 7)
    XCTAssertEqual(resolver.resolve(\.date).now, Date(timeIntervalSince1970: 60))
    XCTAssertTrue(resolver.resolve(\.continuousClock) is ImmediateClock)
    XCTAssertTrue(resolver.resolve(\.suspendingClock) is ManualClock)
    XCTAssertEqual(resolver.resolve(\.calendar), .gregorianUTC)
    XCTAssertEqual(resolver.resolve(\.locale), .posix)
    XCTAssertEqual(resolver.resolve(\.preferredLocales), [.posix])
    XCTAssertEqual(resolver.resolve(\.timeZone), .utc)
    XCTAssertEqual(resolver.resolve(\.environment)["HOME"], "/home/me")
    XCTAssertEqual(resolver.resolve(\.arguments).words, ["tool", "word"])
    XCTAssertEqual(resolver.resolve(\.processInfo).hostName, "stage")
    XCTAssertTrue(resolver.resolve(\.standardOutput) is RecordedText)
    XCTAssertTrue(resolver.resolve(\.standardError) is RecordedText)
    XCTAssertEqual(try resolver.resolve(\.fileSystem).readText("/seats"), "7")
    let answer = try await resolver.resolve(\.httpClient).get(url).text
    XCTAssertEqual(answer, "GET")
    XCTAssertEqual(resolver.resolve(\.keyValueStore).value(Int.self, for: "level"), 7)
    XCTAssertFalse(resolver.resolve(\.notifications) === NotificationCenter.default)
    let isOpened = await resolver.resolve(\.openURL)(url)
    XCTAssertFalse(isOpened)
    XCTAssertTrue(resolver.resolve(\.mainQueue) is ImmediateScheduler)
    XCTAssertTrue(resolver.resolve(\.fireAndForget) === work)
    resolver.resolve(\.assert)(false, "asserted by a case")
    resolver.resolve(\.precondition)(false, "conditioned by a case")
    let messages = failures.failures.map(\.message)
    XCTAssertTrue(messages.contains("asserted by a case"))
    XCTAssertTrue(messages.contains("conditioned by a case"))
    XCTAssertThrowsError(try resolver.resolve(\.fatalError)("ended"))
  }
}
