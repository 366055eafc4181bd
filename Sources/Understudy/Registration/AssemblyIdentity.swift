// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An assembly that says itself what tells it from others of its type, and where it is installed.
package protocol IdentifiedAssembly: Assembly {
  /// Equal for two that are the same.
  var identity: any Hashable & Sendable { get }

  /// Registers what it brings, as registered at a place.
  func assemble(into registrar: some Registering, at callSite: CallSite)
}

/// What tells loaded assemblies apart: what they say themselves. If they say nothing, an object is
/// told by itself, anything else by its type.
package struct AssemblyIdentity: Hashable, Sendable {
  private let identifier: KeyName

  package init(_ assembly: any Assembly) {
    if let identified = assembly as? any IdentifiedAssembly {
      identifier = KeyName(identified.identity)
      return
    }
    let type: any Any.Type = Swift.type(of: assembly)
    identifier = KeyName(
      type is AnyClass ? ObjectIdentifier(assembly as AnyObject) : ObjectIdentifier(type))
  }
}
