// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is noted of a request for the observers of its resolver.
final class ObservedRequest {
  /// The label of the answering layer; `nil` for production.
  fileprivate var label: LayerLabel?
  /// The level that stores the value.
  var owner: LevelStore?
  /// True while a block runs of which the observers know.
  fileprivate var isCreating = false

  func note(_ answer: Answer) { label = answer.level.label }
}

extension Resolution {
  /// Tells the observers that a block begins. The block of an alias creates nothing, and neither
  /// does an existing value.
  func sendCreating(_ answer: Answer) {
    guard let observed, !answer.registration.isAlias, !answer.registration.isExisting else {
      return
    }
    observed.isCreating = true
    observed.owner = nil
    send(.creating)
  }

  /// Tells the observers of a value that is handed out.
  func sendValue(_ value: Any) {
    sendCreated(value)
    if isCounted { send(.resolved, value) }
  }

  /// Tells the observers that a block has created a value.
  ///
  /// - Parameter value: The value; `nil` for one that is not used, since the request begins anew.
  func sendCreated(_ value: Any?) {
    guard let observed, observed.isCreating else { return }
    observed.isCreating = false
    if value == nil { observed.owner = nil }
    send(.created, value)
  }

  /// Tells the observers that the request failed.
  func sendFailed(_ error: ResolutionError) {
    guard let observed, isCounted || observed.isCreating else { return }
    observed.isCreating = false
    send(.failed, error: error)
  }

  func send(
    _ kind: ResolverEvent.Kind, _ value: Any? = nil, error: ResolutionError? = nil
  ) {
    guard let observed else { return }
    let owner: ResolverEvent.Owner? =
      kind == .created || kind == .resolved ? observed.owner?.owner ?? .caller : nil
    resolver.store.observers.send(
      ResolverEvent(
        kind, request.key, path: path + [request.key], order: order,
        parent: construction?.order ?? 0, by: observed.label, owner: owner, at: request.callSite,
        error: error), value)
  }
}

extension Resolver {
  /// Tells the observers of a request that failed before an answer was looked for: it lost its
  /// context, or its layer has ended.
  func sendRefused(_ request: Request, _ error: ResolutionError) {
    guard isObserved else { return }
    let construction = Construction.current
    store.observers.send(
      ResolverEvent(
        .failed, request.key, path: (construction?.path ?? []).map(\.key) + [request.key],
        order: store.nextNumber(), parent: construction?.order ?? 0, by: nil, owner: nil,
        at: request.callSite, error: error))
  }
}
