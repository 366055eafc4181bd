// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
public import Understudy

/// The environment variables of a process.
///
/// ```swift
/// @Inject(\.environment) var environment
/// let home = environment["HOME"]
/// ```
public struct ProcessEnvironment: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The variables by name.
  public var variables: [String: String]

  /// Makes an environment.
  public init(_ variables: [String: String]) {
    self.variables = variables
  }

  /// Makes an environment from a literal: `["HOME": "/home/me"]`. Of two entries for one name the
  /// last one counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// The value of a variable, or `nil` if it is not set.
  public subscript(name: String) -> String? { variables[name] }
}

/// The arguments of a process, the name of the program first.
public struct ProcessArguments: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The words as the process got them.
  public var words: [String]

  /// Makes arguments.
  public init(_ words: [String]) {
    self.words = words
  }

  /// Makes arguments from a literal: `["box-office", "sell"]`.
  public init(arrayLiteral elements: String...) {
    self.init(elements)
  }
}

extension ProcessArguments: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { words.startIndex }

  /// The position after the last word.
  public var endIndex: Int { words.endIndex }

  /// The word at a position.
  public subscript(position: Int) -> String { words[position] }
}

extension Dependencies {
  /// The environment variables, as they are when they are asked for.
  public static var environment: Dependency<ProcessEnvironment> { declaredEnvironment }

  /// The arguments of the process.
  public static var arguments: Dependency<ProcessArguments> { declaredArguments }
}

private let declaredEnvironment = Dependency<ProcessEnvironment>(
  inTests: .mustBeOverridden, function: "environment"
) {
  ProcessEnvironment(ProcessInfo.processInfo.environment)
}
private let declaredArguments = Dependency<ProcessArguments>(
  inTests: .mustBeOverridden, function: "arguments"
) {
  ProcessArguments(ProcessInfo.processInfo.arguments)
}
