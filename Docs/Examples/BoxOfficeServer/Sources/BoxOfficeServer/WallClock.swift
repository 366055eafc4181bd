// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Foundation

/// Tells the time.
public protocol WallClock: Sendable {
  /// The present time.
  var now: Date { get }
}

/// Production's clock: the machine's.
struct SystemClock: WallClock {
  var now: Date { Date() }
}
