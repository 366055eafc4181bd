// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyCompatibility
import UnderstudyDoubles

/// Runs one program on the package and on the model, step by step, until they differ.
final class Comparison {
  private let model: ReferenceModel
  /// The resolvers. Each is the parent of the next, and the last one gets the requests.
  private let resolvers: [Resolver]
  private let keys: PartKeys
  private let workshop: Workshop
  private var layers: [OverrideLayer] = []
  private var next: ArraySlice<Step>
  private let isAsync: Bool
  /// How often each request is made.
  private let repetitions: Int

  /// The step at which they differ, and the two results.
  private(set) var difference: String?

  private init(
    _ program: [Step], _ model: ReferenceModel, isAsync: Bool = false, repetitions: Int = 1,
    plain: Int? = nil, children: Int = 0
  ) {
    self.model = model
    var resolvers = [Resolver()]
    for _ in 0..<children {
      resolvers.append(Resolver(parent: resolvers.last))
      model.addChild()
    }
    self.resolvers = resolvers
    self.isAsync = isAsync
    self.repetitions = repetitions
    keys = PartKeys(plain: plain)
    workshop = Workshop(keys)
    next = program[...]
  }

  /// The first difference between the package and a model, or `nil`.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - model: The model.
  ///   - plain: The key without a name, which the cache of the fast path answers.
  ///   - repetitions: How often each request is made.
  ///   - children: The number of the resolver's ancestors. Layers override them in turn.
  static func difference(
    _ program: [Step], from model: ReferenceModel, plain: Int? = nil, repetitions: Int = 1,
    children: Int = 0
  ) -> String? {
    let comparison = Comparison(
      program, model, repetitions: repetitions, plain: plain, children: children)
    comparison.run()
    return comparison.difference
  }

  /// The same with asynchronous blocks and resolutions.
  static func asyncDifference(
    _ program: [Step], from model: ReferenceModel, children: Int = 0
  ) async -> String? {
    let comparison = Comparison(program, model, isAsync: true, children: children)
    await comparison.asyncRun()
    return comparison.difference
  }

  private var resolver: Resolver { resolvers[resolvers.count - 1] }

  /// The resolver that the next layer overrides. Layers take the resolvers in turn.
  private var overridden: Resolver { resolvers[layers.count % resolvers.count] }

  /// The innermost existing level up to `number`.
  private func level(_ number: Int) -> Int { min(number, resolvers.count - 1 + layers.count) }

  /// The layer of a level, or `nil` for the level of a resolver.
  private func layer(_ level: Int) -> OverrideLayer? {
    level < resolvers.count ? nil : layers[level - resolvers.count]
  }

  // These programs are not about the checks at the end of a layer.
  private static let options: OverrideOptions = [
    .check(.unusedOverride, .off), .check(.lateOverride, .off), .check(.sharedInstance, .off),
    .check(.unsharedDouble, .off), .check(.ignoredArgument, .off),
  ]

  /// Performs steps until the innermost layer is popped.
  private func run() {
    while difference == nil, let step = next.popFirst() {
      switch step {
      case .push(let isBoundary) where layers.count < [Step].deepest:
        withOverrides(
          Comparison.options, of: overridden, named: "layer", isBoundary: isBoundary
        ) {
          enter($0, isBoundary)
        } operation: {
          run()
        }
        leave()
      case .pop: if !layers.isEmpty { return }
      case .visit(let age, let need):
        guard let index = model.usableContext(age) else { continue }
        let context = workshop.contexts[index]
        compare(need, inContext: index) { () throws(ResolutionError) in
          try context.run { () throws(ResolutionError) in try resolver.answer(to: need, keys) }
        }
      case .resolve(let need):
        for _ in 0..<repetitions where difference == nil {
          compare(need) { () throws(ResolutionError) in try resolver.answer(to: need, keys) }
        }
      default: perform(step)
      }
    }
    if difference == nil, !model.isEndless { compareAll(after: "the end") }
  }

  private func asyncRun() async {
    while difference == nil, let step = next.popFirst() {
      switch step {
      case .push(let isBoundary) where layers.count < [Step].deepest:
        await withOverrides(
          Comparison.options, of: overridden, named: "layer", isBoundary: isBoundary
        ) {
          enter($0, isBoundary)
        } operation: {
          await asyncRun()
        }
        leave()
      case .pop: if !layers.isEmpty { return }
      case .visit(let age, let need):
        guard let index = model.usableContext(age) else { continue }
        let context = workshop.contexts[index]
        let result: Result<[Part], ResolutionError>
        do throws(ResolutionError) {
          result = .success(
            try await context.run { () async throws(ResolutionError) in
              try await resolver.asyncAnswer(to: need, keys)
            })
        } catch { result = .failure(error) }
        compare(need, inContext: index) { () throws(ResolutionError) in try result.get() }
      case .resolve(let need):
        let result: Result<[Part], ResolutionError>
        do throws(ResolutionError) {
          result = .success(try await resolver.asyncAnswer(to: need, keys))
        } catch { result = .failure(error) }
        compare(need) { () throws(ResolutionError) in try result.get() }
      default: perform(step)
      }
    }
    if difference == nil, !model.isEndless { compareAll(after: "the end") }
  }

  private func enter(_ layer: OverrideLayer, _ isBoundary: Bool) {
    layers.append(layer)
    model.push(isBoundary: isBoundary)
  }

  private func leave() {
    layers.removeLast()
    model.pop()
    if difference == nil, !model.isEndless { compareAll(after: "a pop") }
  }

