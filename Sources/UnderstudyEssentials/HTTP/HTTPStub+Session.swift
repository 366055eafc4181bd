// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy
internal import UnderstudyDoubles

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension HTTPStub {
  /// Makes a session whose requests this stub answers, for code that uses `URLSession` itself.
  ///
  /// ```swift
  /// $0.register(lifecycle: .cached) { server.session() }
  /// ```
  ///
  /// Each session has a protocol class of its own, so the sessions of parallel tests answer from
  /// their own stubs. The stub runs under the layer in which you made the session. Nothing reaches
  /// the network. A body that is a stream or a file is read to its end. No delegate is asked about
  /// a redirect.
  ///
  /// On Linux, the session cannot download a file: a download task fails with an error and an
  /// issue. Use `data(for:)`. There, the session has no timeout either.
  ///
  /// A session of a stub stores no cookies. It follows redirects as the standard of HTTP says. On
  /// Linux, a session that talks to a server behaves differently: it keeps `Authorization` for
  /// another host, sends `PUT` and `POST` again without their body after the status 307 or 308, and
  /// keeps `Content-Type` if the method becomes `GET`.
  ///
  /// The session retains the stub until you call `finishTasksAndInvalidate()`.
  ///
  /// - Parameter configuration: The configuration. The session gets a copy.
  /// - Returns: The session.
  public func session(configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
    let copy = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    let keeper = StubKeeper(self, .current, copy.httpAdditionalHeaders ?? [:])
    copy.protocolClasses = [StubNumbers.protocolClass(keeper.number)]
    return URLSession(configuration: copy, delegate: keeper, delegateQueue: nil)
  }
}

/// Keeps the stub of a session alive as long as the session.
private final class StubKeeper: NSObject, URLSessionDelegate, Sendable {
  private struct Reference: Sendable {
    weak var keeper: StubKeeper?
  }

  private static let all = Lock((count: 0, keepers: [Int: Reference]()))

  let number: Int
  let stub: HTTPStub
  let context: OverrideContext
  /// The additional headers of the session. A request that sets one of them keeps its own. On
  /// Linux, a session does not add them before it calls a protocol class.
  let headers: [String: String]

  init(_ stub: HTTPStub, _ context: OverrideContext, _ headers: [AnyHashable: Any]) {
    self.stub = stub
    self.context = context
    self.headers = Dictionary(
      headers.map { ("\($0)", "\($1)") }, uniquingKeysWith: { first, _ in first })
    // A number is not used again, since its class may be in a configuration that is still used.
    number = Self.all.withLock { all in
      all.count += 1
      return all.count
    }
    super.init()
    let reference = Reference(keeper: self)
    Self.all.withLock { [number] in $0.keepers[number] = reference }
  }

  deinit { Self.all.withLock { [number] in _ = $0.keepers.removeValue(forKey: number) } }

  static func find(_ number: Int) -> StubKeeper? { all.withLock { $0.keepers[number]?.keeper } }
}

#if canImport(FoundationNetworking)
  extension StubKeeper {
    fileprivate func reportDownload(of url: URL) {
      let place = CallSite(
        stub.place.fileID, stub.place.filePath, stub.place.line, stub.place.column)
      context.run {
        LayerEnd.adopt().report(
          Message(
            "A session of an HTTPStub cannot download a file on Linux.",
            facts: [Message.Fact("Request", "\(url)"), Message.Fact("Stub made at", "\(place)")],
            remedies: [UnsupportedDownload.remedy]),
          at: place)
      }
    }
  }

  /// The error of a download task. On Linux, Foundation ends the process if a download finishes
  /// without the file that only its own protocol classes can give it.
  private struct UnsupportedDownload: Error, CustomStringConvertible {
    static var remedy: String { "Use 'data(for:)', and write the data to a file." }

    var description: String {
      "A session of an HTTPStub cannot download a file on Linux. \(Self.remedy)"
    }
  }
#endif

/// A number as a type, so that a generic class is another class for each number.
private protocol StubNumber: SendableMetatype {
  static var value: Int { get }
}

private enum StubNumbers {
  enum Zero: StubNumber {
    static var value: Int { 0 }
  }

  enum Twice<Half: StubNumber>: StubNumber {
    static var value: Int { 2 * Half.value }
  }

  enum TwiceAndOne<Half: StubNumber>: StubNumber {
    static var value: Int { 2 * Half.value + 1 }
  }

  static func protocolClass(_ number: Int) -> AnyClass {
    func make<Number: StubNumber>(_ type: Number.Type) -> AnyClass { StubProtocol<Number>.self }
    return make(numberType(number))
  }

  private static func numberType(_ number: Int) -> any StubNumber.Type {
    func twice<Half: StubNumber>(_ half: Half.Type) -> any StubNumber.Type { Twice<Half>.self }
    func twiceAndOne<Half: StubNumber>(_ half: Half.Type) -> any StubNumber.Type {
      TwiceAndOne<Half>.self
    }
    guard number > 0 else { return Zero.self }
    let half = numberType(number / 2)
    return number.isMultiple(of: 2) ? twice(half) : twiceAndOne(half)
  }
}

