// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing

struct `Standby pricing` {
  @Test(arguments: [
    (24 * 3600, 3001), (3601, 3001), (3600, 1500), (1, 1500),
  ])
  func `a seat costs half in the last hour, rounded in the patron's favour`(
    seconds: Int, price: Int
  ) throws {
    let performance = try Season.short.performance("godot")
    let row = Row(name: "A", seats: 1, price: Money(minorUnits: 3001))
    #expect(
      StandbyPricing().price(
        inRow: row, of: performance, soldAt: .curtain - TimeInterval(seconds))
        == Money(minorUnits: price))
  }
}
