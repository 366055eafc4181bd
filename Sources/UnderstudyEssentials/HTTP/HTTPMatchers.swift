// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
public import UnderstudyDoubles

extension Matcher where Value == HTTPExchange.Request {
  /// Matches `GET` requests for a path: `server.sends.when(.get("/seats")).returns(…)`.
  ///
  /// - Parameters:
  ///   - path: The path of the address, decoded: `/red seats`. It must be equal.
  ///   - query: Items that the query must have, decoded. It may have others.
  public static func get(_ path: String, query: [String: String] = [:]) -> Matcher {
    request("GET", path, query: query)
  }

  /// Matches `POST` requests for a path.
  ///
  /// - Parameters:
  ///   - path: The path of the address, decoded. It must be equal.
  ///   - query: Items that the query must have, decoded. It may have others.
  public static func post(_ path: String, query: [String: String] = [:]) -> Matcher {
    request("POST", path, query: query)
  }

  /// Matches `PUT` requests for a path.
  ///
  /// - Parameters:
  ///   - path: The path of the address, decoded. It must be equal.
  ///   - query: Items that the query must have, decoded. It may have others.
  public static func put(_ path: String, query: [String: String] = [:]) -> Matcher {
    request("PUT", path, query: query)
  }

  /// Matches `DELETE` requests for a path.
  ///
  /// - Parameters:
  ///   - path: The path of the address, decoded. It must be equal.
  ///   - query: Items that the query must have, decoded. It may have others.
  public static func delete(_ path: String, query: [String: String] = [:]) -> Matcher {
    request("DELETE", path, query: query)
  }

  /// Matches requests with any method for a path: `.request("PATCH", "/seats/A1")`.
  ///
  /// Scheme, host, headers and body make no difference. For these, add a condition:
  /// `.get("/seats").and(.matching { $0.url.host() == "example.com" })`.
  ///
  /// - Parameters:
  ///   - method: The method. Upper and lower case make no difference.
  ///   - path: The path of the address, decoded. It must be equal. A path that does not begin with
  ///     `/`, or contains a query, never matches. The report of the unused stub says so.
  ///   - query: Items that the query must have, decoded. It may have others.
  public static func request(
    _ method: String, _ path: String, query: [String: String] = [:]
  ) -> Matcher {
    let method = method.uppercased()
    let items = query.sorted { $0.key < $1.key }
    let shownQuery = items.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    var matcher = Matcher(
      "\(method) \(path)\(shownQuery.isEmpty ? "" : "?\(shownQuery)")",
      hasExactText: query.isEmpty
    ) { request in
      guard request.method.uppercased() == method, request.url.decodedPath == path
      else { return false }
      let sent = items.isEmpty ? [] : request.url.queryItems
      return items.allSatisfy { sent.contains(URLQueryItem(name: $0.key, value: $0.value)) }
    }
    if !path.hasPrefix("/") {
      matcher.impossible = ImpossibleMatch(
        "a path begins with '/'",
        remedy: "Begin the path with '/', and leave out the server.")
    } else if path.contains("?") {
      matcher.impossible = ImpossibleMatch(
        "a path has no query, which is the argument 'query:'",
        remedy: "Pass the query on its own:  query: [\"…\": \"…\"]")
    }
    return matcher
  }
}

extension URL {
  /// The path without percent-encoding. An address without a path asks for `/`.
  fileprivate var decodedPath: String {
    let path = path(percentEncoded: false)
    return path.isEmpty ? "/" : path
  }

  fileprivate var queryItems: [URLQueryItem] {
    URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
  }
}
