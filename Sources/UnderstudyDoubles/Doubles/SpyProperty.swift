// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A double of a property. It holds a value, and records its gets and sets.
///
/// ```swift
/// let regions = SpyProperty<String>("region", "eu")
/// var region: String {
///   get { regions.value }
///   set { regions.value = newValue }
/// }
/// ```
///
/// A get returns the answer of a stub of `gets`, or else the value that was set last. For a
/// property that throws or suspends, use `Spy<Void, …>` or `AsyncSpy<Void, …>`.
public struct SpyProperty<Value> {
  // It is first, so that it is destroyed first. Then a double holds the last reference, and
  // releases the value.
  private let stored: StoredValue<Value>

  /// The gets. A stub wins over the value that was set: `regions.gets.returns("us")`.
  public let gets: Spy<Void, Value, Never>
  /// The sets. `sets.calls` has the values.
  public let sets: Spy<Value, Void, Never>

  /// Creates a property that has a value.
  public init(
    _ name: String, _ value: Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(name, initial: value, madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Creates a property without a value. A get before the first set or stub is a violation. It
  /// returns an obvious value, such as zero or an empty text, and traps if the type has none.
  public init(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    self.init(name, initial: nil, madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Creates a property without a value that has a placeholder. A get before the first set or stub
  /// returns the placeholder, and is still a violation.
  public init(
    _ name: String, placeholder: Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      name, initial: nil, placeholder: placeholder,
      madeAt: CallSite(fileID, filePath, line, column))
  }

  private init(_ name: String, initial: Value?, placeholder: Value? = nil, madeAt: CallSite) {
    gets = Spy(name, placeholder: placeholder, madeAt: madeAt)
    sets = Spy("\(name)(_:)", placeholder: nil, isSetter: true, madeAt: madeAt)
    stored = StoredValue(initial)
    gets.recorder.state.withLock { [stored] in $0.property = stored }
    sets.recorder.state.withLock { [stored] in $0.property = stored }
  }

  /// The property. Getting and setting it is recorded.
  ///
  /// An accessor does not know its caller, so its violations are reported where this property was
  /// created. `get()` and `set(_:)` know their callers.
  public var value: Value {
    get { get(at: gets.recorder.madeAt) }
    nonmutating set { set(newValue, at: sets.recorder.madeAt) }
  }

  /// Gets the value, and records the get.
  public func get(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Value {
    get(at: CallSite(fileID, filePath, line, column))
  }

  private func get(at callSite: CallSite) -> Value {
    // The stored value answers this call only if no stub does.
    gets.answer((), orElse: stored.value, callSite)
  }

  /// Sets the value, and records the set.
  public func set(
    _ value: Value, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    set(value, at: CallSite(fileID, filePath, line, column))
  }

  private func set(_ value: Value, at callSite: CallSite) {
    let previous = stored.exchange(with: value)
    sets.answer(value, orElse: (), callSite)
    // Released here, since its deinit is user code.
    withExtendedLifetime(previous) {}
  }
}

// The members of a spy, for a requirement that has gained a setter.
extension SpyProperty {
  /// Not for use: the compiler picks it, and names the gets.
  @available(*, unavailable, message: "stub the gets: '.gets.returns(…)'")
  @discardableResult
  public func returns(
    _ output: Value, then others: Value..., times: Int = 1
  ) -> Spy<Void, Value, Never>.Stub {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and says that a set cannot throw.
  @available(
    *, unavailable,
    message: "neither the gets nor the sets throw: use 'Spy<Void, …>' for a property that throws"
  )
  public func `throws`(_ failure: any Error) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the gets and the sets.
  @available(*, unavailable, message: "choose '.sets.when(…)', or '.gets' for the gets")
  public func when(_ value: Matcher<Value>) -> Spy<Value, Void, Never>.Stub {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the gets and the sets.
  @available(*, unavailable, message: "expect '.gets.expects(…)' or '.sets.expects(…)'")
  public func expects(_ count: CallCount = .once) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the gets and the sets.
  @available(*, unavailable, message: "expect '.gets.expects(…)' or '.sets.expects(…)'")
  public func expects(_ range: some RangeExpression<Int>) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the gets and the sets.
  @available(*, unavailable, message: "read '.sets.calls', or '.gets.callCount'")
  public var calls: [Value] { fatalError("The compiler accepts no use of this.") }

  /// Not for use: the compiler picks it, and names the gets and the sets.
  @available(*, unavailable, message: "read '.gets.callCount' or '.sets.callCount'")
  public var callCount: Int { fatalError("The compiler accepts no use of this.") }

  /// Not for use: the compiler picks it, and names the gets and the sets.
  @available(*, unavailable, message: "write '.gets.called()' or '.sets.called()'")
  public func called() -> OrderStep {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the sets.
  @available(*, unavailable, message: "write '.sets.called(with: …)'")
  public func called(with value: Matcher<Value>) -> OrderStep {
    fatalError("The compiler accepts no call of this.")
  }
}

extension SpyProperty: Verifiable {
  /// The gets and the sets.
  public var parts: [DoubleControls] { [gets.controls, sets.controls] }
}

extension SpyProperty: Sendable where Value: Sendable {}
