// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// A gate that is opened once. Tasks and threads wait for it.
final class Passage: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())
  private let latch = Latch()

  func open() {
    latch.open()
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Suspends the calling task until the gate is open, even if it is cancelled.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Blocks the calling thread until the gate is open.
  func block() { latch.wait() }
}

/// Messages from any thread, in order.
final class Transcript<Element: Sendable>: Sendable {
  private let spoken = Lock<[Element]>([])

  var all: [Element] { spoken.withLock { $0 } }

  func say(_ element: Element) {
    spoken.withLock { $0.append(element) }
  }
}
