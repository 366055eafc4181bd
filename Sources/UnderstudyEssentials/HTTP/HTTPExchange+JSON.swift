// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation

extension HTTPExchange.Response {
  /// Makes a response whose body is a value as JSON. It has the header `Content-Type` of JSON,
  /// unless `headers` have another one.
  ///
  /// - Parameters:
  ///   - status: The status, such as 200.
  ///   - headers: The headers by name.
  ///   - value: The value.
  ///   - encoder: The encoder, if the server writes keys or dates in a way of its own. The keys of
  ///     the default encoder are sorted.
  /// - Throws: The error of the encoder.
  public init(
    status: Int = 200, headers: [String: String] = [:], json value: some Encodable,
    encoder: JSONEncoder? = nil
  ) throws {
    let encoder = encoder ?? .withSortedKeys
    self.init(status: status, headers: headers, body: try encoder.encode(value))
    if header("Content-Type") == nil { self.headers["Content-Type"] = "application/json" }
  }

  /// The body of JSON as a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder, if the server writes keys or dates in a way of its own.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if the body is no such value.
  public func json<Value: Decodable>(
    as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: body)
  }
}

extension HTTPExchange.Request {
  /// The body of JSON as a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder, if the client writes keys or dates in a way of its own.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if there is no body, or one that is no such value.
  public func json<Value: Decodable>(
    as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    guard let body else {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: [], debugDescription: "\(self) has no body."))
    }
    return try decoder.decode(type, from: body)
  }
}

extension JSONEncoder {
  fileprivate static var withSortedKeys: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}
