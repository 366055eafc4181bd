// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

/// What a call costs, beside a double written by hand with a lock and an array.
@Suite(.serialized) struct CostTests {
  protocol Subject: Sendable {
    func send(_ text: String) throws -> Int
    func forget()
  }

  final class ByHand: Subject, @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    private var result = 1

    func send(_ text: String) throws -> Int {
      lock.lock()
      defer { lock.unlock() }
      texts.append(text)
      return result
    }

    func forget() { texts = [] }
  }

  final class WithSpy: Subject {
    let sends = Spy<String, Int, any Error>("send(_:)")
    init(_ stub: (Spy<String, Int, any Error>) -> Void) { stub(sends) }
    func send(_ text: String) throws -> Int { try sends(text) }
    func forget() { sends.forgetCalls() }
  }

  final class WithoutStubs: Subject {
    let sends = Spy<String, Void, any Error>("send(_:)")
    func send(_ text: String) throws -> Int {
      try sends(text)
      return 1
    }
    func forget() { sends.forgetCalls() }
  }

  #if DEBUG
    static let isOptimised = false
  #else
    static let isOptimised = true
  #endif

  @Test(.enabled(if: isOptimised, "unoptimised generic code says nothing about cost"))
  func `a call costs at most twice the call of a double written by hand`() throws {
    let constant = WithSpy { $0.returns(1) }
    // Choosing costs a second lock and a comparison for each stub.
    let matching = WithSpy { sends in
      sends.when("bye").returns(2)
      sends.when("hello").returns(1)
    }
    var best = [Duration](repeating: .seconds(1_000), count: 4)
    for _ in 0..<15 {
      for (index, subject) in ([ByHand(), constant, WithoutStubs(), matching] as [any Subject])
        .enumerated()
      {
        best[index] = min(best[index], try time(subject))
      }
    }
    let ratios = best.map { $0 / best[0] }
    print("a call, beside one by hand of \(best[0] / 200_000):", ratios.dropFirst())
    #expect(ratios[1] <= 2)
    #expect(ratios[2] <= 2)
    #expect(ratios[3] <= 6)
  }

  private func time(_ subject: any Subject) throws -> Duration {
    var sum = 0
    let duration = try ContinuousClock().measure {
      for _ in 0..<200_000 { sum &+= try subject.send("hello") }
    }
    #expect(sum == 200_000)
    subject.forget()
    return duration
  }
}
