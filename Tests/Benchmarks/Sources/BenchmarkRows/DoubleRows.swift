// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import UnderstudyDoubles

protocol Postman: Sendable {
  func send(_ text: String) throws -> Int
  func forget()
}

/// The cost of calling a double, compared with a handwritten double with a lock and an array.
enum DoubleRows {
  static let byHand = "reference: a call of a double by hand"

  static func all() -> [Row] {
    let constant = PostmanDouble { $0.returns(1) }
    let choosing = PostmanDouble { sends in
      sends.when("bye").returns(2)
      sends.when("hello").returns(1)
    }
    return [
      Row(byHand, calls(of: PostmanByHand())),
      Row("reference: the same with a Mutex", calls(of: PostmanWithMutex())),
      Row("a call of a spy that returns a constant", atMost: 2, of: byHand, calls(of: constant)),
      Row("a call of a spy without a stub", atMost: 2, of: byHand, calls(of: SilentPostman())),
      Row("a call of a spy with two stubs", atMost: 2, of: byHand, calls(of: choosing)),
    ]
  }

  private static func calls(of postman: any Postman) -> (Int) throws -> Void {
    { count in
      var sum = 0
      for _ in 0..<count { sum &+= try postman.send("hello") }
      precondition(sum == count)
      postman.forget()
    }
  }
}

/// The usual handwritten form.
private final class PostmanByHand: Postman, @unchecked Sendable {
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

/// The cheapest handwritten form.
private final class PostmanWithMutex: Postman {
  private let state = Mutex((texts: [String](), result: 1))

  func send(_ text: String) throws -> Int {
    state.withLock {
      $0.texts.append(text)
      return $0.result
    }
  }

  func forget() { state.withLock { $0.texts = [] } }
}

private final class PostmanDouble: Postman {
  private let sends = Spy<String, Int, any Error>("send(_:)")

  init(_ stub: (Spy<String, Int, any Error>) -> Void) { stub(sends) }

  func send(_ text: String) throws -> Int { try sends(text) }
  func forget() { sends.forgetCalls() }
}

private final class SilentPostman: Postman {
  private let sends = Spy<String, Void, any Error>("send(_:)")

  func send(_ text: String) throws -> Int {
    try sends(text)
    return 1
  }

  func forget() { sends.forgetCalls() }
}
