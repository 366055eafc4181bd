// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A module's registrations, as one thing to install.
///
/// Installed on a resolver it is production's; installed on a layer it replaces a module for a test
/// in one line. Loaded on a resolver it can be unloaded, and stands before assemblies of lower
/// priority.
public protocol Assembly: Sendable {
  /// What this assembly needs; brought before it, each once.
  var dependencies: [any Assembly] { get }
  /// How early it answers when it is loaded beside others that bring the same keys.
  var priority: AssemblyPriority { get }

  /// Registers what the module brings.
  func assemble(into registrar: some Registering)
}

/// How early an assembly answers, among those that bring the same key.
///
/// The highest answers; among equals the one that was loaded first.
public struct AssemblyPriority: Hashable, Comparable, Sendable {
  /// 1000: what replaces others, such as an assembly of doubles.
  public static let high = AssemblyPriority(1000)
  /// 500: what is meant if nothing is said.
  public static let normal = AssemblyPriority(500)
  /// 100: what others may replace.
  public static let low = AssemblyPriority(100)

  /// How early, as a number.
  public let value: Int

  /// A priority of your own.
  public init(_ value: Int) {
    self.value = value
  }

  /// True if `left` answers later than `right`.
  public static func < (left: AssemblyPriority, right: AssemblyPriority) -> Bool {
    left.value < right.value
  }
}

extension Assembly {
  /// None.
  public var dependencies: [any Assembly] { [] }
  /// Normal.
  public var priority: AssemblyPriority { .normal }
}

extension Assembly {
  /// Registers what it brings. What it registers itself is registered where its code says so; what
  /// a file says is registered where it is installed.
  package func assemble(into registrar: some Registering, installedAt callSite: CallSite) {
    if let identified = self as? any IdentifiedAssembly {
      identified.assemble(into: registrar, at: callSite)
    } else {
      assemble(into: registrar)
    }
  }
}

extension [any Assembly] {
  /// Some assemblies and all that they need, each once, dependencies first.
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
