// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The place of a problem in a JSON file, and its reason.
struct JSONProblem: Error, Hashable {
  /// `performances[1].starts`, or `line 2, column 6`; `nil` for the file as a whole.
  let place: String?
  /// A sentence without its full stop.
  let problem: String
}

extension JSONDecoder {
  /// Decodes a value, or throws the place and the reason.
  func decodeOrExplain<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws(JSONProblem) -> Value {
    guard !data.isEmpty else { throw JSONProblem(place: nil, problem: "it is empty") }
    if let problem = JSONProblem(syntaxOf: data) { throw problem }
    do {
      return try decode(type, from: data)
    } catch DecodingError.keyNotFound(let key, let context) {
      throw JSONProblem(context, "'\(key.stringValue)' is missing")
    } catch DecodingError.valueNotFound(_, let context) {
      throw JSONProblem(context, "it is null")
    } catch DecodingError.typeMismatch(_, let context) {
      throw JSONProblem(context, context.debugDescription)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw JSONProblem(context, "a number in it is not whole, or is too large")
    } catch DecodingError.dataCorrupted(let context) {
      throw JSONProblem(context, context.debugDescription)
    } catch {
      throw JSONProblem(place: nil, problem: "\(error)")
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a whole number. The error for any other number has its place.
  func decodeWholeNumber(forKey key: Key) throws -> Int {
    do {
      return try decode(Int.self, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      // For 1.5 and for numbers that are too large for an Int, Foundation throws an error without
      // the place.
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "it is not a whole number, or is too large")
    }
  }
}

extension JSONProblem {
  fileprivate init(_ context: DecodingError.Context, _ problem: String) {
    let problem = problem.replacing("Dictionary<String, Any>", with: "an object")
    self.init(
      place: context.codingPath.text,
      problem: problem.hasSuffix(".") ? String(problem.dropLast()) : problem)
  }

  /// The syntax error with its line and column, or `nil` if the data is JSON. `JSONDecoder` gives
  /// no place.
  fileprivate init?(syntaxOf data: Data) {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      let said = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "not valid"
      let what = said.prefix { $0 != "." }.split(separator: " around ").first ?? "not valid"
      self.init(
        place: Self.place(in: said, of: data) ?? Self.place(of: data.count, in: data),
        problem: "this is not JSON: \(what)")
    }
  }
}

extension JSONProblem {
  /// `line 2, column 6`, from the parser's message. On Linux, the message has an offset.
  private static func place(in said: String, of data: Data) -> String? {
    if let match = said.firstMatch(of: #/line \d+, column \d+/#) { return String(match.0) }
    guard let match = said.firstMatch(of: #/around character (\d+)/#) else { return nil }
    return Int(match.1).map { place(of: $0, in: data) }
  }

  private static func place(of offset: Int, in data: Data) -> String {
    let lines = data.prefix(offset).split(separator: 10, omittingEmptySubsequences: false)
    return "line \(max(1, lines.count)), column \((lines.last?.count ?? 0) + 1)"
  }
}

extension [any CodingKey] {
  /// `performances[1].starts`; `nil` at the top.
  fileprivate var text: String? {
    guard !isEmpty else { return nil }
    return reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}
