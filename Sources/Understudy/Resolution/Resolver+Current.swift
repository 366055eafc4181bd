// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

extension Resolver {
  /// The resolver that the calling code uses: the one whose block is running, or that of the innermost
  /// `withResolver`, or `main`.
  ///
  /// `@Inject`, `withOverrides` and everything else that names no resolver uses it.
  public static var current: Resolver {
    let bound = Current.bound
    // A `withResolver` within the block is further in than the block.
    if let construction = Construction.current, construction.bound === bound {
      return construction.resolver
    }
    return bound?.resolver ?? main
  }
}

/// Runs `operation` with another resolver in the place of `Resolver.main`, for the calling task tree.
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

/// Runs `operation` with another resolver in the place of `Resolver.main`, for the calling task tree.
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
  /// What the task-local holds. Its lifetime is counted, so that reading costs one relaxed load while
  /// no task uses another resolver.
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
