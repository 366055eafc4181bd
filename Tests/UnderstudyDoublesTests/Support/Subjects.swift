// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import UnderstudyDoubles

// The protocols and types that the tests replace with doubles.

struct User: Hashable, Codable, Sendable {
  var id: Int
  var name = "Ada"
}

enum RepoError: Error, Hashable, Codable { case missing, busy }

struct Bounced: Error, Hashable {}

protocol Mailer: Sendable {
  func send(_ text: String) throws
}

final class MailerSpy: Mailer {
  let sends = Spy<String, Void, any Error>("send(_:)")
  func send(_ text: String) throws { try sends(text) }
}

protocol Repo: Sendable {
  var region: String { get set }
  func fetch(_ id: Int) async throws -> User
  func remove(_ id: Int, hard: Bool) throws(RepoError) -> Int
  func decode<Value>(_ type: Value.Type, key: String) throws -> Value
  static func now() -> Int
}

final class RepoDouble: Repo {
  let fetches = AsyncSpy<Int, User, any Error>("fetch(_:)")
  let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
  let decodes = GenericSpy<String>("decode(key:)")
  let regions = SpyProperty<String>("region", "eu")

  static var nows: Spy<Void, Int, Never> { .static(of: RepoDouble.self, "now()") }

  var region: String {
    get { regions.value }
    set { regions.value = newValue }
  }
  func fetch(_ id: Int) async throws -> User { try await fetches(id) }
  func remove(_ id: Int, hard: Bool) throws(RepoError) -> Int { try removes(id, hard) }
  func decode<Value>(_ type: Value.Type, key: String) throws -> Value { try decodes(key, as: type) }
  static func now() -> Int { nows() }
}
