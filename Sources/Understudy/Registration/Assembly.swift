// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A module's registrations, as one thing to install.
///
/// Installed on a resolver it is production's; installed on a layer it replaces a module for a test in
/// one line. Loaded on a resolver it can be unloaded, and stands before assemblies of lower priority.
public protocol Assembly: Sendable {
  /// What this assembly needs; brought before it, each once.
  var dependencies: [any Assembly] { get }
  /// How early it answers when it is loaded beside others that bring the same keys.
  var priority: AssemblyPriority { get }

  /// Registers what the module brings.
  func assemble(into registrar: some Registering)
}

extension Assembly {
  /// None.
  public var dependencies: [any Assembly] { [] }
  /// Normal.
  public var priority: AssemblyPriority { .normal }
}

extension Assembly {
  /// Registers what it brings. What it registers itself is registered where its code says so; what a file says is
  /// registered where it is installed.
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
