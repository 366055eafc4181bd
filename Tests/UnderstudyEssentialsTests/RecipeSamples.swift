// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The samples of Docs/Essentials.md and Docs/WhereDidMyDoubleGo.md.

private final class Order {
  @Inject(\.uuid) var uuid
  @Inject(\.date) var date
  lazy var id = uuid()
  lazy var placed = date.now
}

/// One line for each dependency of your own, in any module.
protocol Weather: Sendable {
  func isDry() async throws -> Bool
}

private struct WeatherService: Weather {
  func isDry() async throws -> Bool { true }
}

extension Dependencies {
  static var weather: Dependency<any Weather> { Dependency { WeatherService() } }
}

extension Dependencies {
  fileprivate static var sharedOrder: Dependency<SharedOrder> {
    Dependency(lifecycle: .cached) { SharedOrder() }
  }
}

private final class SharedOrder: Sendable {}

private struct DryWeather: Weather {
  func isDry() async throws -> Bool { true }
}

@Suite struct `A recipe of the page` {
  private let resolver = Resolver.main

  @Test func `for the identity of an order`() {
    withOverrides {
      $0.override(\.uuid, with: .counting)
      $0.override(\.date, with: .constant(since1970: 60))
    } operation: {
      let order = Order()
      #expect(order.id == .counted(1))
      #expect(order.placed == Date(timeIntervalSince1970: 60))
    }
  }

  @Test func `for randomness`() {
    withOverrides {
      $0.override(\.randomNumberGenerator, with: .seeded(7))
    } operation: {
      let random = resolver.resolve(\.randomNumberGenerator)
      let side = random.using { Int.random(in: 1...6, using: &$0) }
      #expect((1...6).contains(side))
    }
  }

  @Test func `for time`() async throws {
    let clock = ManualClock()
    try await withOverrides {
      $0.override(\.continuousClock, with: clock)
    } operation: {
      let reminder = Task { [resolver] in
        try await resolver.resolve(\.continuousClock).sleep(for: .seconds(60))
      }
      await clock.sleepers(reach: 1)
      clock.advance(by: .seconds(60))
      try await reminder.value
    }
    try await withOverrides {
      $0.override(\.suspendingClock, with: .immediate)
    } operation: {
      try await resolver.resolve(\.suspendingClock).sleep(for: .seconds(60))  // returns at once
    }
  }

  @Test func `for regions`() {
    withOverrides {
      $0.override(\.calendar, with: .gregorianUTC)
      $0.override(\.locale, with: .posix)
      $0.override(\.preferredLocales, with: [.posix])
      $0.override(\.timeZone, with: .utc)
    } operation: {
      #expect(resolver.resolve(\.calendar).timeZone == resolver.resolve(\.timeZone))
      #expect(resolver.resolve(\.locale).identifier == "en_US_POSIX")
      #expect(resolver.resolve(\.preferredLocales) == [.posix])
    }
  }

  @Test func `for a process`() {
    let output = RecordedText()
    let errors = RecordedText()
    withOverrides {
      $0.override(\.environment, with: ["HOME": "/home/me"])
      $0.override(\.arguments, with: ["box-office", "report"])
      $0.override(\.processInfo, with: .fixed(hostName: "stage"))
      $0.override(\.standardOutput, with: output)
      $0.override(\.standardError, with: errors)
    } operation: {
      let words = resolver.resolve(\.arguments).dropFirst()
      let home = resolver.resolve(\.environment)["HOME"] ?? "/"
      let host = resolver.resolve(\.processInfo).hostName
      resolver.resolve(\.standardOutput).writeLine("\(words.joined()) of \(home) at \(host)")
    }
    #expect(output.text == "report of /home/me at stage\n")
    #expect(errors.text.isEmpty)
  }

  @Test func `for files`() throws {
    try withOverrides {
      $0.override(\.fileSystem, with: .inMemory(["/season.json": "[]"]))
    } operation: {
      let files = resolver.resolve(\.fileSystem)
      try files.write("Sold out", to: "/notices/today.txt")
      try #expect(files.list("/") == ["notices", "season.json"])
    }
  }

