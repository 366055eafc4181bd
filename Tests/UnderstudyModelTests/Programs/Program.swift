// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// An operation on a resolver and its layers. Every sequence of steps is a valid program: a level
/// that does not exist stands for the innermost one, and a pop of no layer does nothing.
enum Step: Equatable {
  /// Registers in production (0) or on the layer of that level.
  case register(key: Int, Recipe, level: Int)
  /// Decorates a key in the innermost layer.
  case decorate(key: Int, id: Int)
  case unregister(key: Int, level: Int)
  case push(isBoundary: Bool)
  case pop
  case resolve(Need)
  /// Adds a fault in the innermost layer. `hits` says which of the requests that reach it fail.
  case fault(key: Int, hits: [Bool])
  /// Releases the instances of production.
  case reset
  /// Reads the existing instance, and creates none.
  case look(key: Int)
  /// Makes a request in a captured context, `age` contexts before the last one.
  case visit(age: Int, Need)
}

/// A block as data: the requests that it makes in order, and how often it throws after them.
struct Recipe: Equatable {
  let id: Int
  let lifecycle: Lifecycle
  var needs: [Need] = []
  var failures = 0
  /// The completion of the part, if there is one.
  var completion: Completion?
  /// True if the block captures its context.
  var captures = false
}

/// A completion as data: the requests that it makes in order, and how often it throws after them.
struct Completion: Equatable {
  let id: Int
  var needs: [Need] = []
  var failures = 0
}

/// One request to a resolver.
struct Need: Equatable {
  enum Form {
    /// Rethrows an error.
    case required
    /// Requests `Part?`, so `nil` is a valid result.
    case optional
    /// Catches and ignores an error.
    case attempted
    /// Requests `[Part]`, whatever the key.
    case every
  }

  let key: Int
  var lifecycle = Lifecycle.cached
  var form = Form.required
}

/// Random numbers that are the same for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True once in `count` times on average.
  mutating func isOne(in count: Int) -> Bool { below(count) == 0 }
}

extension [Step] {
  static let keyCount = 4
  static let deepest = 4

  /// The program of a seed.
  static func random(seed: UInt64) -> [Step] {
    var generator = SeededGenerator(seed: seed)
    let length = 6 + generator.below(16)
    return (0..<length).map { index in random(index, &generator) }
  }

  /// The program of a seed, with faults, resets and reads of existing instances.
  static func randomWithFaults(seed: UInt64) -> [Step] {
    var generator = SeededGenerator(seed: ~seed)
    return random(seed: seed).flatMap { step -> [Step] in
      let key = generator.below(keyCount)
      switch generator.below(12) {
      case 0, 1:
        let isSilent = generator.isOne(in: 3)
        let hits = (0..<6).map { _ in !isSilent && generator.isOne(in: 3) }
        return [step, .fault(key: key, hits: hits)]
      case 2: return [step, .reset]
      case 3, 4: return [step, .look(key: key)]
      default: return [step]
      }
    }
  }

  /// The program of a seed, with captured contexts, and optionally with completions.
  static func randomWithContexts(seed: UInt64, completions: Bool) -> [Step] {
    var generator = SeededGenerator(seed: ~seed &* 3)
    return random(seed: seed).flatMap { step -> [Step] in
      switch step {
      case .register(let key, var recipe, let level):
        recipe.captures = generator.isOne(in: 2)
        if completions, generator.isOne(in: 2) {
          recipe.completion = Completion(
            id: -1 - recipe.id,
            needs: (0..<generator.below(3)).map { _ in
              Need.random(generator.below(keyCount), &generator)
            }, failures: generator.isOne(in: 8) ? 1 : 0)
        }
        return [.register(key: key, recipe, level: level)]
      case .resolve where generator.isOne(in: 2):
        return [
          step,
          .visit(age: generator.below(4), .random(generator.below(keyCount), &generator)),
        ]
      default: return [step]
      }
    }
  }

  /// The program of a seed, with some requests for every part.
  static func randomWithArrays(seed: UInt64) -> [Step] {
    var generator = SeededGenerator(seed: ~seed &* 5)
    func changed(_ need: Need) -> Need {
      generator.isOne(in: 3) ? Need(key: need.key, form: .every) : need
    }
    return random(seed: seed).map { step in
      switch step {
      case .register(let key, var recipe, let level):
        recipe.needs = recipe.needs.map(changed)
        return .register(key: key, recipe, level: level)
      case .resolve(let need): return .resolve(changed(need))
      default: return step
      }
    }
  }

  private static func random(_ index: Int, _ generator: inout SeededGenerator) -> Step {
    let key = generator.below(keyCount)
    switch generator.below(index < 4 ? 30 : 100) {
    case ..<28:
      let recipe = Recipe.random(id: index, for: key, &generator)
      return .register(key: key, recipe, level: generator.below(deepest))
    case ..<38: return .push(isBoundary: generator.isOne(in: 3))
    case ..<44: return .pop
    case ..<50: return .decorate(key: key, id: index)
    case ..<54: return .unregister(key: key, level: generator.below(deepest))
    default: return .resolve(.random(key, &generator))
    }
  }
}

extension Recipe {
  fileprivate static func random(
    id: Int, for key: Int, _ generator: inout SeededGenerator
  ) -> Recipe {
    let lifecycle = [.notCached, .cached, .cached, .once][generator.below(4)] as Lifecycle
    let needs = (0..<generator.below(3)).map { _ in
      // Mostly a later key, since otherwise most programs would only find cycles.
      let isRecursive = generator.isOne(in: 12) || key + 1 == [Step].keyCount
      let needed =
        isRecursive
        ? generator.below([Step].keyCount) : generator.below([Step].keyCount - key - 1) + key + 1
      return Need.random(needed, &generator)
    }
    let failures = generator.isOne(in: 6) ? [1, 2, 99][generator.below(3)] : 0
    return Recipe(id: id, lifecycle: lifecycle, needs: needs, failures: failures)
  }
}

extension Need {
  fileprivate static func random(_ key: Int, _ generator: inout SeededGenerator) -> Need {
    let lifecycle = [.cached, .cached, .cached, .notCached, .once][generator.below(5)] as Lifecycle
    let form = [.required, .required, .optional, .attempted][generator.below(4)] as Form
    return Need(key: key, lifecycle: lifecycle, form: form)
  }
}
