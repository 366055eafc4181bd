// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// Runs `body` on a thread of its own. False if it hangs.
func endsInTime(_ body: @escaping @Sendable () -> Void) -> Bool {
  let end = DispatchSemaphore(value: 0)
  Thread {
    body()
    end.signal()
  }.start()
  return end.wait(timeout: .now() + 300) == .success
}
