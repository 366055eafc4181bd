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
    init() { sends.returns(1) }
    func send(_ text: String) throws -> Int { try sends(text) }
    func forget() { sends.forgetCalls() }
  }

  #if DEBUG
    static let isOptimised = false
  #else
    static let isOptimised = true
  #endif

  @Test(.enabled(if: isOptimised, "unoptimised generic code says nothing about cost"))
  func `a stubbed call costs at most twice the call of a double written by hand`() throws {
    var byHand = Duration.seconds(1_000)
    var withSpy = byHand
    for _ in 0..<15 {
      byHand = min(byHand, try time(ByHand()))
      withSpy = min(withSpy, try time(WithSpy()))
    }
    let ratio = withSpy / byHand
    print("a call: by hand \(byHand / 200_000), with a spy \(withSpy / 200_000), ratio \(ratio)")
    #expect(ratio <= 2)
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
