// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The innermost layer that answers the calling code, or `nil` for production: the rule for work
  /// that lost its context is O3 of `Docs/Guarantees.md`. A caller that only looks for a
  /// registration passes `isAnswered: false`, which ignores the provenance of a cached instance.
  ///
  /// A refused request is reported to the observers.
  package func layerOfCaller(
    _ request: Request, seeing layer: OverrideLayer? = .current, isAnswered: Bool = true
  ) throws(ResolutionError) -> OverrideLayer? {
    guard OverrideLayer.areAnyAlive else { return nil }
    do throws(ResolutionError) {
      return try attributed(
        layer, request, isAnswered: isAnswered, canThrow: !request.keepsErrors)
    } catch {
      if isAnswered { sendRefused(request, error) }
      throw error
    }
  }

  /// The layer whose overrides answer a caller that sees `layer`.
  ///
  /// - Parameter canThrow: True if the caller gets the error. In a process without tests, the error
  ///   of a late request is then not written anywhere else.
  private func attributed(
    _ layer: OverrideLayer?, _ request: Request, isAnswered: Bool, canThrow: Bool
  ) throws(ResolutionError) -> OverrideLayer? {
    guard let layer else { return try adopter(of: request, isAnswered: isAnswered) }
    if let ended = layer.nearestEnded {
      throw reported(
        .layerEnded(layer: ended.name, test: ended.test?.name), request, about: [ended],
        place: ended.placeOfEnd, isTold: !canThrow || TestProcess.runsTests)
    }
    guard TestHosts.areAny, !layer.isOfTest else { return layer }
    // A profile is of the process, and no layer of the caller.
    if layer === ProcessLayer.current {
      return try adopter(of: request, isAnswered: isAnswered) ?? layer
    }
    let levels = layer.levels(of: self)
    let answer = levels.reading {
      levels.answer(to: request.key, from: levels.top, declared: request.declared)
    }
    if answer?.isOfLayer != true {
      // The layer has overrides of its own, so no test may adopt the work, but it must not be
      // silent.
      _ = try adopter(of: request, isAdoptable: false)
    }
    return layer
  }

  /// Attributes a caller that cannot throw. If the request lost its context, production answers,
  /// and there is an issue of the run.
  package func layerOrProduction(_ request: Request, isAnswered: Bool = true) -> OverrideLayer? {
    guard OverrideLayer.areAnyAlive else { return nil }
    return try? attributed(
      OverrideLayer.bound, request, isAnswered: isAnswered, canThrow: false)
  }

  private func adopter(
    of request: Request, isAdoptable: Bool = true, isAnswered: Bool = true
  ) throws(ResolutionError) -> OverrideLayer? {
    guard TestHosts.areAny else { return nil }
    if TestHosts.knowTestOfCaller {
      noteOutside(request)
      return nil
    }
    if ProductionAlone.answers { return nil }
    let adopter = isAdoptable ? LiveLayers.adopter : nil
    var keys = request.key.asked + overriddenElements(of: request.key)
    var overriding = layers(overriding: keys)
    // A test with overrides of its own resolves often, so only the requested key is checked.
    if overriding.isEmpty, isAdoptable, isAnswered {
      keys = dependenciesOfStoredInstance(for: request)
      overriding = layers(overriding: keys)
    }
    if overriding.isEmpty { return adopter }
    if let adopter, adopter.stack.contains(where: { $0.hasAny(of: keys) }) { return adopter }
    throw reported(
      .unattributed(tests: overriding.compactMap { $0.test?.name }.sorted()), request,
      about: overriding, because: keys.first { key in !layers(overriding: [key]).isEmpty })
  }

  /// Notes a request of a test without its layers, for those that it has left to its own end.
  private func noteOutside(_ request: Request) {
    guard LayerKeeper.areAny, let test = TestHosts.current?.testOfCallingTask() else { return }
    let keys = request.key.asked
    for layer in layers(overriding: keys).flatMap(\.withInner)
    where layer.test == test && layer.overrides(self) && layer.keeper?.isLeft == true {
      for key in keys where layer.registration(for: key) != nil {
        layer.noteMissed(.outside(request.callSite), for: key)
      }
    }
  }

  /// The outermost layers of the stacks that override one of some keys.
  ///
  /// - Complexity: O(keys) if nothing of their types is overridden, however many tests are running.
  private func layers(overriding keys: [AnyKey]) -> [OverrideLayer] {
    let keys = keys.filter(OverriddenTypes.mayHave)
    if keys.isEmpty { return [] }
    return LiveLayers.all.filter { root in
      root.withInner.contains { $0.overrides(self) && $0.hasAny(of: keys) }
    }.ordered { $0.serial }
  }

  /// The keys that running tests override among an array's elements, which have their own names and
  /// containers.
  private func overriddenElements(of key: AnyKey) -> [AnyKey] {
    let elements = key.elements.filter(OverriddenTypes.mayHave)
    return elements.isEmpty ? [] : overriddenKeys { elements.contains(where: $0.isElement) }
  }

  /// The matching keys that running tests override.
  package func overriddenKeys(where isWanted: (AnyKey) -> Bool) -> [AnyKey] {
    LiveLayers.all.flatMap(\.withInner).filter { $0.overrides(self) }
      .flatMap(\.store.all).map(\.key).filter(isWanted)
  }

  /// The dependencies of production's stored instance, if there is one: a layer would create it
  /// anew.
  private func dependenciesOfStoredInstance(for request: Request) -> [AnyKey] {
    let levels = LevelStack(top: nil, production: store)
    var garbage = Garbage()
    let instance = levels.reading { () -> AnyInstance? in
      guard let answer = levels.answer(to: request.key, from: nil, declared: request.declared)
      else { return nil }
      return levels.scan(for: answer, to: request, &garbage).instance
    }
    garbage.release()
    var keys: [AnyKey] = []
    instance?.dependencies.visit { keys.append($0.key) }
    return keys
  }

  private func reported(
    _ reason: ResolutionError.Reason, _ request: Request, about layers: [OverrideLayer],
    because culprit: AnyKey? = nil, place: MessagePlace? = nil, isTold: Bool = true
  ) -> ResolutionError {
    var path = Resolver.blocksOfCaller.map(\.key) + [request.key]
    if let culprit, !request.key.asked.contains(culprit) { path.append(culprit) }
    let error = error(
      reason, request, path: path, registration: nil, LevelStack(top: nil, production: store),
      from: nil, place: place)
    if isTold {
      TestHosts.reportOnRun(Violation(error.message, at: request.callSite), about: layers)
    }
    // An instance whose block continues without the value is not stored for other requests.
    if let creation = Construction.current?.creation {
      for layer in layers { creation.contribute(layer.store, at: layer.store.production) }
    }
    guard case .unattributed = reason else { return error }
    for layer in layers.flatMap(\.withInner) where layer.overrides(self) {
      for key in request.key.asked where layer.registration(for: key) != nil {
        layer.noteMissed(.lostWork(request.callSite), for: key)
      }
    }
    return error
  }
}

