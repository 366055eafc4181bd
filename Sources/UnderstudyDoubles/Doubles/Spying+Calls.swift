// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// One method for each number of arguments, for every kind of double; see `ArgumentsMatcher`.

extension Spying {
  /// The kept calls for which `predicate` holds, oldest first.
  public func calls(where predicate: (Arguments) -> Bool) -> [Arguments] {
    calls.filter(predicate)
  }

  /// The kept calls whose arguments match, oldest first.
  public func calls(
    with a: Matcher<Arguments>
  ) -> [Arguments] {
    calls(matching: ArgumentsMatcher(a))
  }

  /// The kept calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls(
    with a: Arguments
  ) -> [Arguments] where Arguments: Equatable & SendableMetatype {
    calls(matching: ArgumentsMatcher(.equal(a)))
  }

  /// The kept calls whose arguments match, oldest first.
  public func calls<A, B>(
    with a: Matcher<A>, _ b: Matcher<B>
  ) -> [Arguments] where Arguments == (A, B) {
    calls(matching: ArgumentsMatcher(a, b))
  }

  /// The kept calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls<A, B>(
    with a: A, _ b: B
  ) -> [Arguments]
  where Arguments == (A, B), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype {
    calls(matching: ArgumentsMatcher(.equal(a), .equal(b)))
  }

  /// The kept calls whose arguments match, oldest first.
  public func calls<A, B, C>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>
  ) -> [Arguments] where Arguments == (A, B, C) {
    calls(matching: ArgumentsMatcher(a, b, c))
  }

  /// The kept calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls<A, B, C>(
    with a: A, _ b: B, _ c: C
  ) -> [Arguments]
  where
    Arguments == (A, B, C), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype
  {
    calls(matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c)))
  }

  /// The kept calls whose arguments match, oldest first.
  public func calls<A, B, C, D>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>
  ) -> [Arguments] where Arguments == (A, B, C, D) {
    calls(matching: ArgumentsMatcher(a, b, c, d))
  }

  /// The kept calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls<A, B, C, D>(
    with a: A, _ b: B, _ c: C, _ d: D
  ) -> [Arguments]
  where
    Arguments == (A, B, C, D), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype, D: Equatable & SendableMetatype
  {
    calls(matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d)))
  }

  /// The kept calls whose arguments match, oldest first.
  public func calls<A, B, C, D, E>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>
  ) -> [Arguments] where Arguments == (A, B, C, D, E) {
    calls(matching: ArgumentsMatcher(a, b, c, d, e))
  }

  /// The kept calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls<A, B, C, D, E>(
    with a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> [Arguments]
  where
    Arguments == (A, B, C, D, E), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype, D: Equatable & SendableMetatype,
    E: Equatable & SendableMetatype
  {
    calls(matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d), .equal(e)))
  }

  /// The kept calls whose arguments match, oldest first.
  public func calls<A, B, C, D, E, F>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>
  ) -> [Arguments] where Arguments == (A, B, C, D, E, F) {
    calls(matching: ArgumentsMatcher(a, b, c, d, e, f))
  }

  /// The kept calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls<A, B, C, D, E, F>(
    with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> [Arguments]
  where
    Arguments == (A, B, C, D, E, F), A: Equatable & SendableMetatype,
    B: Equatable & SendableMetatype, C: Equatable & SendableMetatype,
    D: Equatable & SendableMetatype, E: Equatable & SendableMetatype,
    F: Equatable & SendableMetatype
  {
    calls(
      matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d), .equal(e), .equal(f)))
  }
}
