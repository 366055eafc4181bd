// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The data of a request for the observers of its resolver.
final class ObservedRequest {
  /// The label of the answering layer, or `nil` for production.
  var label: LayerLabel?
  var owner: LevelStore?
  /// True while a block runs that was reported to the observers.
  fileprivate var isCreating = false
}

extension Resolution {
  /// Reports the start of a block. The block of an alias and an existing value create nothing, so
  /// they are not reported.
  func sendCreating(_ answer: Answer) {
    guard let observed, !answer.registration.isAlias, !answer.registration.isExisting else {
      return
    }
    observed.isCreating = true
    observed.owner = nil
    send(.creating)
  }

  func sendValue(_ value: Any) {
    sendCreated(value)
    if isCounted { send(.resolved, value) }
  }

  /// Reports that a block has created a value.
  ///
  /// - Parameter value: The value, or `nil` if it is not used because the request starts again.
  func sendCreated(_ value: Any?) {
    guard let observed, observed.isCreating else { return }
    observed.isCreating = false
    if value == nil { observed.owner = nil }
    send(.created, value)
  }

  func sendFailed(_ error: ResolutionError) {
    guard let observed, isCounted || observed.isCreating else { return }
    observed.isCreating = false
    send(.failed, error: error)
  }

  func send(_ kind: ResolverEvent.Kind, _ value: Any? = nil, error: ResolutionError? = nil) {
    guard let observed else { return }
    let owner: ResolverEvent.Owner? =
      kind == .created || kind == .resolved ? observed.owner?.owner ?? .caller : nil
    resolver.store.observers.send(
      ResolverEvent(
        kind: kind, key: request.key, path: path + [request.key], order: order,
        parentOrder: construction?.order ?? 0, layer: observed.label?.name, owner: owner,
        callSite: request.callSite, error: error), value)
  }
}

extension Resolver {
  /// Reports a request that failed before the search for an answer: it lost its context, or its
  /// layer has ended.
  func sendRefused(_ request: Request, _ error: ResolutionError) {
    guard isObserved else { return }
    let construction = Construction.current
    store.observers.send(
      ResolverEvent(
        kind: .failed, key: request.key,
        path: (construction?.path ?? []).map(\.key) + [request.key],
        order: AtomicInt.lastResolution.next(), parentOrder: construction?.order ?? 0, layer: nil,
        owner: nil, callSite: request.callSite, error: error))
  }
}
