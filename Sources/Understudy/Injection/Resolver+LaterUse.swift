// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Says that what is being made will ask for something later, which counts at once: an override of it bites (O6).
  ///
  /// - Parameters:
  ///   - request: What will be asked for. What `T?`, `[T]` and a provider stand for counts, too.
  ///   - isProvided: True if it may also be asked for what a function returns, with its parameter as the argument.
  func noteLaterUse(of request: Request, isProvided: Bool = false) {
    guard let tracker = Construction.current?.tracker else { return }
    // What holds the context of a layer must not outlive the layer.
    tracker.contribute(.current)
    noteLaterUse(of: request, isProvided: isProvided, by: tracker)
  }

  private func noteLaterUse(
    of request: Request, isProvided: Bool, by tracker: DependencyTracker
  ) {
    let (key, top) = (request.key, OverrideLayer.current)
    let found = answer(to: request, from: top, boundary: top?.boundary)
    tracker.contribute(found?.layer)
    tracker.add(
      Provenance(
        of: key, answer: found.map { .registration($0.registration) } ?? .nothing,
        level: found?.level ?? 0, resolver: self))
    func noteInner(_ key: AnyKey, isProvided: Bool) {
      let inner = Request(key, declared: nil, at: request.callSite)
      noteLaterUse(of: inner, isProvided: isProvided, by: tracker)
    }
    if isProvided, let made = key.madeByFunction { noteInner(made, isProvided: false) }
    guard found == nil, let implied = key.implied else { return }
    guard key.type is any AskingForAll.Type else {
      let kind = (key.type as? any ImpliedDependency.Type)?.impliedKind
      return noteInner(implied, isProvided: kind == .deferred)
    }
    let elements = elements(of: implied, from: top)
    tracker.add(Provenance(of: implied, answer: .every(elements), level: 0, resolver: self))
    for key in Set(elements.map(\.key)) { noteInner(key, isProvided: false) }
  }
}
