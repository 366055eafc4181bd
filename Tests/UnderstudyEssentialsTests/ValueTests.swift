// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

@Suite struct `Ready-made values` {
  private let resolver = Resolver.main

  @Test(.overrides(.live(.allowed))) func `a UUID is the system's, or the double's`() async {
    #expect(resolver.resolve(\.uuid)() != resolver.resolve(\.uuid)())
    await underLayer {
      $0.override(\.uuid, with: .counting)
    } operation: {
      let texts = (1...3).map { _ in resolver.resolve(\.uuid)().uuidString }
      #expect(texts == (1...3).map { "00000000-0000-0000-0000-00000000000\($0)" })
      #expect(texts == (1...3).map { UUID.counted($0).uuidString })
      #expect(resolver.resolve(\.uuid)() == .counted(4))
    }
  }

  @Test(arguments: [
    UUIDGenerator.constant(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") ?? UUID()),
    .scripted(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") ?? UUID()),
  ])
  func `a UUID is passed unchanged`(source: UUIDGenerator) {
    #expect(source().uuidString == "01234567-89AB-CDEF-0123-456789ABCDEF")
  }

  @Test func `a double is given by its bare name in a block, too`() async {
    await underLayer {
      $0.override(\.uuid) { .seeded(7) }
      $0.override(\.date) { .constant(since1970: 60) }
      $0.override(\.continuousClock) { .immediate }
    } operation: {
      #expect(resolver.resolve(\.uuid)() == UUIDSource.seeded(7).uuid())
      #expect(resolver.resolve(\.date).now == Date(timeIntervalSince1970: 60))
      #expect(resolver.resolve(\.continuousClock) is ImmediateClock)
      withOverrides(.live(.allowed), of: resolver) { _ in
      } operation: {
        #expect(resolver.resolve(\.suspendingClock) is SuspendingClock)
      }
    }
  }

  @Test(.overrides(.live(.allowed)))
  func `a double given with a value is created at the first request, and once`() async {
    let makings = Lock(0)
    await underLayer {
      $0.override(\.uuid, with: makings.counted(.counting))
      #expect(makings.withLock { $0 } == 0)
    } operation: {
      _ = resolver.resolve(\.uuid)
      _ = resolver.resolve(\.uuid)
    }
    #expect(makings.withLock { $0 } == 1)
  }

  @Test(.overrides(.live(.allowed)))
  func `random numbers are the system's, or the double's`() async {
    let numbers = (0..<4).map { _ in resolver.resolve(\.randomNumberGenerator).next() }
    #expect(Set(numbers).count > 1)
    await underLayer {
      $0.override(\.randomNumberGenerator, with: .seeded(7))
    } operation: {
      let dice = resolver.resolve(\.randomNumberGenerator)
      let thrown = (0..<5).map { _ in dice.using { Int.random(in: 1...6, using: &$0) } }
      var expected = SeededGenerator(seed: 7)
      #expect(thrown == (0..<5).map { _ in Int.random(in: 1...6, using: &expected) })
    }
  }

  @Test(.overrides(.live(.allowed))) func `regions are the user's, or fixed`() async {
    #expect(resolver.resolve(\.calendar) == .autoupdatingCurrent)
    let languages = resolver.resolve(\.preferredLocales).map(\.identifier)
    #expect(languages == Locale.preferredLanguages.map { Locale(identifier: $0).identifier })
    await underLayer {
      $0.override(\.calendar, with: .gregorianUTC)
      $0.override(\.locale, with: .posix)
      $0.override(\.timeZone, with: .utc)
    } operation: {
      let calendar = resolver.resolve(\.calendar)
      #expect(calendar.identifier == .gregorian)
      #expect(calendar.timeZone.secondsFromGMT() == 0)
      #expect(resolver.resolve(\.locale).identifier == "en_US_POSIX")
      #expect(resolver.resolve(\.timeZone).secondsFromGMT() == 0)
    }
  }

  @Test(.overrides(.live(.allowed)))
  func `the process describes itself, or a double does`()
    async
  {
    #expect(resolver.resolve(\.environment)["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    #expect(Array(resolver.resolve(\.arguments)) == ProcessInfo.processInfo.arguments)
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(resolver.resolve(\.processInfo).processIdentifier == pid)
    await underLayer {
      $0.override(\.environment, with: ["HOME": "/home/me"])
      $0.override(\.arguments, with: ["box-office", "sell"])
      $0.override(\.processInfo, with: .fixed(processIdentifier: 7))
    } operation: {
      #expect(resolver.resolve(\.environment).variables == ["HOME": "/home/me"])
      #expect(resolver.resolve(\.arguments).dropFirst().first == "sell")
      #expect(resolver.resolve(\.processInfo).processIdentifier == 7)
    }
  }

  @Test func `written text is recorded`() async {
    let output = RecordedText()
    await underLayer {
      $0.override(\.standardOutput, with: output)
      $0.override(\.standardError, with: .recorded)
    } operation: {
      resolver.resolve(\.standardOutput).writeLine("one")
      resolver.resolve(\.standardOutput).write("two\n")
      resolver.resolve(\.standardError).writeLine("elsewhere")
    }
    #expect(output.text == "one\ntwo\n")
    #expect(output.writes.first == "one\n")
  }

  @Test(.overrides(.live(.allowed)))
  func `notifications of another center are not received`()
    async
  {
    let name = Notification.Name("isolated")
    let seen = Lock(0)
    let observer = NotificationCenter.default.addObserver(
      forName: name, object: nil, queue: nil
    ) { _ in seen.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    await underLayer {
      $0.override(\.notifications, with: .isolated)
    } operation: {
      resolver.resolve(\.notifications).post(name: name, object: nil)
    }
    #expect(seen.withLock { $0 } == 0)
    resolver.resolve(\.notifications).post(name: name, object: nil)
    #expect(seen.withLock { $0 } == 1)
  }

  @Test func `opened URLs are recorded`() async throws {
    let url = try #require(URL(string: "https://example.com/help"))
    let opened = RecordedURLs()
    await underLayer {
      $0.override(\.openURL, with: .recorded(by: opened))
    } operation: {
      #expect(await resolver.resolve(\.openURL)(url))
    }
    #expect(opened.urls == [url])
    #expect(await URLOpener.refusing(url) == false)
  }
}

extension Lock<Int> {
  /// Counts each creation of `value`.
  fileprivate func counted(_ value: UUIDGenerator) -> UUIDGenerator {
    withLock { $0 += 1 }
    return value
  }
}

/// A test that forgets one of these dependencies would depend on the machine or the network.
@Suite struct `The guard of a ready-made dependency` {
  private static let guards: [String: LiveGuard?] = [
    "arguments": Dependencies.arguments.registration.inTests,
    "assert": Dependencies.assert.registration.inTests,
    "calendar": Dependencies.calendar.registration.inTests,
    "continuousClock": Dependencies.continuousClock.registration.inTests,
    "date": Dependencies.date.registration.inTests,
    "environment": Dependencies.environment.registration.inTests,
    "fatalError": Dependencies.fatalError.registration.inTests,
    "fileSystem": Dependencies.fileSystem.registration.inTests,
    "fireAndForget": Dependencies.fireAndForget.registration.inTests,
    "httpClient": Dependencies.httpClient.registration.inTests,
    "keyValueStore": Dependencies.keyValueStore.registration.inTests,
    "locale": Dependencies.locale.registration.inTests,
    "mainQueue": Dependencies.mainQueue.registration.inTests,
    "notifications": Dependencies.notifications.registration.inTests,
    "openURL": Dependencies.openURL.registration.inTests,
    "precondition": Dependencies.precondition.registration.inTests,
    "preferredLocales": Dependencies.preferredLocales.registration.inTests,
    "processInfo": Dependencies.processInfo.registration.inTests,
    "randomNumberGenerator": Dependencies.randomNumberGenerator.registration.inTests,
    "standardError": Dependencies.standardError.registration.inTests,
    "standardOutput": Dependencies.standardOutput.registration.inTests,
    "suspendingClock": Dependencies.suspendingClock.registration.inTests,
    "timeZone": Dependencies.timeZone.registration.inTests,
    "uuid": Dependencies.uuid.registration.inTests,
  ]

  @Test func `applies to every dependency except those that the page names`() {
    let unguarded = Self.guards.filter { $0.value != .mustBeOverridden }.keys.sorted()
    #expect(
      unguarded == [
        "assert", "fatalError", "fireAndForget", "precondition", "standardError", "standardOutput",
      ])
    #expect(Self.guards.count == 24)
  }

  @Test func `is one issue of the test, which continues`() async {
    struct Order {
      @Inject(\.uuid) var uuid
    }
    let issues = await issues {
      let order = Order()
      #expect(!order.$uuid.isAvailable)
      #expect(throws: ResolutionError.self) { try order.$uuid.get() }
    }
    let text = "'\\.uuid' must be overridden in tests, and production would have answered."
    #expect(issues == [text])
  }
}
