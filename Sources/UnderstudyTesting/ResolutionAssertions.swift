// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How often something may be resolved: a number, or a range.
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

extension ClosedRange: ResolutionCountRequirement where Bound == Int {
  /// True if a count meets the requirement.
  public func isMet(by count: Int) -> Bool { contains(count) }
  /// The requirement in words.
  public var requirementText: String { "\(lowerBound) to \(upperBound) times" }
}

extension Range: ResolutionCountRequirement where Bound == Int {
  /// True if a count meets the requirement.
  public func isMet(by count: Int) -> Bool { contains(count) }
  /// The requirement in words.
  public var requirementText: String { "\(lowerBound) to \(upperBound - 1) times" }
}

extension PartialRangeFrom: ResolutionCountRequirement where Bound == Int {
  /// True if a count meets the requirement.
  public func isMet(by count: Int) -> Bool { contains(count) }
  /// The requirement in words.
  public var requirementText: String { "at least \(times(lowerBound))" }
}

extension PartialRangeThrough: ResolutionCountRequirement where Bound == Int {
  /// True if a count meets the requirement.
  public func isMet(by count: Int) -> Bool { contains(count) }
  /// The requirement in words.
  public var requirementText: String { "at most \(times(upperBound))" }
}

extension PartialRangeUpTo: ResolutionCountRequirement where Bound == Int {
  /// True if a count meets the requirement.
  public func isMet(by count: Int) -> Bool { contains(count) }
  /// The requirement in words.
  public var requirementText: String { "fewer than \(times(upperBound))" }
}

private func times(_ count: Int) -> String {
  switch count {
  case 0: "never"
  case 1: "once"
  default: "\(count) times"
  }
}

/// Asserts that a type was resolved in this test, made or reused, as often as expected.
///
/// `T?` and `[T]` are not counted where nothing is registered for them, which is an issue: count
/// `T`.
///
/// - Parameters:
///   - type: What was asked for.
///   - name: The name that it was asked for under.
///   - scope: The scope that it was asked for in.
///   - qualifier: The qualifier that it was asked for under.
///   - container: The container that it was asked for in.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
///   - count: How often: a number or a range; at least once unless told otherwise.
public func assertResolved<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  CountAssertion(
    key: Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container).erased,
    resolver: resolver, counted: .resolved, requirement: count,
    callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  ).check()
}

/// Asserts that a declared dependency was resolved in this test, made or reused, as often as
/// expected.
///
/// - Parameters:
///   - dependency: What was asked for: `\.mailer`.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
///   - count: How often: a number or a range; at least once unless told otherwise.
public func assertResolved<Value>(
  _ dependency: (Dependencies.Type) -> Dependency<Value>, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  CountAssertion(
    key: dependency(Dependencies.self).key.erased, resolver: resolver, counted: .resolved,
    requirement: count,
    callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  ).check()
}

/// Asserts that a type was never resolved in this test.
///
/// `T?` and `[T]` are not counted where nothing is registered for them, which is an issue: count
/// `T`.
///
/// - Parameters:
///   - type: What was not asked for.
///   - name: The name that it would have been asked for under.
///   - scope: The scope that it would have been asked for in.
///   - qualifier: The qualifier that it would have been asked for under.
///   - container: The container that it would have been asked for in.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
public func assertNeverResolved<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  assertResolved(
    type, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, of: resolver,
    count: 0,
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Asserts that a declared dependency was never resolved in this test.
///
/// - Parameters:
///   - dependency: What was not asked for: `\.mailer`.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
public func assertNeverResolved<Value>(
  _ dependency: (Dependencies.Type) -> Dependency<Value>, of resolver: Resolver? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  assertResolved(
    dependency, of: resolver, count: 0, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Asserts that a type's block was called in this test as often as expected.
///
/// `T?` and `[T]` are not counted where nothing is registered for them, which is an issue: count
/// `T`.
///
/// - Parameters:
///   - type: What was made.
///   - name: The name that it was asked for under.
///   - scope: The scope that it was asked for in.
///   - qualifier: The qualifier that it was asked for under.
///   - container: The container that it was asked for in.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
///   - count: How often: a number or a range; at least once unless told otherwise.
public func assertCreated<Value>(
  _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
  scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
  in container: (any Hashable & Sendable)? = nil, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  CountAssertion(
    key: Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container).erased,
    resolver: resolver, counted: .created, requirement: count,
    callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  ).check()
}

/// Asserts that a declared dependency's block was called in this test as often as expected.
///
/// - Parameters:
///   - dependency: What was made: `\.mailer`.
///   - resolver: The asked resolver. By default the task's resolver, or the innermost layer's
///     resolver if no layer overrides the task's.
///   - count: How often: a number or a range; at least once unless told otherwise.
public func assertCreated<Value>(
  _ dependency: (Dependencies.Type) -> Dependency<Value>, of resolver: Resolver? = nil,
  count: any ResolutionCountRequirement = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  CountAssertion(
    key: dependency(Dependencies.self).key.erased, resolver: resolver, counted: .created,
    requirement: count,
    callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  ).check()
}
