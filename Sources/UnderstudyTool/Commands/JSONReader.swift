// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Reads an object of a configuration, and records its unread keys.
struct JSONReader {
  private let values: [String: Any]
  private let place: String
  private let path: String
  private var known: Set<String> = []

  init(_ value: Any, at place: String, path: String) throws(ToolError) {
    guard let values = value as? [String: Any] else {
      let what =
        place.isEmpty ? "does not hold an object." : "has '\(place)', which is not an object."
      throw .configuration(path: path, what)
    }
    self.values = values
    self.place = place
    self.path = path
  }

  /// Reads the object in a file of JSON.
  ///
  /// - Throws: An error about a text that is not JSON, or a duplicate key, because one of its
  /// values would be lost.
  init(_ data: Data, path: String) throws(ToolError) {
    guard let tree = try? JSONSerialization.jsonObject(with: data) else {
      throw .configuration(path: path, "is not JSON.")
    }
    if let (key, line) = RepeatedKey.first(in: data) {
      throw .configuration(path: path, "has the key '\(key)' twice, again in line \(line).")
    }
    try self.init(tree, at: "", path: path)
  }

  /// The contents of a configuration.
  static func data(at path: String) throws(ToolError) -> Data {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .configuration(path: path, "is not there.")
    }
    guard data.count <= 1 << 20 else {
      throw .configuration(path: path, "is larger than 1 MB.")
    }
    return data
  }

  var names: [String] { values.keys.sorted() }

  /// A key with its parent keys.
  func spelled(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  func error(_ problem: String) -> ToolError { .configuration(path: path, problem) }

  mutating func text(_ key: String) throws(ToolError) -> String? {
    known.insert(key)
    guard let value = values[key] else { return nil }
    guard let text = value as? String else {
      throw error("has '\(spelled(key))', which is not a string.")
    }
    return text
  }

  mutating func word(_ key: String, among words: [String]) throws(ToolError) -> String? {
    guard let word = try text(key) else { return nil }
    guard words.contains(word) else {
      let guess = NearMiss.sentence(for: word, among: words)
      throw error(
        "has '\(spelled(key))', which is one of \(words.joined(separator: ", ")),"
          + " not '\(word)'.\(guess)")
    }
    return word
  }

  mutating func flag(_ key: String) throws(ToolError) -> Bool? {
    known.insert(key)
    guard let value = values[key] else { return nil }
    guard let flag = value as? Bool else {
      throw error("has '\(spelled(key))', which is neither true nor false.")
    }
    return flag
  }

  /// A text, or a list of texts.
  mutating func texts(_ key: String) throws(ToolError) -> [String] {
    known.insert(key)
    guard let value = values[key] else { return [] }
    if let text = value as? String { return [text] }
    guard let texts = value as? [String] else {
      throw error("has '\(spelled(key))', which is neither a string nor a list of strings.")
    }
    return texts
  }

  mutating func object(_ key: String) throws(ToolError) -> JSONReader? {
    known.insert(key)
    return try child(key)
  }

  func child(_ key: String) throws(ToolError) -> JSONReader? {
    guard let value = values[key] else { return nil }
    return try JSONReader(value, at: spelled(key), path: path)
  }

  mutating func objects(_ key: String) throws(ToolError) -> [JSONReader] {
    known.insert(key)
    guard let value = values[key] else { return [] }
    guard let list = value as? [Any] else {
      throw error("has '\(spelled(key))', which is not a list.")
    }
    var readers: [JSONReader] = []
    for (position, value) in list.enumerated() {
      readers.append(try JSONReader(value, at: "\(spelled(key))[\(position)]", path: path))
    }
    return readers
  }

  /// Throws if there are keys that were not read.
  func finish() throws(ToolError) {
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    let guess = NearMiss.sentence(for: unknown, among: known.sorted())
    let key = spelled(unknown)
    let shown = key.count > 300 ? key.prefix(300) + "…" : key
    throw error("has the unknown key '\(shown)'.\(guess)")
  }
}
