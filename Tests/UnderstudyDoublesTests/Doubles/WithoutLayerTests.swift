// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

/// Binds its tests to tasks, as Swift Testing does.
private struct Tests: TestHost {
  @TaskLocal static var running: String?
  func testOfCallingTask() -> RunningTest? {
    Self.running.map { RunningTest(name: $0, adoptsEscapedWork: false) }
  }
  func runningCase() -> RunningTest? { nil }
  func isSkip(_ error: any Error) -> Bool { false }
  func report(_ violation: Violation) -> Bool { false }
}

private func listen() -> Spy<String, Void, Never> {
  let heard = Spy<String, Void, Never>("hear(_:)")
  StrayViolations.listener = { heard($0.description) }
  return heard
}

/// A test of a finding runs in a process of its own, and hears the finding as an adapter does.
@Suite struct `A double without a layer` {
  @Test func `names the test that made it, if the calling work belongs to no test`() async {
    await #expect(processExitsWith: .success) {
      TestHosts.install(Tests())
      let heard = listen()
      let pings = Tests.$running.withValue("mails an order") {
        let pings = Spy<Int, Bool, Never>("ping(_:)", placeholder: true)
        _ = pings(1)
        return pings
      }
      await Task.detached { _ = pings(2) }.value
      Tests.$running.withValue("another test") { _ = pings(3) }
      let named = heard.calls.map { $0.contains("\n  Made in  test 'mails an order'\n") }
      #expect(named == [false, true, true], "\(heard.calls)")
    }
  }

  @Test func `names the test that made it, if other work releases it`() async {
    await #expect(processExitsWith: .success) {
      TestHosts.install(Tests())
      let heard = listen()
      for expects in [true, false] {
        let pings = Tests.$running.withValue("mails an order") {
          let pings = Spy<Void, Void, Never>("ping()")
          if expects { pings.expects(.once) } else { pings.returns() }
          return pings
        }
        _ = consume pings
      }
      #expect(heard.callCount == 2)
      #expect(heard.calls.allSatisfy { $0.contains("Made in") }, "\(heard.calls)")
    }
  }
}

extension `A double without a layer` {
  @Test func `is told by its place if the call is in another file`() {
    let line = #line + 2
    let found = violations { _ in
      let pings = Spy<Int, Bool, Never>("ping(_:)", placeholder: true)
      _ = pings(7, fileID: "App/Peer.swift", line: 3)
      _ = pings(7)
    }
    let fact = "Double     ping(_:), made at UnderstudyDoublesTests/WithoutLayerTests.swift:\(line)"
    #expect(found.map { $0.contains(fact) } == [true, false], "\(found)")
  }
}
