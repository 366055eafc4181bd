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
  ///     `/`, or that contains `?`, `#` or percent-encoding, never matches. The report of the
  ///     unused stub says so. Match such an address with `.matching`.
  ///   - query: Items that the query must have, decoded. It may have others.
  public static func request(
    _ method: String, _ path: String, query: [String: String] = [:]
  ) -> Matcher {
    let method = method.uppercased()
    let items = query.sorted { $0.key < $1.key }
    let shownQuery = items.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    let impossible = impossibility(of: path)
    var matcher = Matcher(
      "\(method) \(path)\(shownQuery.isEmpty ? "" : "?\(shownQuery)")",
      hasExactText: query.isEmpty
    ) { request in
      guard impossible == nil, request.method.uppercased() == method,
        request.url.decodedPath == path
      else { return false }
      let sent = items.isEmpty ? [] : request.url.queryItems
      return items.allSatisfy { item in
        // An item without a value, as in `?flag`, is like one with an empty value.
        sent.contains { $0.name == item.key && $0.value ?? "" == item.value }
      }
    }
    matcher.impossible = impossible
    return matcher
  }

  /// Why no address has such a path, or `nil` if an address can have it.
  private static func impossibility(of path: String) -> ImpossibleMatch? {
    // A character may be a slash with an accent.
    if path.utf8.first != UInt8(ascii: "/") {
      return ImpossibleMatch(
        "a path begins with '/'", remedy: "Begin the path with '/', and leave out the server.")
    }
    if path.contains("?") {
      return ImpossibleMatch(
        "a path has no query, which is the argument 'query:'",
        remedy: "Pass the query on its own:  query: [\"…\": \"…\"]")
    }
    if path.contains("#") {
      return ImpossibleMatch(
        "a path has no fragment, which is not sent", remedy: "Leave out the fragment.")
    }
    guard let decoded = path.removingPercentEncoding, decoded != path else { return nil }
    return ImpossibleMatch(
      "the path is compared decoded", remedy: "Write it decoded:  \"\(decoded)\"")
  }
}

extension URL {
  /// The path without percent-encoding. An address without a path asks for `/`. A path that is not
  /// UTF-8 is empty.
  fileprivate var decodedPath: String {
    path(percentEncoded: true).isEmpty ? "/" : path(percentEncoded: false)
  }

  fileprivate var queryItems: [URLQueryItem] {
    URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? []
  }
}
