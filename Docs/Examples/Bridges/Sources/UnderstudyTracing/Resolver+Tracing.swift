// Part of Understudy: a bridge to swift-distributed-tracing.
// SPDX-License-Identifier: MIT

import Synchronization
import Tracing
import Understudy

extension Resolver {
  /// Makes a span for each creation from now on. It is a child of the requesting creation's span.
  /// The outermost span is a child of the caller's.
  ///
  /// The span is named for the key: `create 'any Store'`. Its attributes are `understudy.key`,
  /// `understudy.layer` if a layer has the registration, and `understudy.owner`. An error of the
  /// block is recorded on the span. A span that the block itself makes is a child of the caller's
  /// span, since an observer cannot bind the context of a block: use `traced` for that.
  ///
  /// - Parameters:
  ///   - tracer: Makes the spans. By default the tracer of the `InstrumentationSystem`.
  ///   - isTraced: True for the creations that get a span.
  /// - Returns: The observation, to cancel it.
  @discardableResult
  public func traceCreations(
    by tracer: (any Tracer)? = nil,
    where isTraced: @escaping @Sendable (ResolverEvent) -> Bool = { _ in true }
  ) -> ResolverObservation {
    let spans = CreationSpans(tracer, where: isTraced)
    return observe { spans.note($0) }
  }
}

/// The spans of the running creations.
private final class CreationSpans: Sendable {
  private struct Creation {
    let span: (any Span)?
    /// The context for nested creations.
    let context: ServiceContext
  }

  private let tracer: (any Tracer)?
  private let isTraced: @Sendable (ResolverEvent) -> Bool
  private let running = Mutex<[Int: Creation]>([:])

  init(_ tracer: (any Tracer)?, where isTraced: @escaping @Sendable (ResolverEvent) -> Bool) {
    self.tracer = tracer
    self.isTraced = isTraced
  }

  func note(_ event: ResolverEvent) {
    guard let order = event.order else { return }
    switch event.kind {
    case .creating: begin(event, order)
    case .created, .failed: end(event, order)
    case .registered, .resolved, .missed, .disposed: break
    }
  }

  private func begin(_ event: ResolverEvent, _ order: Int) {
    let parent = event.parent.flatMap { parent in running.withLock { $0[parent]?.context } }
    let context = parent ?? ServiceContext.current ?? .topLevel
    guard isTraced(event) else {
      running.withLock { $0[order] = Creation(span: nil, context: context) }
      return
    }
    let span = (tracer ?? InstrumentationSystem.tracer).startAnySpan(
      "create \(event.key)", context: context)
    span.attributes["understudy.key"] = "\(event.key)"
    if let layer = event.layer { span.attributes["understudy.layer"] = "\(layer)" }
    running.withLock { $0[order] = Creation(span: span, context: span.context) }
  }

  private func end(_ event: ResolverEvent, _ order: Int) {
    guard let span = running.withLock({ $0.removeValue(forKey: order) })?.span else { return }
    if let owner = event.owner { span.attributes["understudy.owner"] = "\(owner)" }
    if let error = event.error { span.recordError(error) }
    span.end()
  }
}
