// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Observation
import Testing
import UnderstudyTesting
import XCTest

// The samples of Docs/Isolation.md.

protocol Sales: Sendable { func sell(_ seat: String) throws }

final class SalesSpy: Sales {
  let sells = Spy<String, Void, any Error>("sell(_:)")
  func sell(_ seat: String) throws { try sells(seat) }
}

struct RemoteSales: Sales {
  func sell(_ seat: String) {}
}

actor Ledger {
  @Inject var sales: any Sales
  private var sold: [String] = []

  func sell(_ seat: String) throws {
    try sales.sell(seat)
    sold.append(seat)
  }
}

@MainActor final class SeatsModel {
  let sales: any Sales
  private(set) var message = ""

  init(sales: any Sales) { self.sales = sales }

  func tap(_ seat: String) {
    do {
      try sales.sell(seat)
      message = "Sold \(seat)"
    } catch {
      message = "Try again"
    }
  }
}

@MainActor final class PanelModel {
  @Inject var sales: any Sales
  @LazyInject var ledger: Ledger
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@Observable @MainActor final class SeasonModel {
  @ObservationIgnored @Inject var sales: any Sales
  @ObservationIgnored @LazyInject var ledger: Ledger
  var seats = ["A1", "A2"]

  func sellFirst() throws {
    try sales.sell(seats.removeFirst())
  }
}

final class TicketPrinter: Sendable {
  private let queue = DispatchQueue(label: "printer")
  private let sales = Inject<any Sales>().wrappedValue

  func printTicket(_ seat: String, completion: @escaping @Sendable (Bool) -> Void) {
    let context = OverrideContext.current
    queue.async { [sales] in
      context.run {
        let isSold = (try? sales.sell(seat)) != nil
        completion(isSold)
      }
    }
  }
}

// All of them in one app.

struct SeatsAssembly: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register(lifecycle: .cached) { RemoteSales() as any Sales }
    registrar.register(lifecycle: .cached) { Ledger() }
    registrar.register(lifecycle: .cached) { TicketPrinter() }
    registrar.register(lifecycle: .cached) { @MainActor r in SeatsModel(sales: try r.resolve()) }
  }
}

@Suite(
  .overrides {
    $0.install(SeatsAssembly())
    $0.register(lifecycle: .cached) { SalesSpy() as any Sales }
  })
struct SeatsTests {
  @Test func `an actor, a model and a callback sell through one double`() async throws {
    let ledger: Ledger = try Resolver.current.resolve()
    try await ledger.sell("A1")
    let model = try await Resolver.current.resolveAsync(SeatsModel.self)
    await model.tap("A2")
    let printer: TicketPrinter = try Resolver.current.resolve()
    let isPrinted = await withCheckedContinuation { continuation in
      printer.printTicket("A3") { continuation.resume(returning: $0) }
    }
    #expect(isPrinted)
    let sales = Resolver.current.existing((any Sales).self, as: SalesSpy.self)
    #expect(sales?.sells.calls == ["A1", "A2", "A3"])
  }
}

final class SeatsAppCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) {
    layer.install(SeatsAssembly())
    layer.register(lifecycle: .cached) { SalesSpy() as any Sales }
  }

  func testAnActorAModelAndACallbackSellThroughOneDouble() async throws {
    let ledger: Ledger = try Resolver.current.resolve()
    try await ledger.sell("A1")
    let model = try await Resolver.current.resolveAsync(SeatsModel.self)
    await model.tap("A2")
    let printer: TicketPrinter = try Resolver.current.resolve()
    let isPrinted = expectation(description: "printed")
    printer.printTicket("A3") { if $0 { isPrinted.fulfill() } }
    await fulfillment(of: [isPrinted], timeout: 60)
    let sales = Resolver.current.existing((any Sales).self, as: SalesSpy.self)
    XCTAssertEqual(sales?.sells.calls, ["A1", "A2", "A3"])
  }
}

struct IsolationSamples {
  @Test(.overrides { $0.register { SalesSpy() as any Sales } })
  func `an actor sells through its double`() async throws {
    let ledger = Ledger()
    try await ledger.sell("A1")
    assertResolved((any Sales).self, count: 1)
  }

