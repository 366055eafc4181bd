// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of a module, to install with one line.
///
/// Install an assembly on a resolver for production, or on a layer to replace a module in a test.
public protocol Assembly: Sendable {
  /// The assemblies that this one depends on. Each is registered once, before this one.
  var dependencies: [any Assembly] { get }

  /// Registers the contents of the module.
  func assemble(into registrar: some Registering)
}

extension Assembly {
  /// No assemblies, by default.
  public var dependencies: [any Assembly] { [] }

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