  @Test func `for HTTP`() async throws {
    let server: HTTPStub = .scripted(.init(status: 503), .init(text: "12 seats"))
    let url = try #require(URL(string: "https://example.com/seats"))
    try await withOverrides {
      $0.override(\.httpClient, with: server)
    } operation: {
      let http = resolver.resolve(\.httpClient)
      try await #expect(http.get(url).status == 503)
      try await #expect(http.get(url).text == "12 seats")
    }
    #expect(server.requests.map(\.method) == ["GET", "GET"])
  }

  @Test func `for settings and notifications`() {
    withOverrides {
      $0.override(\.keyValueStore, with: .inMemory(["volume": 3]))
      $0.override(\.notifications, with: .isolated)
    } operation: {
      let store = resolver.resolve(\.keyValueStore)
      store.set((store.value(Int.self, for: "volume") ?? 0) + 1, for: "volume")
      #expect(store.value(Int.self, for: "volume") == 4)
      resolver.resolve(\.notifications).post(name: .init("louder"), object: nil)
    }
  }

  @Test func `for opening a URL`() async throws {
    let opened = RecordedURLs()
    let help = try #require(URL(string: "https://example.com/help"))
    await withOverrides {
      $0.override(\.openURL, with: .recorded(by: opened))
    } operation: {
      let openURL = resolver.resolve(\.openURL)
      await openURL(help)
    }
    #expect(opened.urls == [help])
  }

  @Test func `for scheduled work`() {
    let queue = ManualScheduler()
    withOverrides {
      $0.override(\.mainQueue, with: queue)
    } operation: {
      resolver.resolve(\.mainQueue).schedule(after: .seconds(1)) { /* hide the banner */  }
      queue.advance(by: .seconds(1))
      #expect(queue.pendingCount == 0)
    }
  }

  @MainActor private final class Banner {
    private(set) var isHidden = false
    func hide() { isHidden = true }
  }

  @Test func `for scheduled work of the main actor`() async {
    let queue = ManualScheduler()
    let banner = Banner()
    let hidden = Spy<Void, Void, Never>("hidden()")
    await withOverrides {
      $0.override(\.mainQueue, with: queue)
    } operation: {
      let mainQueue = resolver.resolve(\.mainQueue)
      mainQueue.schedule(after: .seconds(1)) {
        Task { @MainActor in
          banner.hide()
          hidden()
        }
      }
      queue.advance(by: .seconds(1))
      #expect(await hidden.calls(reach: 1, within: .seconds(600)))
    }
    #expect(await banner.isHidden)
  }

  @Test(.overrides { $0.override(\.uuid, with: .counting) })
  func `for background work`() async {
    let start = resolver.resolve(\.fireAndForget)
    start { [resolver] in _ = resolver.resolve(\.uuid) }
    await start.finished()
    assertResolved(\.uuid, count: 1)
  }

  @Test func `for a failed check`() {
    let failures = FailureRecorder()
    withOverrides {
      $0.override(\.assert, with: .recorded(by: failures))
      $0.override(\.precondition, with: .recorded(by: failures))
      $0.override(\.fatalError, with: .throwing)
    } operation: {
      let (assert, precondition) = (resolver.resolve(\.assert), resolver.resolve(\.precondition))
      assert(1 < 2, "This holds.")
      precondition(1 > 2, "No seat was asked for.")
      let fatalError = resolver.resolve(\.fatalError)
      #expect(throws: ProgramEnd.self) { try fatalError("The house burns.") }
    }
    #expect(failures.failures.map(\.message) == ["No seat was asked for."])
  }

  @Test func `for your own dependency, which is one for every access`() {
    #expect(Dependencies.weather.key == Dependencies.weather.key)
    #expect(resolver.resolve(\.sharedOrder) === resolver.resolve(\.sharedOrder))
    withOverrides {
      $0.override(\.weather) { DryWeather() }
    } operation: {
      #expect(resolver.resolve(\.weather) is DryWeather)
    }
    #expect(resolver.resolve(\.weather) is WeatherService)
  }

  private func start(_ demo: OverrideProfile) throws {
    try OverrideProfile.start(.onPreview(demo), .onSimulator(demo), .onArgument("--demo", demo))
  }

  private func carry(_ queue: DispatchQueue, _ operations: OperationQueue, _ outbox: Outbox) async {
    queue.asyncCarrying { outbox.send() }
    operations.addOperationCarrying { outbox.send() }
    Thread.detachNewThreadCarrying { outbox.send() }
    Task.detachedCarrying { outbox.send() }
    outbox.onTap(OverrideContext.current.wrap { outbox.send() })
    await withTaskCancellationHandlerCarrying {
      await outbox.flush()
    } onCancel: {
      outbox.send()
    }
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTerminationCarrying { _ in outbox.send() }
    withExtendedLifetime(stream) {}
    await MainActor.run { [context = OverrideContext.current] in
      let button = Button()
      button.onTap = { context.run { button.show() } }
    }
  }

