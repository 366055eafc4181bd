// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@Suite struct `The outcomes of concurrent operations on one key` {
  @Test func `are possible on one thread`() {
    let wrong = firstWrongHistory(of: { Resolver() }, within: Effort.of(10_000))
    if let (seed, history) = wrong {
      Issue.record("Script \(seed), and no order of these explains them:\n\(history.listing)")
    }
  }

  /// A layer caches its search results until something changes, which must not show.
  @Test(arguments: [false, true])
  func `are possible on one thread, for a key of a layer`(isBoundary: Bool) {
    let wrong = firstWrongHistory(
      of: { Layered(isBoundary: isBoundary) }, within: Effort.of(10_000))
    if let (seed, history) = wrong {
      Issue.record("Script \(seed), and no order of these explains them:\n\(history.listing)")
    }
  }

  // The check itself can fail.
  @Test(arguments: Careless.Fault.allCases)
  func `reveal a resolver with a race`(fault: Careless.Fault) {
    #expect(firstWrongHistory(of: { Careless(fault) }, within: 10_000) != nil)
  }

  private func firstWrongHistory(
    of subject: () -> any Contended, within count: Int
  ) -> (seed: UInt64, History)? {
    let crew = Crew(of: 4)
    defer { crew.dismiss() }
    for seed in 0..<UInt64(count) {
      let script = Recorder.script(seed: seed)
      let recorder = Recorder(subject: subject())
      let events = Lock<[Int: [History.Event]]>([:])
      crew.perform { member in
        guard member < script.count else { return }
        let mine = recorder.perform(script[member])
        events.withLock { $0[member] = mine }
      }
      let recorded = events.withLock { $0 }
      let history = History(threads: script.indices.map { recorded[$0] ?? [] })
      if !history.isLinearizable() { return (seed, history) }
    }
    return nil
  }
}

/// A test layer that several threads share.
private final class Layered: Contended {
  private let resolver = Resolver()
  private let layer: OverrideLayer

  init(isBoundary: Bool) {
    var traits = LayerTraits(of: resolver, named: "shared", on: nil, at: CallSite())
    traits.isBoundary = isBoundary
    traits.test = RunningTest(name: "Concurrent operations on one key", adoptsEscapedWork: false)
    traits.options = [
      .check(.unusedOverride, .off), .check(.lateOverride, .off), .check(.sharedInstance, .off),
      .check(.unsharedDouble, .off), .check(.ignoredArgument, .off),
    ]
    layer = OverrideLayer(traits)
  }

  deinit { _ = layer.end() }

  func register(_ lifecycle: Lifecycle, _ block: @escaping @Sendable () throws -> Part) {
    layer.register(Part.self, lifecycle: lifecycle, block)
  }

  func unregister() -> Bool { layer.unregister(Key<Part>()) }

  func resolve(as lifecycle: Lifecycle) throws(ResolutionError) -> Part {
    let outcome = OverrideLayer.binding(layer) {
      Result { () throws(ResolutionError) in
        try resolver.resolve(Key<Part>(), lifecycle: lifecycle)
      }
    }
    return try outcome.get()
  }
}

/// A resolver of one key as one would write it in a hurry. Each has one fault.
final class Careless: Contended {
  enum Fault: CaseIterable {
    /// Works on a copy, and writes it back.
    case forgetsOthers
    /// Keeps the instance of the registration that was replaced.
    case keepsStale
    /// Loses a one-time value whose block throws.
    case losesThrown
    /// Removes a one-time value only after its block has run, and so returns it several times.
    case takesLate
  }

  private struct State {
    var lifecycle: Lifecycle?
    var block: @Sendable () throws -> Part = { throw Broken() }
    var instance: Part?
  }

  private let state = Lock(State())
  private let fault: Fault

  init(_ fault: Fault) { self.fault = fault }

  func register(_ lifecycle: Lifecycle, _ block: @escaping @Sendable () throws -> Part) {
    state.withLock { state in
      state.lifecycle = lifecycle
      state.block = block
      if fault != .keepsStale { state.instance = nil }
    }
  }

  func unregister() -> Bool {
    state.withLock { state in
      defer { (state.lifecycle, state.instance) = (nil, nil) }
      return state.lifecycle != nil
    }
  }

  func resolve(as requested: Lifecycle) throws(ResolutionError) -> Part {
    switch fault {
    case .keepsStale, .losesThrown:
      return try state.withLock { (state) throws(ResolutionError) in
        try resolve(&state, as: requested)
      }
    case .forgetsOthers:
      var copy = state.withLock { $0 }
      defer { state.withLock { [copy] in $0 = copy } }
      return try resolve(&copy, as: requested)
    case .takesLate:
      var copy = state.withLock { $0 }
      let part = try resolve(&copy, as: requested)
      if copy.lifecycle == nil { _ = unregister() }
      return part
    }
  }

  private func resolve(
    _ state: inout State, as requested: Lifecycle
  ) throws(ResolutionError) -> Part {
    guard let lifecycle = state.lifecycle else { throw error(.missing) }
    let policy = LifecyclePolicy(registered: lifecycle, resolvedAs: requested)
    if policy.removesRegistration, fault == .losesThrown { state.lifecycle = nil }
    let part: Part
    if policy.source == .cache, let instance = state.instance {
      part = instance
    } else {
      do { part = try state.block() } catch { throw self.error(.failed(error)) }
    }
    if policy.source == .cache { state.instance = part }
    if policy.removesRegistration { state.lifecycle = nil }
    return part
  }

  private func error(_ reason: ResolutionError.Reason) -> ResolutionError {
    ResolutionError(reason, key: Key<Part>().erased, path: [], callSite: CallSite())
  }
}
