// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The resolver that the calling code uses. While a block runs, that is the requested resolver.
  /// Otherwise it is the resolver of the innermost `withResolver`, or `main`.
  ///
  /// `@Inject`, `withOverrides` and all other forms that name no resolver use it.
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
///   - resolver: The value of `Resolver.current` meanwhile.
///   - operation: The code that sees the resolver.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
@discardableResult
public func withResolver<Result, Failure: Error>(
  _ resolver: Resolver, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let outcome = Resolver.Current.$task.withValue(Resolver.Current(resolver)) {
    Swift.Result(catching: operation)
  }
  return try outcome.get()
}

/// Runs `operation` with another resolver in the place of `Resolver.main`, for the calling task
/// tree. It keeps the caller's isolation.
@discardableResult
public func withResolver<Result, Failure: Error>(
  _ resolver: Resolver, operation: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  let outcome = await Resolver.Current.$task.binding(Resolver.Current(resolver)) {
    () async -> Swift.Result<Result, Failure> in
    do throws(Failure) {
      return .success(try await operation())
    } catch {
      return .failure(error)
    }
  }
  return try outcome.get()
}

extension Resolver {
  /// What the task-local holds. Its lifetime is counted, so that reading costs one relaxed load
  /// while no task uses another resolver.
  package final class Current: Sendable {
    @TaskLocal package static var task: Current?

    package let resolver: Resolver

    init(_ resolver: Resolver) {
      self.resolver = resolver
      AtomicInt.boundResolvers.add(1)
    }

    deinit { AtomicInt.boundResolvers.subtract(1) }

    package static var bound: Current? { AtomicInt.boundResolvers.relaxedValue == 0 ? nil : task }
  }

  /// True if production alone can answer the calling code, and nothing notes its requests: no layer
  /// is alive, and no block is running. Costs two relaxed loads and a look at the thread.
  package static var isUnwatched: Bool { !OverrideLayer.areAnyAlive && Construction.current == nil }
}

/// The surroundings of running code: the block that it belongs to, and the layers that it sees.
struct Surroundings {
  var construction: Construction? = .current
  /// The innermost layer, or `nil` if the caller sees only production.
  let top: OverrideLayer?

  static var current: Surroundings { Surroundings(top: .current) }

  var resolver: Resolver { Resolver.current(within: construction) }

  /// The layer under which the calling code creates an object, for a wrapper to store.
  ///
  /// `nil` in production, and while an instance is created that a level will store: its context
  /// depends on its owner.
  var origin: (any AnyObject & Sendable)? {
    guard let top, construction?.creation == nil else { return nil }
    return top.keeper ?? top
  }
}
