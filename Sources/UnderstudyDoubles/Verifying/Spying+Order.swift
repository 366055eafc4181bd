// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// One method for each number of arguments, for every kind of double; see `ArgumentsMatcher`.

extension Spying {
  /// A step of `expectOrder`: a call with any arguments.
  public func called() -> OrderStep {
    step(matching: .any)
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called(
    with a: Matcher<Arguments>
  ) -> OrderStep {
    step(matching: ArgumentsMatcher(a))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called(
    with a: Arguments
  ) -> OrderStep where Arguments: Equatable & SendableMetatype {
    step(matching: ArgumentsMatcher(.equal(a)))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B>(
    with a: Matcher<A>, _ b: Matcher<B>
  ) -> OrderStep where Arguments == (A, B) {
    step(matching: ArgumentsMatcher(a, b))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called<A, B>(
    with a: A, _ b: B
  ) -> OrderStep
  where Arguments == (A, B), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype {
    step(matching: ArgumentsMatcher(.equal(a), .equal(b)))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>
  ) -> OrderStep where Arguments == (A, B, C) {
    step(matching: ArgumentsMatcher(a, b, c))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called<A, B, C>(
    with a: A, _ b: B, _ c: C
  ) -> OrderStep
  where
    Arguments == (A, B, C), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype
  {
    step(matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c)))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C, D>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>
  ) -> OrderStep where Arguments == (A, B, C, D) {
    step(matching: ArgumentsMatcher(a, b, c, d))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called<A, B, C, D>(
    with a: A, _ b: B, _ c: C, _ d: D
  ) -> OrderStep
  where
    Arguments == (A, B, C, D), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype, D: Equatable & SendableMetatype
  {
    step(matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d)))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C, D, E>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>
  ) -> OrderStep where Arguments == (A, B, C, D, E) {
    step(matching: ArgumentsMatcher(a, b, c, d, e))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called<A, B, C, D, E>(
    with a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> OrderStep
  where
    Arguments == (A, B, C, D, E), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype, D: Equatable & SendableMetatype,
    E: Equatable & SendableMetatype
  {
    step(matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d), .equal(e)))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C, D, E, F>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>
  ) -> OrderStep where Arguments == (A, B, C, D, E, F) {
    step(matching: ArgumentsMatcher(a, b, c, d, e, f))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called<A, B, C, D, E, F>(
    with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> OrderStep
  where
    Arguments == (A, B, C, D, E, F), A: Equatable & SendableMetatype,
    B: Equatable & SendableMetatype, C: Equatable & SendableMetatype,
    D: Equatable & SendableMetatype, E: Equatable & SendableMetatype,
    F: Equatable & SendableMetatype
  {
    step(
      matching: ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d), .equal(e), .equal(f)))
  }
}
