// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// An assembly that states its priority among loaded assemblies that register the same keys.
///
/// Any other assembly has the normal priority.
public protocol PrioritizedAssembly: Assembly {
  /// The priority of this assembly.
  var priority: AssemblyPriority { get }
}

/// The priority of an assembly among loaded assemblies that register the same key.
///
/// The highest priority answers. Of equal ones, the assembly that was loaded first does.
public struct AssemblyPriority: Hashable, Comparable, Sendable {
  /// 1000, for an assembly that replaces others, such as one of doubles.
  public static let high = AssemblyPriority(1000)
  /// 500, the default.
  public static let normal = AssemblyPriority(500)
  /// 100, for an assembly that others may replace.
  public static let low = AssemblyPriority(100)

  /// The priority as a number.
  public let value: Int

  /// Creates a priority of your own.
  public init(_ value: Int) {
    self.value = value
  }

  /// True if `left` answers later than `right`.
  public static func < (left: AssemblyPriority, right: AssemblyPriority) -> Bool {
    left.value < right.value
  }
}

extension Assembly {
  /// The assembly's own priority, or the normal one.
  var usualPriority: AssemblyPriority { (self as? any PrioritizedAssembly)?.priority ?? .normal }
}
