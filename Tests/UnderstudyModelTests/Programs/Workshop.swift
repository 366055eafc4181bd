// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// Creates the parts of a program that the package runs.
final class Workshop: Sendable {
  private struct State {
    var lastSerial = 0
    var failuresSoFar: [Int: Int] = [:]
    var contexts: [OverrideContext] = []
  }

  private let state = Lock(State())
  private let keys: PartKeys

  init(_ keys: PartKeys = PartKeys()) { self.keys = keys }

  func part(of maker: Int, from parts: [Int]) -> Part {
    let serial = state.withLock { state in
      state.lastSerial += 1
      return state.lastSerial
    }
    return Part(serial, of: maker, from: parts)
  }

  func block(of recipe: Recipe) -> @Sendable (Resolver) throws -> Part {
    { resolver in
      if recipe.captures { self.capture() }
      var parts: [Int] = []
      for need in recipe.needs {
        parts += serials(try resolver.answer(to: need, self.keys))
      }
      try self.fail(recipe.id, recipe.failures)
      return self.part(of: recipe.id, from: parts)
    }
  }

  func asyncBlock(of recipe: Recipe) -> @Sendable @concurrent (Resolver) async throws -> Part {
    { resolver in
      if recipe.captures { self.capture() }
      var parts: [Int] = []
      for need in recipe.needs {
        parts += serials(try await resolver.asyncAnswer(to: need, self.keys))
      }
      try self.fail(recipe.id, recipe.failures)
      return self.part(of: recipe.id, from: parts)
    }
  }

  func completion(
    of completion: Completion
  ) -> @Sendable (inout Part, Resolver) throws -> Void {
    { part, resolver in
      var parts: [Int] = []
      for need in completion.needs {
        parts += serials(try resolver.answer(to: need, self.keys))
      }
      try self.fail(completion.id, completion.failures)
      part.complete(with: parts)
    }
  }

  /// The captured contexts, in order.
  var contexts: [OverrideContext] { state.withLock { $0.contexts } }

  private func capture() {
    let context = OverrideContext.current
    state.withLock { $0.contexts.append(context) }
  }

  private func fail(_ id: Int, _ failures: Int) throws {
    let isFailure = state.withLock { state in
      state.failuresSoFar[id, default: 0] += 1
      return state.failuresSoFar[id, default: 0] <= failures
    }
    if isFailure { throw Broken() }
  }
}

/// The serial numbers of some parts, with -1 for none.
private func serials(_ parts: [Part]) -> [Int] {
  parts.isEmpty ? [-1] : parts.map(\.serial)
}

extension Resolver {
  func answer(to need: Need, _ keys: PartKeys) throws(ResolutionError) -> [Part] {
    switch need.form {
    case .required: [try resolve(keys.all[need.key], lifecycle: need.lifecycle)]
    case .optional:
      try resolve(keys.optional[need.key], lifecycle: need.lifecycle).map { [$0] } ?? []
    case .attempted:
      (try? resolve(keys.all[need.key], lifecycle: need.lifecycle)).map { [$0] } ?? []
    case .every: try resolve([Part].self)
    }
  }

  func asyncAnswer(to need: Need, _ keys: PartKeys) async throws(ResolutionError) -> [Part] {
    switch need.form {
    case .required: [try await resolveAsync(keys.all[need.key], lifecycle: need.lifecycle)]
    case .optional:
      try await resolveAsync(keys.optional[need.key], lifecycle: need.lifecycle).map { [$0] } ?? []
    case .attempted:
      (try? await resolveAsync(keys.all[need.key], lifecycle: need.lifecycle)).map { [$0] } ?? []
    case .every: try await resolveAsync([Part].self)
    }
  }
}
