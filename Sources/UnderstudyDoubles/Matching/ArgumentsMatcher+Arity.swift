// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// One initialiser for each number of arguments: a matcher over a parameter pack does not infer
// its literals, and passing a stored pack as one argument crashes the compiler (Swift 6.3.1).

extension ArgumentsMatcher {
  init(_ a: Matcher<Arguments>) {
    self.init([a.facts]) { a.matches($0) ? nil : ArgumentsMiss(argument: 0) }
  }

  init<A, B>(
    _ a: Matcher<A>, _ b: Matcher<B>
  ) where Arguments == (A, B) {
    self.init([a.facts, b.facts]) {
      if !a.matches($0.0) { return ArgumentsMiss(argument: 0) }
      if !b.matches($0.1) { return ArgumentsMiss(argument: 1) }
      return nil
    }
  }

  init<A, B, C>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>
  ) where Arguments == (A, B, C) {
    self.init([a.facts, b.facts, c.facts]) {
      if !a.matches($0.0) { return ArgumentsMiss(argument: 0) }
      if !b.matches($0.1) { return ArgumentsMiss(argument: 1) }
      if !c.matches($0.2) { return ArgumentsMiss(argument: 2) }
      return nil
    }
  }

  init<A, B, C, D>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>
  ) where Arguments == (A, B, C, D) {
    self.init([a.facts, b.facts, c.facts, d.facts]) {
      if !a.matches($0.0) { return ArgumentsMiss(argument: 0) }
      if !b.matches($0.1) { return ArgumentsMiss(argument: 1) }
      if !c.matches($0.2) { return ArgumentsMiss(argument: 2) }
      if !d.matches($0.3) { return ArgumentsMiss(argument: 3) }
      return nil
    }
  }

  init<A, B, C, D, E>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>
  ) where Arguments == (A, B, C, D, E) {
    self.init([a.facts, b.facts, c.facts, d.facts, e.facts]) {
      if !a.matches($0.0) { return ArgumentsMiss(argument: 0) }
      if !b.matches($0.1) { return ArgumentsMiss(argument: 1) }
      if !c.matches($0.2) { return ArgumentsMiss(argument: 2) }
      if !d.matches($0.3) { return ArgumentsMiss(argument: 3) }
      if !e.matches($0.4) { return ArgumentsMiss(argument: 4) }
      return nil
    }
  }

  init<A, B, C, D, E, F>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>
  ) where Arguments == (A, B, C, D, E, F) {
    self.init([a.facts, b.facts, c.facts, d.facts, e.facts, f.facts]) {
      if !a.matches($0.0) { return ArgumentsMiss(argument: 0) }
      if !b.matches($0.1) { return ArgumentsMiss(argument: 1) }
      if !c.matches($0.2) { return ArgumentsMiss(argument: 2) }
      if !d.matches($0.3) { return ArgumentsMiss(argument: 3) }
      if !e.matches($0.4) { return ArgumentsMiss(argument: 4) }
      if !f.matches($0.5) { return ArgumentsMiss(argument: 5) }
      return nil
    }
  }
}
