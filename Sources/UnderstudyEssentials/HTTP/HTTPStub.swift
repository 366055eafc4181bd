// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import UnderstudyDoubles

/// A double of an HTTP client. It answers from stubs, and records the requests.
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
    try await sends(
      request, fileID: place.fileID, filePath: place.filePath, line: place.line,
      column: place.column)
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