  @MainActor private final class Button {
    var onTap: () -> Void = {}
    func show() {}
  }

  private struct Outbox: Sendable {
    func onTap(_ handler: @escaping @Sendable () -> Void) { handler() }
    func send() {}
    func flush() async {}
  }
}

// The sample of Docs/Recipes.md.

struct Ticket: Equatable {
  let id: UUID
  let sold: Date
}

struct TicketOffice {
  @Inject(\.uuid) var uuid
  @Inject(\.date) var date
  @Inject(\.continuousClock) var clock

  func sell() async throws -> Ticket {
    try await clock.sleep(for: .seconds(30))
    return Ticket(id: uuid(), sold: date.now)
  }
}

@Suite struct `A recipe for identity and time` {
  @Test(
    .overrides {
      $0.override(\.uuid, with: .counting)
      $0.override(\.date, with: .constant(since1970: 60))
      $0.override(\.continuousClock, with: .immediate)
    })
  func `a ticket is sold after thirty seconds`() async throws {
    let ticket = try await TicketOffice().sell()
    #expect(ticket.id == .counted(1))
    #expect(ticket.sold == Date(timeIntervalSince1970: 60))
  }
}

struct Session {
  @Inject(\.date) var date
  @Inject(\.continuousClock) var clock
  @Inject(\.mainQueue) var mainQueue

  func run(_ log: @escaping @Sendable (String) -> Void) async throws {
    mainQueue.schedule(after: .seconds(90)) { log("warned") }
    while true {
      try await clock.sleep(for: .seconds(60))
      log("saved at \(date.now.timeIntervalSince1970)")
    }
  }
}

@Suite struct `A recipe for fake timers` {
  @Test func `a session is saved every minute, and warns once`() async {
    let clock = ManualClock()
    let log = Spy<String, Void, Never>("log(_:)")
    await withOverrides {
      $0.override(\.continuousClock, with: clock)
      $0.override(\.date, with: ManualDate(following: clock, since1970: 0))
      $0.override(\.mainQueue, with: ManualScheduler(on: clock))
    } operation: {
      let session = Task { try await Session().run { log($0) } }
      await clock.run(for: .seconds(120), sleepers: 1)
      #expect(log.calls == ["saved at 60.0", "warned", "saved at 120.0"])
      session.cancel()
      _ = await session.result
    }
  }
}

/// The exceptions to the live guard of the ready-made dependencies.
struct GuardSamples {
  private let resolver = Resolver()

  @Test(arguments: ["Sold out", "12 seats"])
  func `the network in parallel tests`(answer: String) async throws {
    let server: HTTPStub = .stubbed { _ in .init(text: answer) }
    try await withOverrides(of: resolver) {
      $0.register(lifecycle: .cached) { server.session() }
    } operation: {
      let url = try #require(URL(string: "https://example.com/seats"))
      let (data, _) = try await resolver.resolve(URLSession.self).data(from: url)
      #expect(String(decoding: data, as: UTF8.self) == answer)
    }
    #expect(server.requests.map(\.url.path) == ["/seats"])
  }

  @Test(.override(\.date, with: .constant(since1970: 60)))
  func `one key in one line`() {
    #expect(Resolver.main.resolve(\.date).now == Date(timeIntervalSince1970: 60))
  }

  @Test(.overrides(allowing: (any DateProviding).self, UUIDGenerator.self))
  func `real dates and UUIDs`() {
    #expect(resolver.resolve(\.date).now.timeIntervalSince1970 > 60)
    #expect(resolver.resolve(\.uuid)() != resolver.resolve(\.uuid)())
  }

  @Suite(.overrides(allowing: (any FileSystem).self))
  struct RealFiles {
    @Test func `are read`() throws {
      try #expect(!Resolver.main.resolve(\.fileSystem).list("/").isEmpty)
    }
  }

  @Suite(.overrides(.live(.allowed)))
  struct Real {
    @Test func `are all`() {
      #expect(!Resolver.main.resolve(\.arguments).isEmpty)
    }
  }
}
