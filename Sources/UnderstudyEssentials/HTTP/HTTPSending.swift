// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

/// The two messages of an HTTP exchange.
public enum HTTPExchange {
  /// A request of a client. A cassette can record it.
  public struct Request: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The method. The initialiser writes it in capitals.
    public var method: String
    /// The address.
    public var url: URL
    /// The headers by name. The initialiser joins the values of names that differ only in upper and
    /// lower case with commas, as `URLSession` does for one name.
    public var headers: [String: String]
    /// The body, or `nil` if there is none.
    public var body: Data?

    /// Makes a request.
    public init(
      method: String = "GET", url: URL, headers: [String: String] = [:], body: Data? = nil
    ) {
      self.method = method.uppercased()
      self.url = url
      self.headers = headers.joinedByName
      self.body = body
    }

    /// The body as text in UTF-8, without a byte order mark. `nil` if there is no body or it is not
    /// UTF-8.
    public var text: String? { body.flatMap { String(data: $0, encoding: .utf8) } }

    /// The value of a header. Upper and lower case of its name make no difference.
    public func header(_ name: String) -> String? { headers.value(ofHeader: name) }

    /// The method and the address. Headers and body may be long, or secret, so they are left out.
    public var description: String { "\(method) \(url.absoluteString)" }
  }

  /// A response of a server. A cassette can record it.
  public struct Response: Hashable, Codable, Sendable {
    /// The status, such as 200.
    public var status: Int
    /// The headers by name. The initialiser joins the values of names that differ only in upper and
    /// lower case with commas, as `URLSession` does for one name.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Makes a response.
    public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
      self.status = status
      self.headers = headers.joinedByName
      self.body = body
    }

    /// Makes a response whose body is text in UTF-8.
    public init(status: Int = 200, headers: [String: String] = [:], text: String) {
      self.init(status: status, headers: headers, body: Data(text.utf8))
    }

    /// The body as text in UTF-8, without a byte order mark, or `nil` if it is not UTF-8.
    public var text: String? { String(data: body, encoding: .utf8) }

    /// The value of a header. Upper and lower case of its name make no difference.
    public func header(_ name: String) -> String? { headers.value(ofHeader: name) }
  }
}

extension [String: String] {
  /// The headers with one spelling of each name: the first one in the order of texts. The values of
  /// the spellings are joined in that order.
  var joinedByName: [String: String] {
    let groups = [String: [Element]](
      grouping: sorted { $0.key < $1.key }, by: { $0.key.lowercased() })
    return [String: String](
      uniqueKeysWithValues: groups.values.map { group in
        (group[0].key, group.map(\.value).joined(separator: ", "))
      })
  }

  fileprivate func value(ofHeader name: String) -> String? {
    filter { $0.key.lowercased() == name.lowercased() }.joinedByName.first?.value
  }
}

/// An HTTP client.
///
/// ```swift
/// @Inject(\.httpClient) var http
/// let response = try await http.get(url)
/// ```
public protocol HTTPSending: Sendable {
  /// Sends a request and waits for the response, which may have any status. Redirects are followed.
  ///
  /// - Throws: The error of the connection.
  func send(_ request: HTTPExchange.Request) async throws -> HTTPExchange.Response
}

extension HTTPSending {
  /// Sends a `GET` request.
  public func get(
    _ url: URL, headers: [String: String] = [:]
  ) async throws -> HTTPExchange.Response {
    try await send(HTTPExchange.Request(url: url, headers: headers))
  }
}

extension Dependencies {
  /// The HTTP client.
  public static var httpClient: Dependency<any HTTPSending> { declaredHTTPClient }
}

private let declaredHTTPClient = Dependency<any HTTPSending>(
  inTests: .mustBeOverridden, function: "httpClient"
) {
  URLSessionClient()
}
