// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
public import UnderstudyDefinitions
import Yams

/// The reason why a text in YAML is not a tree of properties.
public enum YAMLProblem: Error, Hashable {
  /// It is not a mapping of names to values.
  case notAMapping
  /// A key is not a string.
  case keyNotText
  /// It has more values than the limit. With aliases, a few lines of YAML can have billions.
  case tooManyValues(limit: Int)
  /// It nests deeper than the limit.
  case tooDeep(limit: Int)
}

extension ValueSource {
  /// A text in YAML. It is a tree like any other, merged with JSON and property lists.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name in messages.
  ///   - limits: The limits of reading.
  /// - Returns: The source.
  /// - Throws: The error of Yams, or `YAMLProblem`.
  public static func yaml(
    _ text: String, named name: String, limits: ReadingLimits = ReadingLimits()
  ) throws -> ValueSource {
    var reader = YAMLReader(limits)
    return .values(try reader.tree(try compose(yaml: text)), named: name)
  }
}

/// Turns the nodes of Yams into values, and counts them.
private struct YAMLReader {
  private let limits: ReadingLimits
  private var valueCount = 0

  init(_ limits: ReadingLimits) {
    self.limits = limits
  }

  mutating func tree(_ root: Node?) throws -> [String: PropertyValue] {
    guard let root, root.null == nil else { return [:] }
    guard case .object(let members) = try value(of: root, depth: 1) else {
      throw YAMLProblem.notAMapping
    }
    return members
  }

  private mutating func value(of node: Node, depth: Int) throws -> PropertyValue {
    valueCount += 1
    guard valueCount <= limits.valueCount else {
      throw YAMLProblem.tooManyValues(limit: limits.valueCount)
    }
    guard depth <= limits.depth else { throw YAMLProblem.tooDeep(limit: limits.depth) }
    switch node {
    case .mapping(let mapping):
      var members: [String: PropertyValue] = [:]
      for (key, value) in mapping {
        guard let name = key.scalar?.string else { throw YAMLProblem.keyNotText }
        members[name] = try self.value(of: value, depth: depth + 1)
      }
      return .object(members)
    case .sequence(let sequence):
      var elements: [PropertyValue] = []
      for element in sequence { elements.append(try value(of: element, depth: depth + 1)) }
      return .array(elements)
    case .scalar, .alias: return scalar(node.any)
    }
  }

  /// A scalar as Yams reads it: a quoted one is a string, and `yes` and `on` are true.
  private func scalar(_ value: Any) -> PropertyValue {
    switch value {
    case is NSNull: .null
    case let value as Bool: .bool(value)
    case let value as any FixedWidthInteger: PropertyValue(exactly: value) ?? .string("\(value)")
    case let value as Double: .number(value)
    case let value as Date: .date(value.timeIntervalSinceReferenceDate)
    case let value as Data: .data([UInt8](value))
    default: .string("\(value)")
    }
  }
}
