// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Waits until there were `count` calls, or until `timeout` returns.
  ///
  /// A call wakes the waiter; nothing polls.
  func wait(
    until count: Int, timeout: @escaping @Sendable () async -> Void
  ) async -> Bool {
    if state.withLock({ $0.history.count >= count }) { return true }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { await self.waitForCalls(count) }
      group.addTask {
        await timeout()
        return false
      }
      let reached = await group.next() ?? false
      group.cancelAll()
      return reached
    }
  }

  private func waitForCalls(_ count: Int) async -> Bool {
    let id = Tick.next()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let isReached: Bool? = state.withLock { state in
          if state.history.count >= count { return true }
          // Cancelled before it began to wait: the handler below has found nothing to wake.
          if Task.isCancelled { return false }
          state.waiters.add(id, target: count, wake)
          state.refresh()
          return nil
        }
        if let isReached { wake.resume(returning: isReached) }
      }
    } onCancel: {
      let wake = state.withLock { state in
        let wake = state.waiters.take(id)
        state.refresh()
        return wake
      }
      wake?.resume(returning: false)
    }
  }
}