  @Test @MainActor func `a model sells through its double`() throws {
    let sales = SalesSpy()
    let resolver = Resolver()
    try withOverrides(of: resolver) {
      $0.register { sales as any Sales }
      $0.register { @MainActor r in SeatsModel(sales: try r.resolve()) }
    } operation: {
      let model: SeatsModel = try resolver.resolve()
      model.tap("A1")
      #expect(model.message == "Sold A1")
    }
    #expect(sales.sells.calls == ["A1"])
  }

  @Test @MainActor func `a decorated model`() throws {
    let resolver = Resolver()
    resolver.register { RemoteSales() as any Sales }
    resolver.register { @MainActor r in SeatsModel(sales: try r.resolve()) }
    try withOverrides(of: resolver) {
      $0.decorate(SeatsModel.self) { model in
        MainActor.assumeIsolated { SeatsModel(sales: model.sales) }
      }
    } operation: {
      let model: SeatsModel = try resolver.resolve()
      model.tap("A1")
      #expect(model.message == "Sold A1")
    }
  }

  @Test func `a model from anywhere else`() async throws {
    let resolver = Resolver()
    resolver.register { RemoteSales() as any Sales }
    resolver.register { @MainActor r in SeatsModel(sales: try r.resolve()) }
    let model = try await resolver.resolveAsync(SeatsModel.self)
    await model.tap("A1")
    #expect(await model.message == "Sold A1")
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(
    .overrides {
      $0.register { SalesSpy() as any Sales }
      $0.register { Ledger() }
    })
  @MainActor func `an observable model sells through its double`() async throws {
    let model = SeasonModel()
    try model.sellFirst()
    #expect(model.seats == ["A2"])
    try await model.ledger.sell("A2")
    let panel = PanelModel()
    try await panel.ledger.sell("A3")
    _ = panel.sales
  }

  @Test func `all of them in production`() async throws {
    let resolver = Resolver()
    resolver.install(SeatsAssembly())
    try resolver.graph.validate()
    let model = try await resolver.resolveAsync(SeatsModel.self)
    await model.tap("A1")
    #expect(await model.message == "Sold A1")
  }

  @Test func `a callback of a queue sees the double`() async {
    let sales = SalesSpy()
    await withOverrides {
      $0.register { sales as any Sales }
    } operation: {
      let printer = TicketPrinter()
      let isPrinted = await withCheckedContinuation { continuation in
        printer.printTicket("A1") { continuation.resume(returning: $0) }
      }
      #expect(isPrinted)
    }
    #expect(sales.sells.calls == ["A1"])
  }
}

@MainActor protocol Confirming { func ask(_ question: String) -> Bool }

@MainActor final class ConfirmingSpy: Confirming {
  let asks = Spy<String, Bool, Never>("ask(_:)")
  func ask(_ question: String) -> Bool { asks(question) }
}

@MainActor final class DoorModel {
  var isOpen = false
}

@MainActor struct StubsOnTheMainActor {
  @Test func `a stub reads the state of the main actor`() {
    let (dialog, model) = (ConfirmingSpy(), DoorModel())
    dialog.asks.does { _ in MainActor.assumeIsolated { model.isOpen } }
    #expect(!dialog.ask("Open?"))
    model.isOpen = true
    #expect(dialog.ask("Open?"))
  }

  @Test func `an asynchronous stub waits for the state of the main actor`() async {
    let (asks, model) = (AsyncSpy<String, Bool, Never>("ask(_:)"), DoorModel())
    model.isOpen = true
    asks.does { _ in await model.isOpen }
    #expect(await asks("Open?"))
  }
}

final class SeatsCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) {
    layer.register(lifecycle: .cached) { SalesSpy() as any Sales }
  }

  func testAnActorSellsThroughItsDouble() async throws {
    let ledger = Ledger()
    try await ledger.sell("A1")
    assertResolved((any Sales).self, count: 1)
  }

  @MainActor func testAModelSellsThroughItsDouble() async throws {
    let model = SeatsModel(sales: try Resolver.current.resolve())
    model.tap("A1")
    XCTAssertEqual(model.message, "Sold A1")
  }

  func testACallbackOfAQueueSeesTheDouble() {
    let printer = TicketPrinter()
    let isPrinted = expectation(description: "printed")
    printer.printTicket("A1") { if $0 { isPrinted.fulfill() } }
    wait(for: [isPrinted], timeout: 60)
  }
}
