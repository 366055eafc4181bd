// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

import Post
import Understudy

/// The settings of the program, which are registered by hand.
struct Settings: Sendable {
  var title: String
}

/// Holds books.
protocol Shelf: Sendable {
  var books: [any Book] { get }
}

protocol Book: Sendable {
  var title: String { get }
}

/// - Understudy: component
struct Emma: Book {
  var title: String { "Emma" }
}

/// - Understudy: component named novel
struct Ulysses: Book {
  var title: String { "Ulysses" }
}

/// - Understudy: component named novel
struct Momo: Book {
  var title: String { "Momo" }
}

/// - Understudy: component cached
final class Library: Shelf {
  let books: [any Book]
  let novels: [any Book]
  let settings: Settings

  init(_ books: [any Book], novel novels: [any Book], settings: Settings) {
    self.books = books
    self.novels = novels
    self.settings = settings
  }
}

protocol Account: Sendable {
  var owner: String { get }
}

/// - Understudy: component named work
struct WorkAccount: Account {
  var owner: String { "work" }
}

/// - Understudy: component named home
struct HomeAccount: Account {
  var owner: String { "home" }
}

/// A customer, created for each visit.
///
/// - Understudy: factory
struct Visit {
  let shelf: any Shelf
  let customer: String

  init(shelf: any Shelf, payload customer: String) {
    self.shelf = shelf
    self.customer = customer
  }
}

/// Depends on everything in the shop.
///
/// - Understudy: component
struct Counter {
  let mailer: any Mailer
  let shelf: any Shelf
  let visits: Provider<(String) -> Visit>
  let alarm: (any Alarm)?
  let price: Int

  init(
    mailer: any Mailer, shelf: any Shelf, visits: Provider<(String) -> Visit>,
    alarm: (any Alarm)?, price: Int = 3
  ) {
    self.mailer = mailer
    self.shelf = shelf
    self.visits = visits
    self.alarm = alarm
    self.price = price
  }
}

/// No component conforms to it.
protocol Alarm: Sendable {}

/// - Understudy: component
struct Ledger {
  let work: any Account
  let home: any Account
  let shelf: any Shelf
}

/// - Understudy: component cached
final class Clerk: Sendable {
  let manager: Manager

  init(manager: Manager) {
    self.manager = manager
  }
}

/// Shows books to customers.
///
/// - Understudy: component cached
@MainActor final class Window {
  let clerk: Clerk

  init(clerk: Clerk) {
    self.clerk = clerk
  }
}

/// - Understudy: component cached
actor Vault {
  let mailer: any Mailer

  init(mailer: any Mailer) async throws {
    self.mailer = mailer
  }
}

/// Its dependency is created asynchronously, so it is, too.
///
/// - Understudy: component
struct Guard: Sendable {
  let vault: Vault
}

/// Functions create it, instead of an initialiser of its own.
///
/// - Understudy: component cached
final class Workshop: Sendable {
  let shelf: any Shelf

  init(shelf: any Shelf) {
    self.shelf = shelf
  }

  /// - Understudy: component named tools
  func box(_ mailer: any Mailer) -> Box { Box(count: shelf.books.count) }

  /// - Understudy: component
  static func box(for account: WorkAccount) -> Box { Box(count: account.owner.count) }

  /// - Understudy: component named empty
  static let empty = Box(count: 0)
}

struct Box: Equatable {
  var count: Int
}

protocol Opening: Sendable {
  var hours: Int { get }
}

/// An extension adds its conformance to `Opening`.
///
/// - Understudy: component
enum Season {
  case summer

  init() { self = .summer }
}

extension Season: Opening {
  var hours: Int { 12 }
}

/// - Understudy: component cached named quiet
class Room: @unchecked Sendable {
  init() {}

  var beds: Int { 1 }
}

/// Needs a room, and not a family room.
///
/// - Understudy: component
struct Wing {
  let quiet: Room
}

/// Has the name of its superclass, and is listed beside it among all rooms.
///
/// - Understudy: component cached
final class FamilyRoom: Room, @unchecked Sendable {
  let season: any Opening

  init(season: any Opening) {
    self.season = season
  }

  override var beds: Int { 4 }
}
