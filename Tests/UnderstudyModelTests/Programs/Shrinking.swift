// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension [Step] {
  /// The smallest program that still fails, found by leaving out steps.
  func shrunk(while fails: ([Step]) -> Bool) -> [Step] {
    var smallest = self
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      var index = 0
      while index < smallest.count {
        if let smaller = smallest.smaller(at: index).first(where: fails) {
          smallest = smaller
          hasChanged = true
        } else {
          index += 1
        }
      }
    }
    return smallest
  }

  /// Variants of the program with a simpler step at `index`.
  private func smaller(at index: Int) -> [[Step]] {
    var without = self
    without.remove(at: index)
    guard case .register(let key, let recipe, let level) = self[index] else { return [without] }
    return [without]
      + recipe.smaller.map { recipe in
        var program = self
        program[index] = .register(key: key, recipe, level: level)
        return program
      }
  }

  /// The program with one line for each step.
  var listing: String {
    map(\.line).joined(separator: "\n")
  }
}

extension Recipe {
  fileprivate var smaller: [Recipe] {
    var smaller = needs.indices.map { index in
      var recipe = self
      recipe.needs.remove(at: index)
      return recipe
    }
    if failures > 0 {
      var recipe = self
      recipe.failures = 0
      smaller.append(recipe)
    }
    if captures {
      var recipe = self
      recipe.captures = false
      smaller.append(recipe)
    }
    return smaller + smallerCompletions
  }

  private var smallerCompletions: [Recipe] {
    guard let completion else { return [] }
    var smaller = [Recipe](repeating: self, count: completion.needs.count + 2)
    for index in completion.needs.indices { smaller[index].completion?.needs.remove(at: index) }
    smaller[smaller.count - 2].completion?.failures = 0
    smaller[smaller.count - 1].completion = nil
    return smaller.filter { $0 != self }
  }

  fileprivate var tail: String {
    guard let completion else { return captures ? ", captures" : "" }
    return ", then [\(completion.needs.map(\.line).joined(separator: ", "))], throws "
      + "\(completion.failures)\(captures ? ", captures" : "")"
  }
}

extension Step {
  fileprivate var line: String {
    switch self {
    case .register(let key, let recipe, let level):
      "  register \(key) at level \(level): \(recipe.lifecycle), "
        + "needs [\(recipe.needs.map(\.line).joined(separator: ", "))], throws \(recipe.failures)\(recipe.tail)"
    case .decorate(let key, _): "  decorate \(key)"
    case .unregister(let key, let level): "  unregister \(key) at level \(level)"
    case .push(let isBoundary): isBoundary ? "  push a boundary" : "  push"
    case .pop: "  pop"
    case .resolve(let need): "  resolve \(need.line)"
    case .fault(let key, let hits): "  fault of \(key), hits \(hits)"
    case .reset: "  reset"
    case .look(let key): "  look at \(key)"
    case .visit(let age, let need): "  in context \(age): resolve \(need.line)"
    }
  }
}

extension Need {
  fileprivate var line: String { "\(key) \(form) as \(lifecycle)" }
}
