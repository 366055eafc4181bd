// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

import Post
import Testing
import Understudy

@testable import Shop

@Suite struct WiringTests {
  private let resolver = Resolver()

  init() {
    resolver.install(ShopWiring())
    resolver.register(Settings(title: "Shop"))
  }

  @Test func `the wiring is complete`() throws {
    try resolver.graph.validate()
  }

  @Test func `DE-43 a component answers to its type and to its protocols with one instance`() throws
  {
    let library = try resolver.resolve(Library.self)
    #expect(try resolver.resolve((any Shelf).self) as AnyObject === library)
    #expect(try resolver.resolve(Library.self) === library)
    #expect(library.settings.title == "Shop")
  }

  @Test func `arrays have all components, or those with the label's name`() throws {
    let library = try resolver.resolve(Library.self)
    #expect(library.books.map(\.title) == ["Emma", "Ulysses", "Momo"])
    #expect(library.novels.map(\.title) == ["Ulysses", "Momo"])
  }

  @Test func `a label that is a name chooses a component`() throws {
    let ledger = try resolver.resolve(Ledger.self)
    #expect(ledger.work.owner == "work")
    #expect(ledger.home.owner == "home")
  }

  @Test func `DE-40 every kind of type can be a component, and conform elsewhere`() async throws {
    let season = try resolver.resolve((any Opening).self)
    #expect(season as? Season == .summer)
    #expect(try resolver.resolve(Emma.self).title == "Emma")
    #expect(try resolver.resolve(Workshop.self) === resolver.resolve(Workshop.self))
    #expect(try await resolver.resolveAsync(Vault.self).mailer is Postman)
  }

  @Test func `DE-41 a subclass has the name of its superclass`() throws {
    let room = try resolver.resolve(FamilyRoom.self, named: "quiet")
    #expect(room.beds == 4)
    #expect(room.season.hours == 12)
    #expect(try resolver.resolve(Room.self, named: "quiet").beds == 1)
    #expect(try resolver.resolve([Room].self, named: "quiet").map(\.beds) == [1, 4])
    #expect(try resolver.resolve(Wing.self).quiet.beds == 1)
  }

  @Test func `DE-48 another module's component is registered`() throws {
    let counter = try resolver.resolve(Counter.self)
    #expect(counter.mailer.send("hello") == "Post office: hello")
  }

  @Test func `every instance gets a payload`() throws {
    let counter = try resolver.resolve(Counter.self)
    #expect(try counter.visits("Ada").customer == "Ada")
    #expect(try counter.visits("Grace").customer == "Grace")
    #expect(counter.alarm == nil)
    #expect(counter.price == 3)
  }

  @Test func `an injection after creation closes a cycle`() throws {
    let clerk = try resolver.resolve(Clerk.self)
    #expect(clerk.manager.clerk === clerk)
    #expect(try resolver.resolve(Manager.self).clerk === clerk)
  }

  @Test func `functions and properties can be components, too`() throws {
    #expect(try resolver.resolve(Box.self).count == 4)
    #expect(try resolver.resolve(Box.self, named: "tools").count == 3)
    #expect(try resolver.resolve(Box.self, named: "empty").count == 0)
  }

  @Test func `the dependents of an asynchronous component are asynchronous, too`() async throws {
    let vault = try await resolver.resolveAsync(Vault.self)
    #expect(try await resolver.resolveAsync(Guard.self).vault === vault)
  }

  @MainActor @Test func `components of the main actor are created there`() throws {
    let window = try resolver.resolve(Window.self)
    #expect(try resolver.resolve(Clerk.self) === window.clerk)
  }
}
