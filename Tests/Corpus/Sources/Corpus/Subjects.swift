// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The types that the requirements of the corpus use.

enum LoadError: Error, Hashable { case missing, busy }

struct Item: Hashable, Codable, Sendable {
  enum Size: Hashable, Codable, Sendable { case small, large }
  struct Part: Hashable, Sendable { var number: Int }
  var id: Int
}

class Document {
  var text: String
  init(text: String) { self.text = text }
}

protocol Shape { var sides: Int { get } }
struct Square: Shape { var sides: Int { 4 } }

struct Token: ~Copyable {
  var value: Int
}

@globalActor actor Kitchen {
  static let shared = Kitchen()
}

@resultBuilder enum ListBuilder {
  static func buildBlock(_ parts: String...) -> [String] { parts }
}

typealias Identifier = Int
