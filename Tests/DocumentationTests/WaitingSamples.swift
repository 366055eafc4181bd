// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

// The samples of Docs/Doubles/Spy.md and Docs/Recipes.md about reactions that come later.

protocol SeatSearch: Sendable {
  func find(_ text: String) async throws -> [String]
}

final class SeatSearchSpy: SeatSearch {
  let finds = AsyncSpy<String, [String], any Error>("find(_:)")
  func find(_ text: String) async throws -> [String] { try await finds(text) }
}

@MainActor final class SearchModel {
  @Inject var search: any SeatSearch
  private(set) var seats: [String] = []
  private var newest = 0

  @discardableResult func type(_ text: String) -> Task<Void, any Error> {
    newest += 1
    return Task { [number = newest] in
      let found = try await search.find(text)
      if number == newest { seats = found }
    }
  }
}

protocol TicketService: Sendable {
  func book(_ seat: String, completion: @escaping @Sendable (Result<String, any Error>) -> Void)
}

final class TicketServiceSpy: TicketService {
  typealias Completion = @Sendable (Result<String, any Error>) -> Void
  let books = Spy<(String, Completion), Void, Never>("book(_:completion:)")
  func book(_ seat: String, completion: @escaping Completion) { books(seat, completion) }
}

@MainActor final class BookingModel {
  @Inject var service: any TicketService
  private(set) var message = ""

  func book(_ seat: String) {
    message = "Booking"
    service.book(seat) { result in
      Task { @MainActor in self.message = (try? result.get()) ?? "Try again" }
    }
  }
}

protocol SeatFeed: Sendable {
  func updates() -> AsyncStream<Int>
}

final class SeatFeedSpy: SeatFeed {
  let streams = Spy<Void, AsyncStream<Int>, Never>("updates()")
  func updates() -> AsyncStream<Int> { streams() }
}

actor FreeSeats {
  private(set) var count = 0
  private let feed: any SeatFeed

  init(_ feed: any SeatFeed) { self.feed = feed }

  func watch() async {
    for await number in feed.updates() { count = number }
  }
}

@MainActor struct WaitingSamples {
  @Test func `a recorded call and the state after it`() async {
    let search = SeatSearchSpy()
    search.finds.returns(["A1"])
    let model = withOverrides(until: .endOfTest) {
      $0.register { search as any SeatSearch }
    } operation: {
      SearchModel()
    }
    model.type("A")
    #expect(await search.finds.calls(reach: 1))  // the call was made
    #expect(await eventually { model.seats == ["A1"] })  // its answer was handled
  }

  @Test func `answers in the wrong order`() async throws {
    let search = SeatSearchSpy()
    let (first, second) = (Gate(), Gate())
    search.finds.does(times: 1) { _ in
      try await first.wait()
      return ["old"]
    }
    .does { _ in
      try await second.wait()
      return ["new"]
    }
    let model = withOverrides(until: .endOfTest) {
      $0.register { search as any SeatSearch }
    } operation: {
      SearchModel()
    }
    let old = model.type("A")
    #expect(await search.finds.calls(reach: 1))
    let new = model.type("AB")
    #expect(await search.finds.calls(reach: 2))
    second.open()
    try await new.value
    first.open()
    try await old.value
    #expect(model.seats == ["new"])
  }

  @Test func `a callback at once`() async {
    let service = TicketServiceSpy()
    let model = withOverrides(until: .endOfTest) {
      $0.register { service as any TicketService }
    } operation: {
      BookingModel()
    }
    service.books.does { seat, completion in completion(.success("Ticket for \(seat)")) }
    model.book("A1")
    #expect(await eventually { model.message == "Ticket for A1" })
  }

  @Test func `a callback at once, beside a stub`() async {
    let service = TicketServiceSpy()
    let model = withOverrides(until: .endOfTest) {
      $0.register { service as any TicketService }
    } operation: {
      BookingModel()
    }
    service.books.when("A1", .any).onCall { $1(.failure(Offline())) }
    model.book("A1")
    #expect(await eventually { model.message == "Try again" })
  }

  @Test func `a stream that the test feeds`() async {
    let feed = SeatFeedSpy()
    let (stream, updates) = AsyncStream<Int>.makeStream()
    feed.streams.returns(stream)
    let free = FreeSeats(feed)
    let watching = Task { await free.watch() }
    updates.yield(12)
    #expect(await eventually { await free.count == 12 })
    updates.finish()
    await watching.value
  }

  @Test func `a callback later`() async throws {
    let service = TicketServiceSpy()
    let model = withOverrides(until: .endOfTest) {
      $0.register { service as any TicketService }
    } operation: {
      BookingModel()
    }
    model.book("A1")
    #expect(model.message == "Booking")
    let (seat, completion) = try #require(service.books.calls.last)
    completion(.success("Ticket for \(seat)"))
    #expect(await eventually { model.message == "Ticket for A1" })
  }
}

/// The spelling of XCTest.
final class WaitingCase: OverridesTestCase {
  private let search = SeatSearchSpy()

  override func overrides(_ layer: OverrideLayer) {
    layer.register { [search] in search as any SeatSearch }
  }

  @MainActor func testTheStateAfterACall() async {
    search.finds.returns(["A1"])
    let model = SearchModel()
    model.type("A")
    let isFound = await eventually { model.seats == ["A1"] }
    XCTAssertTrue(isFound)
  }
}

/// A dependency without a protocol.
struct SeatClient: Sendable {
  var free: @Sendable () async throws -> Int
  var book: @Sendable (_ seat: String) throws -> Void
}

struct SeatClientSpies {
  let free = AsyncSpy<Void, Int, any Error>("free()")
  let book = Spy<String, Void, any Error>("book(_:)")

  var client: SeatClient {
    SeatClient(free: { try await free() }, book: { try book($0) })
  }
}

extension SeatClient {
  static let live = SeatClient(free: { 12 }, book: { _ in })
}

extension Dependencies {
  static var seatClient: Dependency<SeatClient> { Dependency { .live } }
}

typealias Roll = @Sendable () -> Int

struct ClosureSamples {
  @Test func `a structure of closures`() async throws {
    let spies = SeatClientSpies()
    spies.free.returns(12)
    try await withOverrides {
      $0.override(\.seatClient, with: spies.client)
    } operation: {
      let client = Resolver.current.resolve(\.seatClient)
      if try await client.free() > 0 { try client.book("A1") }
    }
    #expect(spies.book.calls == ["A1"])
    try verify(spies)
  }

  @Test func `a function`() throws {
    let rolls = Spy<Void, Int, Never>("roll()")
    rolls.returns(6)
    try withOverrides {
      $0.register { { rolls() } as Roll }
    } operation: {
      let roll: Roll = try Resolver.current.resolve()
      #expect(roll() == 6)
    }
  }
}
