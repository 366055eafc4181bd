// Part of Understudy: a bridge to SwiftUI.
// SPDX-License-Identifier: MIT

import Observation
import SwiftUI
import Testing
import UnderstudyEssentials
import UnderstudySwiftUI
import UnderstudyTesting

@Observable
private final class Seats: Sendable {
  let count: Int

  init(count: Int) {
    self.count = count
  }
}

extension Dependencies {
  fileprivate static var seats: Dependency<Seats> { Dependency { Seats(count: 7) } }
}

private struct SeatsView: View {
  @InjectedObservable(\.seats) var seats

  var body: some View { Text("\(seats.count) seats") }
}

@MainActor
@Suite struct `An injected observable` {
  @Test func `is resolved once, in the context of its view`() {
    #expect(SeatsView().seats.count == 7)
    withOverrides {
      $0.override(\.seats) { Seats(count: 1) }
    } operation: {
      let view = SeatsView()
      #expect(view.seats.count == 1)
      #expect(view.seats === view.seats)
      #expect(view.$seats.wrappedValue === view.seats)
    }
  }
}

@Suite struct `A preview's trait` {
  @Test func `holds for the process, and a second one is refused`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        _ = PreviewTrait.overrides { $0.override(\.seats) { Seats(count: 2) } }
        precondition(SeatsView().seats.count == 2)
        _ = PreviewTrait.overrides { $0.override(\.seats) { Seats(count: 3) } }
        precondition(SeatsView().seats.count == 2)
      }
    }
  }
}