/// Takes the place of the network in the session of a stub.
private final class StubProtocol<Number: StubNumber>: URLProtocol {
  private struct Loading {
    var answering: Task<Void, Never>?
    var isStopped = false
  }

  private let state = Lock(Loading())

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// The body that the task uploads, if the request does not have it.
  private func uploadedBody() throws -> Data? {
    #if canImport(FoundationNetworking)
      return try task.flatMap { try UploadedBody.data(of: $0) }
    #else
      return nil
    #endif
  }

  override func startLoading() {
    guard let url = request.url, let keeper = StubKeeper.find(Number.value) else {
      client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
      return
    }
    #if canImport(FoundationNetworking)
      if task is URLSessionDownloadTask {
        keeper.reportDownload(of: url)
        client?.urlProtocol(self, didFailWithError: UnsupportedDownload())
        return
      }
    #endif
    let body: Data?
    do { body = try request.wholeBody() ?? uploadedBody() } catch {
      client?.urlProtocol(self, didFailWithError: error)
      return
    }
    var headers = request.allHTTPHeaderFields ?? [:]
    for (name, value) in keeper.headers where request.value(forHTTPHeaderField: name) == nil {
      headers[name] = value
    }
    let sent = HTTPExchange.Request(
      method: request.httpMethod ?? "GET", url: url, headers: headers, body: body)
    // The session's client takes calls from any thread, and only this task calls it.
    let loading = Unchecked(self)
    let started = keeper.context.run {
      Task {
        do {
          let place = keeper.stub.place
          var redirects = try Redirects(of: sent)
          var response: HTTPExchange.Response
          repeat {
            response = try await keeper.stub.sends(
              redirects.request, fileID: place.fileID, filePath: place.filePath,
              line: place.line, column: place.column)
          } while try redirects.follow(response)
          loading.value.answer(response, redirects.request.url)
        } catch {
          loading.value.tell { $0.urlProtocol(loading.value, didFailWithError: error) }
        }
      }
    }
    let isStopped = state.withLock { state in
      state.answering = started
      return state.isStopped
    }
    if isStopped { started.cancel() }
  }

  override func stopLoading() {
    let answering = state.withLock { state in
      state.isStopped = true
      return state.answering
    }
    answering?.cancel()
  }

  private func answer(_ response: HTTPExchange.Response, _ url: URL) {
    var headers = response.headers.joinedByName
    #if canImport(FoundationNetworking)
      // On Linux, a session answers a challenge itself, with a request to the network.
      if response.status == 401 {
        headers = headers.filter { $0.key.lowercased() != "www-authenticate" }
      }
    #endif
    guard
      let head = HTTPURLResponse(
        url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: headers)
    else {
      return tell { $0.urlProtocol(self, didFailWithError: URLError(.badServerResponse)) }
    }
    tell { client in
      client.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
      client.urlProtocol(self, didLoad: response.body)
      client.urlProtocolDidFinishLoading(self)
    }
  }

  /// Calls the session's client, unless the session has stopped the loading. On Linux, a session
  /// that hears of a request which it has stopped ends the process. The lock keeps it from stopping
  /// between the two.
  private func tell(_ body: (any URLProtocolClient) -> Void) {
    state.withLock { state in
      if !state.isStopped, let client { body(client) }
    }
  }
}

extension URLRequest {
  /// The body. If it is a stream, that is read to its end.
  ///
  /// - Throws: The error of the stream.
  fileprivate func wholeBody() throws -> Data? {
    guard httpBody == nil, let stream = httpBodyStream else { return httpBody }
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let size = buffer.count
    while true {
      // Safety: the stream writes at most `size` bytes, and only during the call.
      let count = unsafe stream.read(&buffer, maxLength: size)
      if count < 0 { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
      if count == 0 { return body }
      body += buffer[..<count]
    }
  }
}

#if canImport(FoundationNetworking)
  /// The body that `upload(for:from:)` and `upload(for:fromFile:)` give to their task.
  ///
  /// The Foundation of Linux shows the body to no `URLProtocol`, so only reflection finds it.
  /// Apple's gives it to the request, as a stream.
  enum UploadedBody {
    /// The body, or `nil` if the task uploads none.
    ///
    /// - Throws: `Unreadable` if the task uploads a body that cannot be read.
    static func data(of task: URLSessionTask) throws -> Data? {
      task is URLSessionUploadTask ? try data(reflecting: task) : nil
    }

    static func data(reflecting task: Any) throws -> Data {
      var mirror: Mirror? = Mirror(reflecting: task)
      while let next = mirror {
        switch next.descendant("knownBody", "some", 0) {
        case let bytes as any DataProtocol: return Data(bytes)
        case let file as URL: return try Data(contentsOf: file)
        default: mirror = next.superclassMirror
        }
      }
      throw Unreadable()
    }

    struct Unreadable: Error, CustomStringConvertible {
      var description: String {
        "The body of an upload cannot be read here. Set the 'httpBody' of the request instead."
      }
    }
  }
#endif
