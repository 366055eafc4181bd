// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// True if production alone can answer the calling code, and nothing notes what it asks for: no layer
  /// is alive, and no block is being run on whose behalf it asks.
  ///
  /// What is known to be constant may be read without a resolution then. Costs two relaxed loads and a
  /// look at the thread.
  package static var isUnwatched: Bool {
    !OverrideLayer.areAnyAlive && Construction.current == nil
  }

  /// Counts the changes of the registrations and instances, with those of the parents. It grows before a change
  /// is visible.
  package var generation: Int { LevelStack(top: nil, production: store).productionGeneration }
}
