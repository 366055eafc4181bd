// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// One method for each number of arguments, for every kind of double; see `ArgumentsMatcher`.
// The forms that take plain values are disfavoured so that a literal, `nil` among them, is a matcher.

extension Spying {
  /// Chooses the calls for which `predicate` holds, to stub them or to expect them.
  ///
  /// - `predicate`: Takes the arguments of a call: `removes.when { $0 > 100 && !$1 }`. It
  ///   runs on the caller's thread, under no lock, and may be asked twice about one call.
  public func when(
    _ predicate: @escaping @Sendable (Arguments) -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub {
    stub(.predicate(predicate), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments match, to stub them or to expect them.
  public func when(
    _ a: Matcher<Arguments>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub {
    stub(ArgumentsMatcher(a), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments are equal to these, to stub them or to expect them.
  @_disfavoredOverload
  public func when(
    _ a: Arguments, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub where Arguments: Equatable & SendableMetatype {
    stub(
      ArgumentsMatcher(.equal(a)),
      CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments match, to stub them or to expect them.
  public func when<A, B>(
    _ a: Matcher<A>, _ b: Matcher<B>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub where Arguments == (A, B) {
    stub(ArgumentsMatcher(a, b), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments are equal to these, to stub them or to expect them.
  @_disfavoredOverload
  public func when<A, B>(
    _ a: A, _ b: B, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub
  where Arguments == (A, B), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype {
    stub(
      ArgumentsMatcher(.equal(a), .equal(b)),
      CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments match, to stub them or to expect them.
  public func when<A, B, C>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub where Arguments == (A, B, C) {
    stub(ArgumentsMatcher(a, b, c), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments are equal to these, to stub them or to expect them.
  @_disfavoredOverload
  public func when<A, B, C>(
    _ a: A, _ b: B, _ c: C, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub
  where
    Arguments == (A, B, C), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype
  {
    stub(
      ArgumentsMatcher(.equal(a), .equal(b), .equal(c)),
      CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments match, to stub them or to expect them.
  public func when<A, B, C, D>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub where Arguments == (A, B, C, D) {
    stub(ArgumentsMatcher(a, b, c, d), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments are equal to these, to stub them or to expect them.
  @_disfavoredOverload
  public func when<A, B, C, D>(
    _ a: A, _ b: B, _ c: C, _ d: D, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub
  where
    Arguments == (A, B, C, D), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype, D: Equatable & SendableMetatype
  {
    stub(
      ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d)),
      CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments match, to stub them or to expect them.
  public func when<A, B, C, D, E>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub where Arguments == (A, B, C, D, E) {
    stub(ArgumentsMatcher(a, b, c, d, e), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments are equal to these, to stub them or to expect them.
  @_disfavoredOverload
  public func when<A, B, C, D, E>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub
  where
    Arguments == (A, B, C, D, E), A: Equatable & SendableMetatype, B: Equatable & SendableMetatype,
    C: Equatable & SendableMetatype, D: Equatable & SendableMetatype,
    E: Equatable & SendableMetatype
  {
    stub(
      ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d), .equal(e)),
      CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments match, to stub them or to expect them.
  public func when<A, B, C, D, E, F>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub where Arguments == (A, B, C, D, E, F) {
    stub(ArgumentsMatcher(a, b, c, d, e, f), CallSite(fileID, filePath, line, column))
  }

  /// Chooses the calls whose arguments are equal to these, to stub them or to expect them.
  @_disfavoredOverload
  public func when<A, B, C, D, E, F>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Stub
  where
    Arguments == (A, B, C, D, E, F), A: Equatable & SendableMetatype,
    B: Equatable & SendableMetatype, C: Equatable & SendableMetatype,
    D: Equatable & SendableMetatype, E: Equatable & SendableMetatype,
    F: Equatable & SendableMetatype
  {
    stub(
      ArgumentsMatcher(.equal(a), .equal(b), .equal(c), .equal(d), .equal(e), .equal(f)),
      CallSite(fileID, filePath, line, column))
  }
}
