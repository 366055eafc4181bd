// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Collects what an instance that is to be kept was made from, and finds out which layer owns it.
///
/// The owner is the innermost layer that contributed to making it (O5).
final class DependencyTracker: Sendable {
  /// Kept by the flight, under its lock.
  struct Collected {
    var dependencies: [Provenance] = []
    /// What the layer is to finish that will own the instance.
    var participants: [any LayerParticipant] = []
    /// True once something contributed that no layer of this stack can own: a layer that the block
    /// itself pushed. Such an instance is handed out and kept nowhere.
    var isTransient = false
    /// False once the instance is made, or could not be.
    var isOpen = true
  }

  let flight: Flight
  private let outer: DependencyTracker?

  /// How many are open: one relaxed load stands before the look for one, as for `Attention`.
  private static let openCount = Atomic<Int>(0)
  static var areAnyOpen: Bool { openCount.load(ordering: .relaxed) != 0 }

  init(_ flight: Flight, within outer: DependencyTracker?) {
    self.flight = flight
    self.outer = outer
    DependencyTracker.openCount.add(1, ordering: .relaxed)
    Attention.begin()
  }

  deinit { close() }

  var dependencies: [Provenance] { flight.withCollected { $0.dependencies.map(\.self) } }
  var isTransient: Bool { flight.withCollected { $0.isTransient } }

  var isOpen: Bool { flight.withCollected { $0.isOpen } }

  /// Collects no more, and returns what is to be finished with the instance.
  @discardableResult
  func close() -> [any LayerParticipant] {
    let (wasOpen, participants) = flight.withCollected { collected in
      defer {
        collected.isOpen = false
        collected.participants = []
      }
      return (collected.isOpen, collected.participants)
    }
    guard wasOpen else { return [] }
    DependencyTracker.openCount.subtract(1, ordering: .relaxed)
    Attention.end()
    return participants
  }

  /// Takes what is to be finished with the instance; false if that is made already, or cannot be kept by the
  /// layer that it was made under.
  func take(_ participant: any LayerParticipant, madeUnder layer: OverrideLayer) -> Bool {
    guard flight.canBeOwned(by: layer) else { return false }
    return flight.withCollected { collected in
      guard collected.isOpen else { return false }
      collected.participants.append(participant)
      return true
    }
  }

  func add(_ dependency: Provenance) {
    flight.withCollected { $0.dependencies.append(dependency) }
  }

  /// Says that a layer, or production, has a part in what is being made; at once, so that others do
  /// not wait for an instance that they could not use.
  func contribute(_ layer: OverrideLayer?) {
    guard let layer else { return }
    if flight.canBeOwned(by: layer) {
      FlightBoard.shared.raise(flight, to: layer)
    } else {
      flight.withCollected { $0.isTransient = true }
    }
    outer?.contribute(layer)
  }
}

extension Resolver {
  /// Notes that nothing is registered for a key, for a caller that looked and did not ask: what is being made
  /// depends on that.
  package func noteUnregistered(_ key: AnyKey) {
    Construction.current?.tracker?.add(
      Provenance(of: key, answer: .nothing, level: 0, resolver: self))
  }
}
