// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The expected number of resolutions: a number or a range.
public protocol ResolutionCountRequirement: Sendable {
  /// True if a count meets the requirement.
  func isMet(by count: Int) -> Bool
  /// `once`, `1 to 2 times`
  var requirementText: String { get }
}

extension Int: ResolutionCountRequirement {
  /// True if a count meets the requirement.
  public func isMet(by count: Int) -> Bool { count == self }
  /// The requirement in words.
  public var requirementText: String { times(self) }
}

extension ClosedRange: ResolutionCountRequirement where Bound == Int {}
extension Range: ResolutionCountRequirement where Bound == Int {}
extension PartialRangeFrom: ResolutionCountRequirement where Bound == Int {}
extension PartialRangeThrough: ResolutionCountRequirement where Bound == Int {}
extension PartialRangeUpTo: ResolutionCountRequirement where Bound == Int {}

extension ResolutionCountRequirement where Self: RangeExpression<Int> {
  /// True if the range has the count.
  public func isMet(by count: Int) -> Bool { contains(count) }

  /// The range in words.
  public var requirementText: String {
    switch self {
    case let range as ClosedRange<Int>: "\(range.lowerBound) to \(range.upperBound) times"
    case let range as Range<Int> where range.isEmpty: "no number of times"
    case let range as Range<Int>: "\(range.lowerBound) to \(range.upperBound - 1) times"
    case let range as PartialRangeFrom<Int>: "at least \(times(range.lowerBound))"
    case let range as PartialRangeThrough<Int>: "at most \(times(range.upperBound))"
    case let range as PartialRangeUpTo<Int>: "fewer than \(times(range.upperBound))"
    default: "\(self)"
    }
  }
}

private func times(_ count: Int) -> String {
  switch count {
  case 0: "never"
  case 1: "once"
  default: "\(count) times"
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
///   - count: A number or a range. At least once by default.
public func assertResolved<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
  CountAssertion(
    key: key.erased, resolver: resolver, counted: .resolved, requirement: count,
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
    key: key.erased, resolver: resolver, counted: .resolved, requirement: count, callSite: callSite
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
    key: key.erased, resolver: resolver, counted: .created, requirement: count,
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
    key: key.erased, resolver: resolver, counted: .created, requirement: count, callSite: callSite
  ).check()
}
