// Part of Understudy: a bridge to swift-metrics.
// SPDX-License-Identifier: MIT

import Metrics
import Synchronization
import Understudy

extension Resolver {
  /// Counts the requests and the creations of this resolver from now on, for each key.
  ///
  /// The counter `understudy.resolutions` has the dimensions `key` and `outcome`, which is
  /// `resolved`, `missed` or `failed`. `understudy.creations` has the dimension `key`.
  ///
  /// - Parameter factory: Makes the counters.
  /// - Returns: The observation, to cancel it.
  @discardableResult
  public func count(
    in factory: any MetricsFactory = MetricsSystem.factory
  ) -> ResolverObservation {
    let counters = ResolverCounters(factory)
    return observe { counters.count($0) }
  }
}

/// The counters of a resolver. Each is created once.
private final class ResolverCounters: Sendable {
  private struct Name: Hashable {
    let kind: ResolverEvent.Kind
    let key: AnyKey
  }

  private let factory: any MetricsFactory
  private let counters = Mutex<[Name: Counter]>([:])

  init(_ factory: any MetricsFactory) {
    self.factory = factory
  }

  func count(_ event: ResolverEvent) {
    let name = Name(kind: event.kind, key: event.key)
    let known = counters.withLock { $0[name] }
    guard let counter = known ?? newCounter(name) else { return }
    counter.increment()
    if known == nil { counters.withLock { $0[name] = counter } }
  }

  private func newCounter(_ name: Name) -> Counter? {
    switch name.kind {
    case .created:
      Counter(
        label: "understudy.creations", dimensions: [("key", "\(name.key)")], factory: factory)
    case .resolved, .missed, .failed:
      Counter(
        label: "understudy.resolutions",
        dimensions: [("key", "\(name.key)"), ("outcome", name.kind.rawValue)], factory: factory)
    case .registered, .creating, .disposed: nil
    }
  }
}
