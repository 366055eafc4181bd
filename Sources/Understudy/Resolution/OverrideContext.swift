// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a task sees, as a value: the stack of layers and the current resolver.
///
/// It carries doubles to where task-locals do not reach: queues, threads, delegates, event loops (O4).
///
/// ```swift
/// let context = OverrideContext.current
/// DispatchQueue.global().async { context.run { confirm() } }
/// ```
///
/// A context keeps its layers alive, but does not keep them open: what a layer held is let go of at
/// the end of its scope.
public struct OverrideContext: Sendable {
  package let layer: OverrideLayer?
  private let currentResolver: Resolver.Current?
  private let making: Making?

  /// What is being made on whose behalf the context is carried elsewhere: what is resolved there is
  /// one of its dependencies.
  private struct Making: Sendable {
    let registration: AnyRegistration
    let tracker: DependencyTracker
    let order: Int

    init?(_ construction: Construction?) {
      guard let construction, let tracker = construction.tracker else { return nil }
      registration = construction.registration
      self.tracker = tracker
      order = construction.order
    }
  }

  /// What the calling task sees.
  public static var current: OverrideContext {
    OverrideContext(
      layer: .current, currentResolver: Resolver.Current.bound, making: Making(.current))
  }

  /// The resolver that `Resolver.current` is within the context.
  package var resolver: Resolver { currentResolver?.resolver ?? .main }

  /// Runs `body` on the calling thread as if in the context.
  ///
  /// - Parameter body: What sees the context.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = OverrideLayer.binding(layer) {
      Resolver.Current.$task.withValue(currentResolver) {
        Swift.Result { () throws(Failure) -> Result in try runMaking(body) }
      }
    }
    return try outcome.get()
  }

  /// Runs `body` as if in the context; keeps the caller's isolation.
  ///
  /// - Parameter body: What sees the context.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func run<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let carried = carriedConstruction
    defer { carried?.close() }
    let construction = carried ?? AsyncConstruction.current
    let outcome = await OverrideLayer.binding(layer) {
      await Resolver.Current.$task.binding(currentResolver) {
        await AsyncConstruction.$bound.binding(construction) {
          () async -> Swift.Result<Result, Failure> in
          do throws(Failure) {
            return .success(try await body())
          } catch {
            return .failure(error)
          }
        }
      }
    }
    return try outcome.get()
  }

  /// What an asynchronous body runs on behalf of; found through its task, as the body may change
  /// threads. `nil` if nothing is being made, or the calling task makes something itself.
  private var carriedConstruction: AsyncConstruction? {
    guard let making, making.tracker.isOpen, AsyncConstruction.current == nil else { return nil }
    return AsyncConstruction(
      making.registration, tracker: making.tracker, order: making.order, isCarried: true)
  }

  private func runMaking<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let making, making.tracker.isOpen, Construction.current == nil else {
      return try body()
    }
    return try Construction.run(
      making.registration, tracker: making.tracker, order: making.order, body)
  }
}
