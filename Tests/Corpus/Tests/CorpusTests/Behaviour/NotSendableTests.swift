// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Arguments that are not Sendable are forwarded` {
  private struct RealExchange: ExchangesScratch {
    func exchange(_ scratch: Scratch) async -> Scratch {
      let other = Scratch()
      other.lines = scratch.lines + ["exchanged"]
      return other
    }
  }

  private struct RealDownload: Downloads {
    func download(_ url: URL, progress: @escaping (Double) -> Void) async throws -> Data {
      progress(1)
      return Data(url.lastPathComponent.utf8)
    }
  }

  @Test func `an object is forwarded and another one is returned`() async {
    let double = ExchangesScratchDouble(forwardingTo: RealExchange())
    let scratch = Scratch()
    scratch.lines = ["one"]
    let other = await double.exchange(scratch)
    same(other.lines, ["one", "exchanged"])
    same(double.spy.exchange.calls.map(\.lines), [["one"]])
  }

  @Test func `a closure is forwarded and called`() async throws {
    let double = DownloadsDouble(forwardingTo: RealDownload())
    let url = try #require(URL(string: "https://example.org/file"))
    let data = try await confirmation { isCalled in
      try await double.download(url) { progress in
        same(progress, 1)
        isCalled()
      }
    }
    same(String(decoding: data, as: UTF8.self), "file")
  }
}

@Suite struct `Restated members fix associated types` {
  @Test func `a raw value, an identifier and an element`() {
    let raw = RestatedRawDouble(rawValue: "a")
    raw?.spy.rawValue.returns("b")
    same(raw?.rawValue, "b")
    let identified = RestatedIDDouble()
    let id = UUID()
    identified.spy.id.returns(id)
    same(identified.id, id)
    let next = RestatedNextDouble()
    next.spy.next.returns(3, then: nil)
    same(next.next(), 3)
    same(next.next(), nil)
  }
}

@Suite struct `An unstubbed call continues with a placeholder` {
  @Test(.relaxed) func `for every kind of result`() async throws {
    let double = StreamResultsDouble()
    same(double.sets(), [])
    same(double.nested(), [:])
    same(double.tuple().name, "")
    same(double.flag, false)
    same(StreamResultsDouble.now(), 0)
    var elements: [Int] = []
    for await element in double.stream() { elements.append(element) }
    same(elements, [])
    same(try double.result().get(), 0)
    same(GivesDoublesDouble().stream().sets(), [])
  }

  @Test func `and is still a violation`() {
    let double = StreamResultsDouble()
    withKnownIssue { same(double.sets(), []) }
    var value = 5
    withKnownIssue { same(InoutResultDouble().bump(&value, by: 2), false) }
    same(value, 5)
    withKnownIssue { same(PlatformNumbersDouble().code(), 0) }
    double.flag = true
    same(double.flag, true)
  }
}
