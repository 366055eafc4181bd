// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// There is one method for each number of arguments up to six, since a matcher in a parameter pack
// does not infer its literals (Swift 6.3.1). Matchers beyond six, and plain values, are packs.
// Those forms are disfavoured, so that a literal or `nil` is a matcher.

extension Spying {
  /// Chooses the calls for which `predicate` holds, to stub, expect or wait for them.
  ///
  /// - Parameters:
  ///   - predicate: Takes the arguments of a call: `removes.when { $0 > 100 && !$1 }`. It runs on
  ///     the caller's thread, under no lock, and may run several times for one call.
  ///   - function: The calling function.
  public func when(
    _ predicate: @escaping @Sendable (Arguments) -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    chosen(.predicate(predicate), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls for which `predicate` holds, and says so in your words.
  ///
  /// ```swift
  /// removes.when("a big number") { id, _ in id > 100 }.returns(4)
  /// ```
  ///
  /// - Parameters:
  ///   - description: The condition in a few words. Messages print it in the place of the
  ///     arguments.
  ///   - predicate: Takes the arguments of a call. It runs on the caller's thread, under no lock,
  ///     and may run several times for one call.
  ///   - function: The calling function.
  public func when(
    _ description: String, _ predicate: @escaping @Sendable (Arguments) -> Bool,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, function: StaticString = #function
  ) -> Stub {
    chosen(
      .predicate(predicate, describedAs: description), CallSite(fileID, filePath, line, column),
      in: function)
  }

  /// The recorded calls for which `predicate` holds, oldest first.
  public func calls(where predicate: (Arguments) -> Bool) -> [Arguments] {
    calls.filter(predicate)
  }

  /// A step of `expectOrder`: a call with any arguments.
  public func called() -> OrderStep {
    step(matching: .any)
  }
}

extension Spying {
  /// Chooses calls in a function. If the function prepares several tests, not every test has to use
  /// its stubs.
  fileprivate func chosen(
    _ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite, in function: StaticString
  ) -> Stub {
    let chosen = stub(matcher, callSite)
    guard SharedSetUp.isName(function), let stubbing = chosen as? any OptionalStubbing else {
      return chosen
    }
    return stubbing.madeOptional() as? Stub ?? chosen
  }

  /// Chooses every call in a function.
  func every(
    _ fileID: StaticString, _ filePath: StaticString, _ line: Int, _ column: Int,
    _ function: StaticString
  ) -> Stub {
    chosen(.any, CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them.
  public func when(
    _ a: Matcher<Arguments>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    chosen(ArgumentsMatcher(a), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them.
  public func when<A, B>(
    _ a: Matcher<A>, _ b: Matcher<B>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (A, B) {
    chosen(ArgumentsMatcher(a, b), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them.
  public func when<A, B, C>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (A, B, C) {
    chosen(ArgumentsMatcher(a, b, c), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them.
  public func when<A, B, C, D>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (A, B, C, D) {
    chosen(ArgumentsMatcher(a, b, c, d), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them.
  public func when<A, B, C, D, E>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (A, B, C, D, E) {
    chosen(ArgumentsMatcher(a, b, c, d, e), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them.
  public func when<A, B, C, D, E, F>(
    _ a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (A, B, C, D, E, F) {
    chosen(
      ArgumentsMatcher(a, b, c, d, e, f), CallSite(fileID, filePath, line, column), in: function)
  }

  /// Chooses the calls whose arguments match, to stub, expect or wait for them. Beyond six, each
  /// argument is a matcher.
  @_disfavoredOverload
  public func when<each Argument>(
    _ matchers: repeat Matcher<each Argument>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (repeat each Argument) {
    chosen(
      ArgumentsMatcher(repeat each matchers), CallSite(fileID, filePath, line, column), in: function
    )
  }

  /// Chooses the calls whose arguments are equal to these, to stub, expect or wait for them.
  @_disfavoredOverload
  public func when<each Argument: Equatable & SendableMetatype>(
    _ values: repeat each Argument, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Arguments == (repeat each Argument) {
    chosen(
      ArgumentsMatcher(repeat Matcher.equal(each values)),
      CallSite(fileID, filePath, line, column), in: function)
  }

  /// Not for use: the compiler picks it for one argument where a call has two, and names the
  /// mistake.
  @_disfavoredOverload
  @available(*, unavailable, message: "write both arguments, '.any' for one that may be any value")
  public func when<A, B>(_ a: A) -> Stub where Arguments == (A, B) {
    fatalError("The compiler accepts no use of this.")
  }
}

extension Spying {
  /// The recorded calls whose arguments match, oldest first.
  public func calls(
    with a: Matcher<Arguments>
  ) -> [Arguments] {
    calls(matching: ArgumentsMatcher(a))
  }

  /// The recorded calls whose arguments match, oldest first.
  public func calls<A, B>(
    with a: Matcher<A>, _ b: Matcher<B>
  ) -> [Arguments] where Arguments == (A, B) {
    calls(matching: ArgumentsMatcher(a, b))
  }

  /// The recorded calls whose arguments match, oldest first.
  public func calls<A, B, C>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>
  ) -> [Arguments] where Arguments == (A, B, C) {
    calls(matching: ArgumentsMatcher(a, b, c))
  }

  /// The recorded calls whose arguments match, oldest first.
  public func calls<A, B, C, D>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>
  ) -> [Arguments] where Arguments == (A, B, C, D) {
    calls(matching: ArgumentsMatcher(a, b, c, d))
  }

  /// The recorded calls whose arguments match, oldest first.
  public func calls<A, B, C, D, E>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>
  ) -> [Arguments] where Arguments == (A, B, C, D, E) {
    calls(matching: ArgumentsMatcher(a, b, c, d, e))
  }

  /// The recorded calls whose arguments match, oldest first.
  public func calls<A, B, C, D, E, F>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>
  ) -> [Arguments] where Arguments == (A, B, C, D, E, F) {
    calls(matching: ArgumentsMatcher(a, b, c, d, e, f))
  }

  /// The recorded calls whose arguments match, oldest first. Beyond six, each argument is a
  /// matcher.
  @_disfavoredOverload
  public func calls<each Argument>(
    with matchers: repeat Matcher<each Argument>
  ) -> [Arguments] where Arguments == (repeat each Argument) {
    calls(matching: ArgumentsMatcher(repeat each matchers))
  }

  /// The recorded calls whose arguments are equal to these, oldest first.
  @_disfavoredOverload
  public func calls<each Argument: Equatable & SendableMetatype>(
    with values: repeat each Argument
  ) -> [Arguments] where Arguments == (repeat each Argument) {
    calls(matching: ArgumentsMatcher(repeat Matcher.equal(each values)))
  }
}

extension Spying {
  /// A step of `expectOrder`: a call whose arguments match.
  ///
  /// It has the calls so far, so write it after them.
  public func called(
    with a: Matcher<Arguments>
  ) -> OrderStep {
    step(matching: ArgumentsMatcher(a))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B>(
    with a: Matcher<A>, _ b: Matcher<B>
  ) -> OrderStep where Arguments == (A, B) {
    step(matching: ArgumentsMatcher(a, b))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>
  ) -> OrderStep where Arguments == (A, B, C) {
    step(matching: ArgumentsMatcher(a, b, c))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C, D>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>
  ) -> OrderStep where Arguments == (A, B, C, D) {
    step(matching: ArgumentsMatcher(a, b, c, d))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C, D, E>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>
  ) -> OrderStep where Arguments == (A, B, C, D, E) {
    step(matching: ArgumentsMatcher(a, b, c, d, e))
  }

  /// A step of `expectOrder`: a call whose arguments match.
  public func called<A, B, C, D, E, F>(
    with a: Matcher<A>, _ b: Matcher<B>, _ c: Matcher<C>, _ d: Matcher<D>, _ e: Matcher<E>,
    _ f: Matcher<F>
  ) -> OrderStep where Arguments == (A, B, C, D, E, F) {
    step(matching: ArgumentsMatcher(a, b, c, d, e, f))
  }

  /// A step of `expectOrder`: a call whose arguments match. Beyond six, each argument is a matcher.
  @_disfavoredOverload
  public func called<each Argument>(
    with matchers: repeat Matcher<each Argument>
  ) -> OrderStep where Arguments == (repeat each Argument) {
    step(matching: ArgumentsMatcher(repeat each matchers))
  }

  /// A step of `expectOrder`: a call whose arguments are equal to these.
  @_disfavoredOverload
  public func called<each Argument: Equatable & SendableMetatype>(
    with values: repeat each Argument
  ) -> OrderStep where Arguments == (repeat each Argument) {
    step(matching: ArgumentsMatcher(repeat Matcher.equal(each values)))
  }
}
