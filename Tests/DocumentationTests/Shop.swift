// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import UnderstudyTesting

// The shop of the guides.

protocol Mailer: Sendable {
  func send(_ text: String) throws
}

final class Checkout {
  @Inject var mailer: any Mailer

  func confirm() throws {
    try mailer.send("Thank you.")
  }
}

struct SMTPMailer: Mailer {
  func send(_ text: String) throws {}
}

final class MailerSpy: Mailer {
  let sends = Spy<String, Void, any Error>("send(_:)")
  func send(_ text: String) throws { try sends(text) }
}

protocol Store: Sendable {
  func price(of item: String) throws -> Int
}

struct MemoryStore: Store {
  var prices: [String: Int] = ["tea": 3]

  func price(of item: String) throws -> Int { prices[item] ?? 0 }
}

struct Database: Store {
  func price(of item: String) throws -> Int { 5 }
}

struct Discount: Hashable, Sendable {
  var percent: Int
}

/// Needs two of them, and takes them in its initialiser.
struct Basket: Sendable {
  let store: any Store
  let mailer: any Mailer

  func total(of items: [String]) throws -> Int {
    try items.reduce(0) { try $0 + store.price(of: $1) }
  }
}

enum Name: Hashable, Sendable { case real, fake, discount }
enum Group: Hashable, Sendable { case plugins }
enum Signup: Scope {}
enum Sandbox: Qualifier {}

extension Dependencies {
  static var courier: Dependency<any Mailer> { Dependency { SMTPMailer() } }
  static var prices: Dependency<any Store> { Dependency(lifecycle: .cached) { Database() } }
}
