// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The expected number of resolutions: a number, a range, or a `CallCount` such as `.once`.
public protocol ResolutionCountRequirement: Sendable {
  /// The numbers that meet the requirement.
  var expectedCount: CallCount { get }
}

extension CallCount: ResolutionCountRequirement {
  /// The count itself.
  public var expectedCount: CallCount { self }
}

extension Int: ResolutionCountRequirement {
  /// Exactly this number.
  public var expectedCount: CallCount { .exactly(self) }
}

extension ClosedRange: ResolutionCountRequirement where Bound == Int {}
extension Range: ResolutionCountRequirement where Bound == Int {}
extension PartialRangeFrom: ResolutionCountRequirement where Bound == Int {}
extension PartialRangeThrough: ResolutionCountRequirement where Bound == Int {}
extension PartialRangeUpTo: ResolutionCountRequirement where Bound == Int {}

extension ResolutionCountRequirement where Self: RangeExpression<Int> {
  /// A number that is in the range.
  public var expectedCount: CallCount { .between(self) }
}

extension ResolutionCountRequirement where Self == CallCount {
  /// Exactly one resolution.
  public static var once: CallCount { CallCount.once }
  /// No resolution at all.
  public static var never: CallCount { CallCount.never }

  /// Exactly `count` resolutions.
  public static func exactly(_ count: Int) -> CallCount { CallCount.exactly(count) }

  /// A number of resolutions that is in `range`.
  public static func between(_ range: some RangeExpression<Int>) -> CallCount {
    CallCount.between(range)
  }
}

/// Asserts that a type was resolved in this test, created or reused, as often as expected.
///
/// Count `T` instead of `T?` and `[T]`. If nothing is registered for those types themselves, they
/// are not counted, and the assertion is an issue.
///
/// The layer of a resolver counts the requests to that resolver and to its children together.
///
/// - Parameters:
///   - type: The resolved type.
///   - name: The name of the requests.
///   - scope: The scope of the requests.
///   - qualifier: The qualifier of the requests.
///   - container: The container of the requests.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
///   - count: A number, a range, or a count such as `.once`. At least once by default.
public func assertResolved<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
  CountAssertion(
    key: key.erased, resolver: resolver, counted: .resolved, expected: count.expectedCount,
    callSite: CallSite(fileID, filePath, line, column)
  ).check()
}

/// Asserts that a declared dependency was resolved in this test, created or reused, as often as
/// expected.
public func assertResolved<Value>(
  _ dependency: (Dependencies.Type) -> Dependency<Value>, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  let callSite = CallSite(fileID, filePath, line, column)
  let key = Dependency.identified(dependency, at: callSite).key
  CountAssertion(
    key: key.erased, resolver: resolver, counted: .resolved, expected: count.expectedCount,
    callSite: callSite
  ).check()
}

/// Asserts that a type was never resolved in this test.
///
/// The parameters are those of `assertResolved`, which says what is counted.
public func assertNeverResolved<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  assertResolved(
    type, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, of: resolver,
    count: 0, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Asserts that a declared dependency was never resolved in this test.
public func assertNeverResolved<Value>(
  _ dependency: (Dependencies.Type) -> Dependency<Value>, of resolver: Resolver? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  assertResolved(
    dependency, of: resolver, count: 0, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Asserts that a type's block was called in this test as often as expected.
///
/// The parameters are those of `assertResolved`, which says what is counted.
public func assertCreated<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
  CountAssertion(
    key: key.erased, resolver: resolver, counted: .created, expected: count.expectedCount,
    callSite: CallSite(fileID, filePath, line, column)
  ).check()
}

/// Asserts that a declared dependency's block was called in this test as often as expected.
public func assertCreated<Value>(
  _ dependency: (Dependencies.Type) -> Dependency<Value>, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  let callSite = CallSite(fileID, filePath, line, column)
  let key = Dependency.identified(dependency, at: callSite).key
  CountAssertion(
    key: key.erased, resolver: resolver, counted: .created, expected: count.expectedCount,
    callSite: callSite
  ).check()
}
