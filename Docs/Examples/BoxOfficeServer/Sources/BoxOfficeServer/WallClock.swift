// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Foundation

/// Says what time it is.
public protocol WallClock: Sendable {
  /// This moment.
  var now: Date { get }
}

/// Production's clock: the machine's.
struct SystemClock: WallClock {
  var now: Date { Date() }
}
