// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
public import UnderstudyDoubles

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A double of an HTTP client. It answers from stubs, and records the requests. Up to 20 redirects
/// are followed, as the standard of HTTP says. An address whose scheme is neither `http` nor
/// `https` throws `URLError(.unsupportedURL)`, also as the target of a redirect.
///
/// A redirect to another scheme, host or port does not get the headers `Authorization`, `Cookie`
/// and `Proxy-Authorization` of the request.
///
/// A request that no stub answers is an issue of the test, where the double was made, and throws
/// `Unstubbed`.
public final class HTTPStub: HTTPSending {
  /// The spy of `send(_:)`. Stub it, and read its calls.
  public let sends: AsyncSpy<HTTPExchange.Request, HTTPExchange.Response, any Error>
  // Calls come through a protocol, without their place. The place where the double was made helps.
  let place: (fileID: StaticString, filePath: StaticString, line: Int, column: Int)

  /// Makes a client without stubs.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    sends = AsyncSpy("send(_:)", fileID: fileID, filePath: filePath, line: line, column: column)
    place = (fileID, filePath, line, column)
  }

  /// Answers from the stubs.
  public func send(_ request: HTTPExchange.Request) async throws -> HTTPExchange.Response {
    var redirects = try Redirects(of: request)
    var response: HTTPExchange.Response
    // The call is made here, so that the stack of an issue has the caller behind this function.
    repeat {
      response = try await sends(
        redirects.request, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    } while try redirects.follow(response)
    return response
  }

  /// Allows the responses so far to stay unrequested at the end of the test.
  @discardableResult
  public func optional() -> Self {
    sends.excuseStubs()
    return self
  }

  /// The requests so far.
  public var requests: [HTTPExchange.Request] { sends.calls }
}

/// A request, and then those that follow its redirects.
struct Redirects {
  private static let limit = 20

  private(set) var request: HTTPExchange.Request
  private var count = 0

  init(of request: HTTPExchange.Request) throws(URLError) {
    self.request = request
    self.request.headers = request.headers.joinedByName
    try checkScheme()
  }

  /// Goes on to the request that follows a redirect. Returns `false` if the response is none.
  mutating func follow(_ response: HTTPExchange.Response) throws(URLError) -> Bool {
    guard let next = request.redirected(by: response) else { return false }
    count += 1
    if count > Self.limit { throw URLError(.httpTooManyRedirects) }
    request = next
    try checkScheme()
    return true
  }

  private func checkScheme() throws(URLError) {
    guard ["http", "https"].contains(request.url.scheme?.lowercased()) else {
      throw URLError(.unsupportedURL)
    }
  }
}

extension HTTPExchange.Request {
  /// The request that follows a redirect, or `nil` if the response is none.
  fileprivate func redirected(by response: HTTPExchange.Response) -> Self? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.header("Location"),
      var target = URL(string: location, relativeTo: url)?.absoluteURL
    else { return nil }
    if target.fragment == nil, let fragment = url.fragment(percentEncoded: true),
      let whole = URL(string: "\(target.absoluteString)#\(fragment)")
    {
      target = whole
    }
    var next = self
    next.url = target
    // Another server must not get the credentials.
    if !target.isOfSameServer(as: url) {
      let credentials = ["authorization", "cookie", "proxy-authorization"]
      next.headers = headers.filter { !credentials.contains($0.key.lowercased()) }
    }
    // As browsers do, a session sends what was posted once, unless the status says otherwise.
    let becomesGet =
      response.status == 303 ? method != "HEAD" : response.status < 303 && method == "POST"
    if becomesGet {
      next.method = "GET"
      next.body = nil
      next.headers = next.headers.filter { !$0.key.lowercased().hasPrefix("content-") }
    }
    return next
  }
}

extension URL {
  /// True if scheme, host and port are the same.
  fileprivate func isOfSameServer(as other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased()
      && host()?.lowercased() == other.host()?.lowercased()
      && effectivePort == other.effectivePort
  }

  private var effectivePort: Int? { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

extension HTTPSending where Self == HTTPStub {
  /// Returns these responses in order, one for each request. One more request is an issue of the
  /// test. So is a response that was not requested, unless the client is `optional()`.
  public static func scripted(
    _ responses: HTTPExchange.Response..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> HTTPStub {
    let stub = HTTPStub(fileID: fileID, filePath: filePath, line: line, column: column)
    // The newest stub answers first.
    for response in responses.reversed() {
      stub.sends.returns(
        response, times: 1, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    return stub
  }

  /// Answers each request with `respond`.
  public static func stubbed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, function: StaticString = #function,
    _ respond: @escaping @Sendable (HTTPExchange.Request) async throws -> HTTPExchange.Response
  ) -> HTTPStub {
    let stub = HTTPStub(fileID: fileID, filePath: filePath, line: line, column: column)
    stub.sends.does(
      fileID: fileID, filePath: filePath, line: line, column: column, function: function, respond)
    return stub
  }
}
