// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

import Synchronization

/// Has a clerk that has a manager, so the clerk is injected after both are created.
///
/// - Understudy: component cached
final class Manager: Sendable {
  private let held = Mutex<Clerk?>(nil)

  var clerk: Clerk? { held.withLock { $0 } }

  /// - Understudy: inject
  func employ(clerk: Clerk) {
    held.withLock { $0 = clerk }
  }
}
