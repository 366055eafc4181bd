// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of a module, to install with one line.
///
/// Install an assembly on a resolver for production, or on a layer to replace a module in a test.
/// If you load it on a resolver, you can unload it, and it answers before assemblies of lower
/// priority.
public protocol Assembly: Sendable {
  /// The assemblies that this one depends on. Each is registered once, before this one.
  var dependencies: [any Assembly] { get }
  /// The priority of this assembly among loaded assemblies that register the same keys.
  var priority: AssemblyPriority { get }

  /// Registers the contents of the module.
  func assemble(into registrar: some Registering)
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
  /// No assemblies, by default.
  public var dependencies: [any Assembly] { [] }
  /// The normal priority, by default.
  public var priority: AssemblyPriority { .normal }
}

extension Assembly {
  /// Registers the contents of an assembly. Registrations of its code have the places in that code.
  /// Contents of a file have the place where the assembly is installed.
  package func assemble(into registrar: some Registering, installedAt callSite: CallSite) {
    if let identified = self as? any IdentifiedAssembly {
      identified.assemble(into: registrar, at: callSite)
    } else {
      assemble(into: registrar)
    }
  }
}

extension [any Assembly] {
  /// Some assemblies and all their dependencies, each once, dependencies first.
  package static func inOrder(of assemblies: [any Assembly]) -> [any Assembly] {
    var seen: Set<AssemblyIdentity> = []
    var ordered: [any Assembly] = []
    func visit(_ assembly: any Assembly) {
      guard seen.insert(AssemblyIdentity(assembly)).inserted else { return }
      assembly.dependencies.forEach(visit)
      ordered.append(assembly)
    }
    assemblies.forEach(visit)
    return ordered
  }
}