  /// Performs a step that is neither a request nor a change of the stack.
  private func perform(_ step: Step) {
    switch step {
    case .register(let key, let recipe, let level):
      let level = self.level(level)
      model.add(.making(recipe), recipe.lifecycle, for: key, at: level)
      if let layer = layer(level) {
        register(recipe, key, layer)
      } else {
        register(recipe, key, resolvers[level])
      }
    // A layer that decorates its own completed registration has its own tests.
    case .decorate(let key, _) where model.isCompletedByInnermost(key): break
    case .decorate(let key, let id):
      model.decorate(key, id: id)
      layers.last?.decorate(Part.self, named: keys.name(of: key)) { [workshop] inner in
        workshop.part(of: id, from: [inner.serial])
      }
    case .unregister(let key, let level):
      let level = self.level(level)
      let expected = model.unregister(key, at: level)
      let wasThere =
        layer(level)?.unregister(keys.all[key]) ?? resolvers[level].unregister(keys.all[key])
      if wasThere != expected {
        difference = "\(step): \(wasThere), and the model says \(expected)"
      }
    case .fault(let key, let hits):
      guard let layer = layers.last,
        model.levels[layers.count + resolvers.count - 1].faults[key] == nil
      else { return }
      model.fault(key, hits)
      layer.fault(
        Part.self, .throwing(Broken()), on: .sequence(hits), named: keys.name(of: key))
    case .reset:
      model.reset()
      resolver.reset(.instances)
    case .look(let key):
      let expected = model.kept(for: key)?.serial ?? 0
      let kept = resolver.existing(Part.self, named: keys.name(of: key))?.serial ?? 0
      if kept != expected { difference = "\(step): \(kept), and the model says \(expected)" }
    case .push, .pop, .resolve, .visit: break
    }
  }

  private func register(_ recipe: Recipe, _ key: Int, _ registrar: some Registering) {
    if isAsync {
      registrar.register(
        Part.self, named: keys.name(of: key), lifecycle: recipe.lifecycle,
        workshop.asyncBlock(of: recipe))
    } else if let completion = recipe.completion {
      registrar.register(
        Part.self, named: keys.name(of: key), lifecycle: recipe.lifecycle,
        workshop.block(of: recipe), then: workshop.completion(of: completion))
    } else {
      registrar.register(
        Part.self, named: keys.name(of: key), lifecycle: recipe.lifecycle,
        workshop.block(of: recipe))
    }
  }

  private func compare(
    _ need: Need, inContext index: Int? = nil, _ actual: () throws(ResolutionError) -> [Part]
  ) {
    let expected: Result<[Part], Failure>
    do throws(Failure) {
      expected = .success(try model.answer(to: need, inContext: index))
    } catch {
      expected = .failure(error)
    }
    // Endless completions have their own tests.
    if model.isEndless {
      next = []
      return
    }
    let actual = Result(catching: actual).mapError { Failure($0, keys) }
    guard Comparison.isSame(actual, expected) else {
      difference = "\(need): \(text(actual)), and the model says \(text(expected))"
      return
    }
    compareOwners(of: need.key) { "\(need)" }
  }

  private func compareAll(after step: String) {
    for key in keys.all.indices {
      compareCounts(of: key) { step }
      compareOwners(of: key) { step }
    }
  }

  private func compareCounts(of key: Int, after step: () -> String) {
    for (level, layer) in layers.enumerated() {
      let counts = Counts(layer.log.counts(of: keys.all[key]))
      let expected = model.levels[level + resolvers.count].counts[key] ?? Counts()
      if counts != expected {
        difference =
          "after \(step()): level \(level + 1) counted \(counts) for key \(key), and the model "
          + "\(expected)"
      }
    }
  }

  private static func isSame(
    _ actual: Result<[Part], Failure>, _ expected: Result<[Part], Failure>
  ) -> Bool {
    switch (actual, expected) {
    case (.success(let actual), .success(let expected)):
      actual.count == expected.count && zip(actual, expected).allSatisfy { $0.isSame(as: $1) }
    case (.failure(let actual), .failure(let expected)): actual == expected
    default: false
    }
  }

  private func text(_ result: Result<[Part], Failure>) -> String {
    switch result {
    case .success(let parts): parts.map(\.text).joined(separator: " and ")
    case .failure(let failure): "\(failure.reason) \(failure.path)"
    }
  }

  /// Compares the owners of the instances of a key.
  private func compareOwners(of key: Int, after step: () -> String) {
    let stores = resolvers.map(\.store) + layers.map(\.store)
    for (level, store) in stores.enumerated() {
      let inFront = store.registration(for: keys.all[key].erased)
      let registration =
        inFront?.isFault == true
        ? inFront?.replaced.flatMap { store.hasClaimed($0) ? nil : $0 } : inFront
      let expected = model.levels[level].registrations[key]
      guard let registration, let expected else {
        if (registration == nil) != (expected == nil) {
          difference = "after \(step()): level \(level) and the model differ on key \(key)"
        }
        continue
      }
      for holder in level..<stores.count {
        let held = stores[holder].instance(of: registration) as? Instance<Part>
        let expected = model.levels[holder].instances[expected.id]?.part.serial
        if held?.value.serial != expected {
          difference =
            "after \(step()): level \(holder) holds \(held?.value.serial ?? 0) for key \(key) of "
            + "level \(level), and the model's \(expected ?? 0)"
        }
      }
    }
  }
}
