// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

// Captured contexts: O4 and O14 of `Docs/Guarantees.md`.

extension ReferenceModel {
  /// The levels that the code sees that captured it.
  struct Context {
    /// How many levels it has, and the last of them.
    var count: Int
    var last: Int
    /// True if it is the context of an instance that is kept.
    var isOfInstance = false
  }

  /// Captures the context of the calling block.
  func capture() {
    making?.contexts.append(contexts.count)
    contexts.append(Context(count: levels.count, last: levels[levels.count - 1].id))
  }

  /// The number of a captured context in which questions can be asked: not if its layer has ended,
  /// and not if it saw production before there was a layer, since that is work without a test.
  func usableContext(_ age: Int) -> Int? {
    guard !contexts.isEmpty else { return nil }
    let index = contexts.count - 1 - age % contexts.count
    let context = contexts[index]
    guard levels.indices.contains(context.count - 1), levels[context.count - 1].id == context.last,
      context.isOfInstance || context.count > resolverCount
    else { return nil }
    return index
  }

  /// The answer in a captured context: the levels further in neither answer nor count.
  func answer(to need: Need, inContext index: Int?) throws(Failure) -> [Part] {
    guard let index else { return try answer(to: need) }
    let inner = levels[contexts[index].count...]
    levels.removeLast(inner.count)
    defer { levels += inner }
    return try answer(to: need)
  }
}