extension OverrideLayer {
  fileprivate func hasAny(of keys: [AnyKey]) -> Bool {
    keys.contains { registration(for: $0) != nil }
  }
}

/// The live guard of work that lost its context: each live layer forbids production to answer.
///
/// The work may belong to any running test, so this guard holds only if all of them agree.
final class EscapedWorkGuard: Sendable {
  /// The outermost layers of the running tests.
  let roots: [OverrideLayer]
  /// The running tests, in words.
  let guardian: String
  private let layers: [OverrideLayer]

  /// The guard of the calling work. `nil` if the work belongs to a test, or a live layer has no
  /// guard.
  ///
  /// - Parameter layer: The layer of the work. Work that lost its context may push one of its own.
  @inline(never)
  static func ofCaller(under layer: OverrideLayer?) -> EscapedWorkGuard? {
    guard layer?.isOfTest != true, OverrideLayer.areAnyAlive, let host = TestHosts.current,
      !TestHosts.knowTestOfCaller,
      // A case of XCTest runs alone, so the work belongs to it.
      host.runningCase()?.adoptsEscapedWork != true
    else { return nil }
    // Thousands of tests may be running, and most suites have no guard.
    let roots = LiveLayers.all
    guard !roots.isEmpty,
      roots.allSatisfy({ root in
        root.withInner.allSatisfy { $0.options.live == .mustBeOverridden }
      })
    else { return nil }
    return EscapedWorkGuard(roots, roots.flatMap(\.withInner))
  }

  private init(_ roots: [OverrideLayer], _ layers: [OverrideLayer]) {
    self.roots = roots
    self.layers = layers
    guardian = roots.map { "the test '\($0.test?.name ?? $0.name)'" }.firstFive
      .joined(separator: "\n")
  }

  func allows(_ key: AnyKey) -> Bool { layers.contains { $0.allows(key) } }
}

/// While it is bound, only production answers. Two callers use it: a form that cannot throw after
/// its escape was reported, and the context of a production instance. The requests that production
/// makes meanwhile are no escapes.
package final class ProductionAlone: Sendable {
  @TaskLocal private static var bound: ProductionAlone?

  // The first stored property: `isOver` looks for it there.
  private let word = AtomicWord()
  private var isOver: AtomicInt { AtomicInt(in: self) }

  /// True while only production answers the calling task. A task that is started meanwhile inherits
  /// this until the answer is complete.
  static var answers: Bool { bound.map { !$0.isOver.isSet } ?? false }

  /// Runs `body` so that no layer of a test answers its requests, and none of them is an escape.
  package static func answering<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let alone = ProductionAlone()
    defer { alone.isOver.set() }
    let outcome = OverrideLayer.binding(ProcessLayer.current) {
      $bound.withValue(alone) {
        Swift.Result { () throws(Failure) -> Result in try body() }
      }
    }
    return try outcome.get()
  }

  /// The same under a condition; otherwise runs `body` under a layer.
  static func answering<Result>(
    if isAlone: Bool, under layer: OverrideLayer?, _ body: () -> Result
  ) -> Result {
    isAlone ? answering(body) : OverrideLayer.binding(layer, operation: body)
  }

  /// The same; keeps the caller's isolation.
  static func answering<Result>(
    if isAlone: Bool, under layer: OverrideLayer?, _ body: () async -> Result
  ) async -> Result {
    guard isAlone else { return await OverrideLayer.binding(layer, operation: body) }
    let alone = ProductionAlone()
    defer { alone.isOver.set() }
    return await OverrideLayer.binding(ProcessLayer.current) {
      await $bound.binding(alone, operation: body)
    }
  }
}
