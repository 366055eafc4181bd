// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What something that is being made will ask for later, it or what it will ask.
private struct LaterUse: Hashable {
  let key: AnyKey
  /// True if it may also be asked for what a function returns, with its parameter as the argument.
  var isProvided = false
}

extension Resolver {
  /// Says that what is being made will ask for something later, which counts at once: an override of it bites, and one of
  /// what it is known to need before it is made (O6).
  ///
  /// - Parameters:
  ///   - request: What will be asked for. What `T?`, `[T]` and a provider stand for counts, too.
  ///   - isProvided: True if it may also be asked for what a function returns, with its parameter as the argument.
  /// - Complexity: O(n) in the number of what is known to be needed, directly or not.
  func noteLaterUse(of request: Request, isProvided: Bool = false) {
    guard let tracker = Construction.current?.tracker else { return }
    // What holds the context of a layer must not outlive the layer.
    tracker.contribute(.current)
    let first = LaterUse(key: request.key, isProvided: isProvided)
    var seen: Set<LaterUse> = [first]
    var open = noteLaterUse(first, request, by: tracker)
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      let inner = Request(next.key, declared: next.key.declaredDefault, at: request.callSite)
      open += noteLaterUse(next, inner, by: tracker)
    }
  }

  /// Notes one of them, and returns what it stands for and is known to need.
  private func noteLaterUse(
    _ use: LaterUse, _ request: Request, by tracker: DependencyTracker
  ) -> [LaterUse] {
    let (key, top) = (use.key, OverrideLayer.current)
    var others: [LaterUse] = []
    if use.isProvided, let made = key.madeByFunction { others.append(LaterUse(key: made)) }
    if noteAnswers(to: request, by: tracker, { others.append(LaterUse(key: $0)) }) { return others }
    guard let implied = key.implied else { return others }
    guard key.type is any AskingForAll.Type else {
      let kind = (key.type as? any ImpliedDependency.Type)?.impliedKind
      return others + [LaterUse(key: implied, isProvided: kind == .deferred)]
    }
    let elements = elements(of: implied, from: top)
    tracker.add(Provenance(of: implied, answer: .every(elements), level: 0, resolver: self))
    return others + elements.map { LaterUse(key: $0.key) }
  }

  /// Notes who would answer now, with what that stands before, and says what their blocks are known to ask for; false if
  /// nobody would, or nobody below decorators.
  private func noteAnswers(
    to request: Request, by tracker: DependencyTracker, _ need: (AnyKey) -> Void
  ) -> Bool {
    let top = OverrideLayer.current
    var start = top
    while true {
      let found = answer(to: request, from: start, boundary: top?.boundary)
      tracker.contribute(found?.layer)
      tracker.add(
        Provenance(
          of: request.key, answer: found.map { .registration($0.registration) } ?? .nothing,
          level: found?.level ?? 0, resolver: self,
          ceiling: Provenance.ceiling(from: start, under: top)))
      guard let found else { return false }
      var registration: AnyRegistration? = found.registration
      while let next = registration {
        next.needs.forEach(need)
        next.statedNeeds.forEach(need)
        guard next.isDecoration else { return true }
        registration = next.replaced
      }
      start = found.layer?.next(of: self)
    }
  }
}
