// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDoubles
@testable import UnderstudyEssentials

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `An HTTP client` {
  /// Answers instead of the network, with the request as its response.
  private final class Echo: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}
    override func startLoading() {
      guard let url = request.url else { return }
      guard url.path != "/broken" else {
        client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
        return
      }
      let mark = request.value(forHTTPHeaderField: "X-Mark") ?? "none"
      if let response = HTTPURLResponse(
        url: url, statusCode: 404, httpVersion: nil, headerFields: ["X-Echo": mark])
      {
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      }
      client?.urlProtocol(self, didLoad: Data("\(request.httpMethod ?? "") \(url.path)".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  private var echoing: URLSessionClient {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Echo.self]
    return URLSessionClient(session: URLSession(configuration: configuration))
  }

  @Test func `of a session sends a request and returns the response`() async throws {
    let url = try #require(URL(string: "http://localhost/seats"))
    let request = HTTPExchange.Request(
      method: "POST", url: url, headers: ["X-Mark": "7"], body: Data("A1".utf8))
    #expect(request.header("x-mark") == "7" && request.text == "A1")
    let response = try await echoing.send(request)
    #expect(response.status == 404)
    #expect(response.text == "POST /seats")
    #expect(response.header("x-echo") == "7")
  }

  @Test func `gets a request with its method in capitals`() async throws {
    let url = try #require(URL(string: "http://localhost/seats"))
    let request = HTTPExchange.Request(method: "post", url: url)
    #expect(request.description == "POST http://localhost/seats")
    let stub: HTTPStub = .scripted(.init(status: 303, headers: ["Location": "/new"]), .init())
    _ = try await stub.send(request)
    #expect(stub.requests.map(\.method) == ["POST", "GET"])
  }

  /// The spellings of a name are the same header.
  @Test func `joins the values of a header in their order`() async throws {
    let url = try #require(URL(string: "http://localhost/seats"))
    for number in 1...20 {
      let headers = ["x-mark": "3", "X-MARK": "1", "X-Mark": "2", "Y\(number)": "4"]
      let joined = ["X-MARK": "1, 2, 3", "Y\(number)": "4"]
      #expect(HTTPExchange.Response(headers: headers).headers == joined)
      #expect(HTTPExchange.Response(headers: headers, text: "").headers == joined)
      var request = HTTPExchange.Request(url: url, headers: headers)
      #expect(request.headers == joined)
      request.headers = headers
      #expect(request.header("x-mark") == "1, 2, 3")
      let answering: HTTPStub = .stubbed { .init(text: $0.header("x-mark") ?? "") }
      #expect(try await answering.send(request).text == "1, 2, 3")
      #expect(answering.requests.map(\.headers) == [joined])
      #expect(try await echoing.send(request).header("x-echo") == "1, 2, 3")
      let stub: HTTPStub = .stubbed { _ in
        var response = HTTPExchange.Response()
        response.headers = headers
        return response
      }
      let head = try await stub.session().data(from: url).1 as? HTTPURLResponse
      #expect(head?.value(forHTTPHeaderField: "x-mark") == "1, 2, 3")
    }
  }

  /// A `URLSession` refuses them, also as a redirect.
  @Test(arguments: ["myapp://callback?code=1", "mailto:me@example.com", "file:///etc/hosts"])
  func `refuses an address that HTTP does not reach`(address: String) async throws {
    let url = try #require(URL(string: "https://example.com/old"))
    let target = try #require(URL(string: address))
    let relative = try #require(URL(string: "seats"))
    let stub: HTTPStub = .stubbed { _ in .init(status: 302, headers: ["Location": address]) }
    for refused in [target, relative] {
      let error = await #expect(throws: URLError.self) { try await stub.get(refused) }
      #expect(error?.code == .unsupportedURL)
      let second = await #expect(throws: URLError.self) {
        try await stub.session().data(from: refused)
      }
      #expect(second?.code == .unsupportedURL)
    }
    #expect(stub.requests == [])
    let error = await #expect(throws: URLError.self) { try await stub.get(url) }
    #expect(error?.code == .unsupportedURL)
    let second = await #expect(throws: URLError.self) {
      try await stub.session().data(from: url)
    }
    #expect(second?.code == .unsupportedURL)
    #expect(stub.requests.map(\.url) == [url, url])
  }

  @Test func `of a session throws the error of a failed request`() async throws {
    let url = try #require(URL(string: "http://localhost/broken"))
    await #expect(throws: URLError.self) { try await echoing.get(url) }
  }

  private struct Prepared {
    let stub: HTTPStub
    init() { stub = .stubbed { _ in .init() } }
  }

  @Test func `that a suite prepares for its tests may stay unused`() async {
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        _ = Prepared()
      }
    }
    #expect(issues == [])
  }

  @Test func `of a session has a stub of its own under the layer that created the session`()
    async throws
  {
    let url = try #require(URL(string: "https://example.com/seats?row=3"))
    let resolver = Resolver()
    let answers: [HTTPStub] = [1, 2].map { number in
      .stubbed { _ in
        let layer = try resolver.resolve(Int.self)
        return .init(status: 200 + number, headers: ["X-Layer": "\(layer)"], text: "\(number)")
      }
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("A1".utf8)
    request.setValue("7", forHTTPHeaderField: "X-Mark")
    // At once, so that each session could be answered by the other's stub.
    try await withThrowingTaskGroup { group in
      for (index, stub) in answers.enumerated() {
        group.addTask { [request] in
          try await withOverrides(of: resolver) {
            $0.register { index }
          } operation: {
            let session = stub.session()
            let (body, response) = try await session.data(for: request)
            let head = try #require(response as? HTTPURLResponse)
            #expect(String(decoding: body, as: UTF8.self) == "\(index + 1)")
            #expect(head.statusCode == 201 + index)
            #expect(head.value(forHTTPHeaderField: "X-Layer") == "\(index)")
          }
        }
      }
      try await group.waitForAll()
    }
    for stub in answers {
      #expect(stub.requests.map(\.method) == ["POST"])
      #expect(stub.requests.map(\.url) == [url])
      #expect(stub.requests.map(\.headers["X-Mark"]) == ["7"])
      #expect(stub.requests.map(\.body) == [Data("A1".utf8)])
    }
  }

  @Test func `of a session records a body that is a stream`() async throws {
    let stub: HTTPStub = .stubbed { _ in .init() }
    var request = URLRequest(url: try #require(URL(string: "https://example.com/seats")))
    request.httpMethod = "POST"
    let body = Data((0..<40_000).map { UInt8($0 % 251) })
    request.httpBodyStream = InputStream(data: body)
    let session = stub.session()
    _ = try await session.data(for: request)
    session.finishTasksAndInvalidate()
    #expect(stub.requests.map(\.body) == [body])
  }

  /// Fails after some bytes.
  private final class BrokenStream: InputStream {
    private var isRead = false

    override func open() {}
    override func close() {}
    override var streamStatus: Stream.Status { .open }
    override var streamError: (any Error)? { CocoaError(.fileReadNoPermission) }
    override var hasBytesAvailable: Bool { true }
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
      defer { isRead = true }
      if isRead { return -1 }
      unsafe buffer.update(repeating: 7, count: 10)
      return 10
    }
  }

  @Test func `of a session fails with the error of a body that is a stream`() async throws {
    let stub: HTTPStub = .stubbed { _ in .init() }
    var request = URLRequest(url: try #require(URL(string: "https://example.com/seats")))
    request.httpMethod = "POST"
    request.httpBodyStream = BrokenStream(data: Data())
    let session = stub.session()
    let error = await #expect(throws: CocoaError.self) { try await session.data(for: request) }
    session.finishTasksAndInvalidate()
    #expect(error?.code == .fileReadNoPermission)
    #expect(stub.optional().requests == [])
  }

  @Test func `of a session that has ended is answered by no stub of a later one`() async throws {
    let url = try #require(URL(string: "https://example.com/seats"))
    weak var delegate: (any URLSessionDelegate)?
    let configuration = {
      let session = HTTPStub.stubbed { _ in .init() }.optional().session()
      delegate = session.delegate
      session.finishTasksAndInvalidate()
      return session.configuration
    }()
    while delegate != nil { await Task.yield() }
    let later: HTTPStub = .stubbed { _ in .init(text: "later") }
    let sessions = (0..<100).map { _ in later.session() }
    let kept = URLSession(configuration: configuration)
    await #expect(throws: URLError.self) { try await kept.data(from: url) }
    #expect(later.optional().requests == [])
    sessions.forEach { $0.finishTasksAndInvalidate() }
  }

  @Test(arguments: [true, false])
  func `of a session records the body of an upload`(isFile: Bool) async throws {
    let stub: HTTPStub = .stubbed { _ in .init() }
    var request = URLRequest(url: try #require(URL(string: "https://example.com/seats")))
    request.httpMethod = "PUT"
    let body = Data((0..<40_000).map { UInt8($0 % 251) })
    let session = stub.session()
    if isFile {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      try body.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      _ = try await session.upload(for: request, fromFile: file)
    } else {
      _ = try await session.upload(for: request, from: body)
    }
    session.finishTasksAndInvalidate()
    #expect(stub.requests.map(\.body) == [body])
  }

  #if canImport(FoundationNetworking)
    @Test func `of a session fails if the body of an upload cannot be read`() throws {
      final class Upload { let knownBody: Int? = 7 }
      for task in [Upload(), NSObject()] {
        let error = #expect(throws: UploadedBody.Unreadable.self) {
          try UploadedBody.data(reflecting: task)
        }
        #expect(
          error?.description
            == "The body of an upload cannot be read here. Set the 'httpBody' of the request instead."
        )
      }
    }
  #endif

  /// A cassette in front of a client whose transport is a stub.
  @Test func `is recorded on a cassette, and played without its server`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    func tape(_ mode: Cassette.Mode) throws -> Cassette {
      // An empty environment, since `CI` in the environment of the process forbids recording.
      try Cassette(path, mode, .arguments, [.keys("X-Token")], environment: [:])
    }
    let request = HTTPExchange.Request(
      method: "POST", url: try #require(URL(string: "https://example.com/seats")),
      headers: ["X-Token": "open sesame"], body: Data("A1".utf8))
    let server: HTTPStub = .scripted(.init(status: 201, headers: ["X-Seat": "A1"], text: "sold"))
    let session = server.session()
    let real = URLSessionClient(session: session)
    let recording = HTTPStub()
    recording.sends.plays(try tape(.once)) { try await real.send($0) }
    let first = try await recording.send(request)
    session.finishTasksAndInvalidate()
    #expect(first.status == 201 && first.header("x-seat") == "A1" && first.text == "sold")
    #expect(server.requests.map(\.body) == [Data("A1".utf8)])
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("sesame"))

    let playing = HTTPStub()
    playing.sends.plays(try tape(.none)) { _ in throw URLError(.notConnectedToInternet) }
    #expect(try await playing.send(request) == first)
    #expect(playing.requests == [request])
  }

  @Test func `of a session sends the additional headers that a request does not set`() async throws
  {
    let url = try #require(URL(string: "https://example.com/seats"))
    let stub: HTTPStub = .stubbed { _ in .init(text: "1") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "1", "X-Mark": "2"]
    let session = stub.session(configuration: configuration)
    var request = URLRequest(url: url)
    request.setValue("own", forHTTPHeaderField: "x-app")
    _ = try await session.data(for: request)
    session.finishTasksAndInvalidate()
    let sent = try #require(stub.requests.first)
    let headers = sent.headers.map { "\($0.key.lowercased()): \($0.value)" }.sorted()
    #expect(headers == ["x-app: own", "x-mark: 2"])
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: [true, false])
    func `of a session downloads no file on Linux`(isAsynchronous: Bool) async throws {
      let url = try #require(URL(string: "https://example.com/seats"))
      let thrown = Lock("")
      let found = await issues {
        await underLayer { _ in
        } operation: {
          let session = HTTPStub.stubbed { _ in .init(text: "1") }.optional().session()
          do {
            if isAsynchronous {
              _ = try await session.download(from: url)
            } else {
              _ = try await withCheckedThrowingContinuation { continuation in
                session.downloadTask(with: url) { file, _, error in
                  continuation.resume(with: error.map { .failure($0) } ?? .success(file))
                }.resume()
              }
            }
          } catch { thrown.withLock { $0 = "\(error)" } }
          session.finishTasksAndInvalidate()
        }
      }
      #expect(found == ["A session of an HTTPStub cannot download a file on Linux."])
      #expect(thrown.withLock { $0 }.contains("Use 'data(for:)'"), "\(thrown)")
    }
  #endif

  @Test func `of a session fails with the error of its stub, and retains the stub`() async throws {
    let url = try #require(URL(string: "https://example.com/seats"))
    let session = HTTPStub.stubbed { _ in throw URLError(.timedOut) }.session()
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func `of a session follows a redirect`(status: Int, method: String) async throws {
    let url = try #require(URL(string: "https://example.com/old/seats"))
    let stub: HTTPStub = .stubbed { request in
      request.url == url
        ? .init(status: status, headers: ["location": "../new?row=2"]) : .init(text: "moved")
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("A1".utf8)
    let (data, response) = try await stub.session().data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "moved")
    #expect(response.url?.absoluteString == "https://example.com/new?row=2")
    #expect(stub.requests.map(\.method) == ["POST", method])
    #expect(stub.requests.last?.body == (method == "POST" ? Data("A1".utf8) : nil))
  }

  /// Production's client follows redirects, so its double does.
  @Test func `follows a redirect without a session, too`() async throws {
    let url = try #require(URL(string: "https://example.com/old"))
    let scripted: HTTPStub = .scripted(
      .init(status: 302, headers: ["Location": "/new"]), .init(text: "moved"))
    #expect(try await scripted.get(url).text == "moved")
    #expect(scripted.requests.map(\.url.path) == ["/old", "/new"])
    let ring: HTTPStub = .stubbed { _ in .init(status: 301, headers: ["Location": "/old"]) }
    let error = await #expect(throws: URLError.self) { try await ring.get(url) }
    #expect(error?.code == .httpTooManyRedirects)
  }

  /// RFC 9110, 10.2.2: a target without a fragment has that of the request.
  @Test(arguments: [("/new", "row%201"), ("/new#seat", "seat")])
  func `keeps the fragment over a redirect`(target: String, fragment: String) async throws {
    let url = try #require(URL(string: "https://example.com/old#row%201"))
    let stub: HTTPStub = .scripted(
      .init(status: 302, headers: ["Location": target]), .init(text: "moved"))
    #expect(try await stub.get(url).text == "moved")
    #expect(stub.requests.last?.url.absoluteString == "https://example.com/new#\(fragment)")
  }

  @Test(arguments: [
    "https://example.com/new": true, "https://EXAMPLE.com:443/new": true,
    "https://example.org/new": false, "http://example.com/new": false,
    "https://example.com:8443/new": false,
  ])
  func `gives the credentials to no other server`(target: String, isSame: Bool) async throws {
    let url = try #require(URL(string: "https://example.com/old"))
    let stub: HTTPStub = .scripted(.init(status: 307, headers: ["Location": target]), .init())
    let secrets = ["authorization": "me", "Cookie": "id=1", "Proxy-Authorization": "you"]
    _ = try await stub.get(url, headers: secrets.merging(["Accept": "*/*"]) { first, _ in first })
    let kept = isSame ? secrets : [:]
    #expect(stub.requests.last?.headers == kept.merging(["Accept": "*/*"]) { first, _ in first })
  }

  @Test(arguments: [("https://example.com/new", "me"), ("https://example.org/new", nil)])
  func `of a session gives the credentials to no other host`(target: String, credentials: String?)
    async throws
  {
    let url = try #require(URL(string: "https://example.com/old"))
    let stub: HTTPStub = .stubbed { request in
      request.url == url ? .init(status: 307, headers: ["Location": target]) : .init()
    }
    var request = URLRequest(url: url)
    request.setValue("me", forHTTPHeaderField: "Authorization")
    _ = try await stub.session().data(for: request)
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["me", credentials])
  }

  @Test func `of a session follows no redirect without an address, and not for ever`() async throws
  {
    let url = try #require(URL(string: "https://example.com/seats"))
    let lost: HTTPStub = .stubbed { _ in .init(status: 302) }
    let (_, response) = try await lost.session().data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 302)
    let ring: HTTPStub = .stubbed { _ in .init(status: 302, headers: ["Location": "/seats"]) }
    let error = await #expect(throws: URLError.self) { try await ring.session().data(from: url) }
    #expect(error?.code == .httpTooManyRedirects)
    #expect(ring.requests.count == 21)
  }

  /// On Linux, a session would answer the challenge with a request to the network, or never end.
  @Test func `of a session returns a refusal with a challenge`() async throws {
    let url = try #require(URL(string: "https://example.com/seats"))
    let stub: HTTPStub = .stubbed { _ in
      .init(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
    }
    let (_, response) = try await stub.session().data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
  }

  /// On Linux, a session that is told of a request after its end ends the process.
  @Test(arguments: [true, false])
  func `of a session is told nothing of a request that was cancelled`(
    stubIsCancelled: Bool
  ) async throws {
    let url = try #require(URL(string: "https://example.com/seats"))
    let gate = Gate()
    let answered = Spy<Void, Void, Never>("answered()")
    let stub: HTTPStub = .stubbed { request in
      defer { answered() }
      guard request.method == "GET" else { return .init(text: "posted") }
      if stubIsCancelled { try await gate.wait() }
      await Task.detached { try? await gate.wait() }.value
      return .init(text: "late")
    }
    let session = stub.session()
    let get = Task { try await session.data(from: url) }
    await gate.waiters(reach: 1)
    get.cancel()
    await #expect(throws: (any Error).self) { try await get.value }
    gate.open()
    #expect(await answered.calls(reach: 1, within: .seconds(600)))
    var post = URLRequest(url: url)
    post.httpMethod = "POST"
    #expect(try await session.data(for: post).0 == Data("posted".utf8))
  }

  @Test func `is stubbed with a script or with a closure`() async throws {
    let url = try #require(URL(string: "https://example.com/a"))
    let scripted: HTTPStub = .scripted(.init(text: "one"), .init(status: 500))
    #expect(try await scripted.get(url).text == "one")
    #expect(try await scripted.get(url).status == 500)
    #expect(scripted.requests.map(\.url) == [url, url])
    let computed: HTTPStub = .stubbed { .init(text: $0.url.path) }
    #expect(try await computed.get(url).text == "/a")
  }

  /// Each response is given once, whichever request comes first.
  @Test func `answers concurrent requests from one script`() async throws {
    let url = try #require(URL(string: "https://example.com/a"))
    let server: HTTPStub = .scripted(.init(text: "one"), .init(text: "two"), .init(text: "three"))
    try await withOverrides {
      $0.override(\.httpClient, with: server)
    } operation: {
      let http = Resolver.main.resolve(\.httpClient)
      let texts = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<3 { group.addTask { try await http.get(url).text } }
        return try await group.reduce(into: []) { $0.append($1 ?? "") }
      }
      #expect(texts.sorted() == ["one", "three", "two"])
    }
    #expect(server.requests.count == 3)
  }
}
