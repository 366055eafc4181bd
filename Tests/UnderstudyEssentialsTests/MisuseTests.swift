// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

/// A call that a double cannot carry out is one issue of the test, not a trap.
@Suite struct `Bad input` {
  @Test func `of a clock that is moved back`() async {
    let clock = ManualClock()
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        clock.advance(by: .seconds(2))
        clock.advance(by: .seconds(-1))
        clock.advance(to: .init(offset: .seconds(1)))
      }
    }
    #expect(issues == Array(repeating: "A manual clock cannot be moved back.", count: 2))
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `of a scheduler that is moved back`() async {
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        ManualScheduler().advance(by: .seconds(-1))
      }
    }
    #expect(issues == ["A manual scheduler cannot be moved back."])
  }

  /// It would run for ever, or end the process without a word.
  @Test func `of work that schedules itself again and again`() async {
    let runs = Spy<String, Void, Never>("runs(_:)")
    @Sendable func tick(_ scheduler: any Scheduling) {
      runs("tick")
      scheduler.schedule { tick(scheduler) }
    }
    let issues = await issues {
      await underLayer {
        $0.override(\.mainQueue, with: .immediate)
      } operation: {
        tick(Resolver.main.resolve(\.mainQueue))
        #expect(runs.calls.count == 101)
        let queue = ManualScheduler()
        tick(queue)
        queue.advance()
        #expect(runs.calls.count == 100_102)
        #expect(queue.pendingCount == 0)
      }
    }
    #expect(
      issues == [
        "Work schedules itself again and again on an immediate scheduler.",
        "Work schedules itself again and again without a delay.",
      ])
  }

  @Test func `of a script that runs out`() async {
    let issues = await issues {
      await underLayer {
        $0.override(\.uuid, with: .scripted(UUID()))
        $0.override(\.randomNumberGenerator, with: .scripted(1, 2))
      } operation: {
        let uuid = Resolver.main.resolve(\.uuid)
        #expect(uuid() == uuid())
        let numbers = (0..<5).map { _ in Resolver.main.resolve(\.randomNumberGenerator).next() }
        #expect(numbers == [1, 2, 1, 2, 1])
      }
    }
    #expect(
      issues == ["A script of UUIDs ran out.", "A script of random numbers ran out."])
  }

  @Test func `of a script that runs out on another thread is an issue of the test that created it`()
    async
  {
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        let random = RandomSource.scripted(1)
        await withCheckedContinuation { done in
          Thread.detachNewThread {
            _ = (random.next(), random.next())
            done.resume()
          }
        }
      }
    }
    #expect(issues == ["A script of random numbers ran out."])
  }

  @Test func `of an HTTP client without a stub`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    let issues = try await issues {
      try await underLayer {
        $0.override(\.httpClient, with: .scripted(HTTPExchange.Response(text: "one")))
      } operation: {
        let http = Resolver.main.resolve(\.httpClient)
        try #expect(await http.get(url).text == "one")
        await #expect(throws: Unstubbed.self) { try await http.get(url) }
      }
    }
    #expect(issues == ["No stub answers send(GET https://example.com)."])
  }

  @Test func `of an HTTP client with an unused response`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    let issues = try await issues {
      try await underLayer {
        $0.override(
          \.httpClient,
          with: .scripted(HTTPExchange.Response(text: "one"), HTTPExchange.Response(text: "two")))
      } operation: {
        try #expect(await Resolver.main.resolve(\.httpClient).get(url).text == "one")
      }
    }
    #expect(issues == ["The stub of send(any arguments) answered no call."])
  }

  /// The remedy of the message can be written.
  @Test func `of an HTTP client with an unused response may be allowed`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    let issues = try await issues {
      try await underLayer {
        let responses: HTTPStub = .scripted(.init(text: "one"), .init(text: "two"))
        $0.override(\.httpClient, with: responses.optional())
      } operation: {
        try #expect(await Resolver.main.resolve(\.httpClient).get(url).text == "one")
      }
    }
    #expect(issues == [])
  }

  @Test func `of a path outside the root`() async {
    let issues = await issues {
      await underLayer {
        $0.override(\.fileSystem, with: .inMemory(["../secret": ""], root: "/project"))
      } operation: {
        let files = Resolver.main.resolve(\.fileSystem)
        #expect(throws: FileSystemError.outsideRoot("/etc/passwd", root: "/project")) {
          try files.read("/etc/passwd")
        }
        #expect(!files.exists("/projects"))
      }
    }
    let outside = ["/secret", "/etc/passwd", "/projects"]
    #expect(issues == outside.map { "The path is outside of the root '/project': \($0)" })
  }

  @Test func `of a root that is removed`() async {
    let found = Lock<[String]>([])
    await withKnownIssue {
      await underLayer {
        $0.override(\.fileSystem, with: .inMemory)
      } operation: {
        let files = Resolver.main.resolve(\.fileSystem)
        #expect(throws: FileSystemError.outsideRoot("/", root: "/")) { try files.remove("/") }
      }
    } matching: { issue in
      found.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    let text = found.withLock { $0.joined() }
    #expect(text.hasPrefix("The root cannot be removed: /"), "\(text)")
    #expect(!text.contains("another root"), "\(text)")
  }

  @Test func `of a file below a file`() async {
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        _ = MemoryFileSystem(["/a": "", "/a/b": ""])
      }
    }
    #expect(issues == ["A file system in memory cannot have the file '/a/b'."])
  }

  /// Code under test calls through a protocol. So the issue has the place where the double was
  /// created, or that of the caller if the stack tells it.
  @Test func `is one issue, at the double's creation or call`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    let first = #line
    let clock = ManualClock()
    let queue = ManualScheduler()
    let uuids: UUIDGenerator = .scripted(UUID())
    let server: HTTPStub = .scripted()
    let files: MemoryFileSystem = .inMemory(root: "/project")
    let calls: [() async -> Void] = [
      { clock.advance(by: .seconds(-1)) },
      { queue.advance(by: .seconds(-1)) },
      { _ = (uuids(), uuids(), uuids()) },
      { _ = try? await server.get(url) },
      { _ = files.exists("/etc") },
    ]
    var told: [[Int]] = []
    for call in calls { told.append(await lines { await call() }) }
    #if os(Linux) && DEBUG
      #expect(told[3] == [first + 10])
    #else
      #expect([[first + 4], [first + 10]].contains(told[3]))
    #endif
    told.remove(at: 3)
    #expect(told == [[7], [8], [3], [5]].map { $0.map { first + $0 } })
  }

  /// A property cannot have a parameter with its caller's place.
  @Test func `of a double from a property is an issue at the place that pushed its layer`() async {
    let first = #line
    let told = await lines {
      withOverrides(isBoundary: true) {
        $0.override(\.fileSystem, with: .inMemory)
      } operation: {
        _ = #expect(throws: FileSystemError.self) {
          try Resolver.main.resolve(\.fileSystem).remove("/")
        }
      }
    }
    #expect(told == [first + 2])
  }

  @Test func `outside any test is printed to standard error`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        StrayViolations.$areKept.withValue(true) { ManualClock().advance(by: .seconds(-1)) }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains(/MisuseTests.swift:\d+: error: A manual clock cannot be moved back./))
  }
}
