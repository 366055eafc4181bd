// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

// Captured contexts: O4 and O14 of `Docs/Guarantees.md`.

extension ReferenceModel {
  /// The levels that are visible to the code that captured the context.
  struct Context {
    /// The number of the levels, and the id of the last one.
    var count: Int
    var last: Int
    /// True if it is the context of a cached instance.
    var isOfInstance = false
  }

  /// Captures the context of the calling block.
  func capture() {
    making?.contexts.append(contexts.count)
    contexts.append(Context(count: levels.count, last: levels[levels.count - 1].id))
  }

  /// The index of a captured context that can be used. It cannot if its layer has ended. Nor can a
  /// context from production without a layer, which would be escaped work.
  func usableContext(_ age: Int) -> Int? {
    guard !contexts.isEmpty else { return nil }
    let index = contexts.count - 1 - age % contexts.count
    let context = contexts[index]
    guard levels.indices.contains(context.count - 1), levels[context.count - 1].id == context.last,
      context.isOfInstance || context.count > resolverCount
    else { return nil }
    return index
  }

  /// The answer in a captured context. Inner levels neither answer nor count.
  func answer(to need: Need, inContext index: Int?) throws(Failure) -> [Part] {
    guard let index else { return try answer(to: need) }
    let inner = levels[contexts[index].count...]
    levels.removeLast(inner.count)
    defer { levels += inner }
    return try answer(to: need)
  }
}
