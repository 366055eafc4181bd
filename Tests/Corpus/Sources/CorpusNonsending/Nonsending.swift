// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// A module with the feature NonisolatedNonsendingByDefault.

final class Draft { var text = "" }
protocol DefaultGetters {
  var count: Int { get async }
  var draft: Draft { get async throws }
  subscript(key: String) -> Draft { get async }
  static var now: Int { get async }
}
protocol DefaultShared: Sendable {
  var count: Int { get async }
  subscript(key: String) -> Int { get async throws }
  func load(_ draft: Draft) async -> Int
  @concurrent func far(_ key: String) async -> Int
  func run(_ body: () async -> Int) async -> Int
  func later(_ body: @escaping () async -> Int)
}
@MainActor protocol DefaultOnMain {
  var count: Int { get async }
  nonisolated subscript(key: String) -> Int { get async }
}
protocol DefaultActor: Actor {
  var count: Int { get async }
  nonisolated func free(_ draft: Draft) async -> Int
}
protocol DraftInitializers {
  init(_ draft: Draft) async throws
  init<Value>(value: Value) async
}
@MainActor protocol DraftsOnMain {
  nonisolated init(_ draft: Draft) async
  nonisolated func send(_ draft: Draft) async -> Draft
  func keep(_ draft: Draft) async -> Draft
  nonisolated var last: Draft { get async }
}
