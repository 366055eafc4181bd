// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

extension Resolver {
  /// The resolver that the calling code uses: the one whose block is running, or that of the
  /// innermost `withResolver`, or `main`.
  ///
  /// `@Inject`, `withOverrides` and everything else that names no resolver uses it.
  public static var current: Resolver { current(within: .current) }

  static func current(within construction: Construction?) -> Resolver {
    let bound = Current.bound
    // A `withResolver` within the block is further in than the block.
    if let construction, construction.bound === bound { return construction.resolver }
    return bound?.resolver ?? main
  }
}

/// Runs `operation` with another resolver in the place of `Resolver.main`, for the calling task
/// tree.
///
/// - Parameters:
///   - resolver: What `Resolver.current` is meanwhile.
///   - operation: What sees it.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
public func withResolver<Result, Failure: Error>(
  _ resolver: Resolver, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let outcome = Resolver.Current.$task.withValue(Resolver.Current(resolver)) {
    Swift.Result(catching: operation)
  }
  return try outcome.get()
}

/// Runs `operation` with another resolver in the place of `Resolver.main`, for the calling task
/// tree.
///
/// - Parameters:
///   - resolver: What `Resolver.current` is meanwhile.
///   - operation: What sees it; keeps the caller's isolation.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
public func withResolver<Result>(
  _ resolver: Resolver, operation: () async throws -> Result
) async rethrows -> Result {
  try await Resolver.Current.$task.binding(Resolver.Current(resolver), operation: operation)
}

extension Resolver {
  /// What the task-local holds. Its lifetime is counted, so that reading costs one relaxed load
  /// while no task uses another resolver.
  package final class Current: Sendable {
    @TaskLocal package static var task: Current?

    private static let liveCount = Atomic<Int>(0)

    package let resolver: Resolver

    init(_ resolver: Resolver) {
      self.resolver = resolver
      Current.liveCount.add(1, ordering: .relaxed)
    }

    deinit {
      Current.liveCount.subtract(1, ordering: .relaxed)
    }

    package static var bound: Current? {
      liveCount.load(ordering: .relaxed) == 0 ? nil : task
    }
  }
}

extension Resolver {
  /// A resolver that ignores what is registered on it and answers nothing, a new one each time
  ///.
  ///
  /// `T?` is `nil`, `[T]` is empty, `resolve` throws `missing`, and `resolve(into:)` leaves its
  /// target as it is. A declared dependency cannot be missing and is production's.
  ///
  /// ```swift
  /// withResolver(.inert) { screen.load() }
  /// ```
  ///
  /// Use it for a task tree; what other tests see stays as it is.
  public static var inert: Resolver { Resolver(inertNamed: "inert") }
}

extension Resolver {
  /// True if production alone can answer the calling code, and nothing notes what it asks for: no
  /// layer is alive, and no block is being run on whose behalf it asks.
  ///
  /// What is known to be constant may be read without a resolution then. Costs two relaxed loads
  /// and a look at the thread.
  package static var isUnwatched: Bool {
    !OverrideLayer.areAnyAlive && Construction.current == nil
  }

  /// Counts the changes of the registrations and instances, with those of the parents. It grows
  /// before a change is visible.
  package var generation: Int { store.generation }
}
