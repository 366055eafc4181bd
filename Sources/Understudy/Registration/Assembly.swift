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

  /// Registers the contents of an assembly. A registration in code has its own place. A
  /// registration from a file has the place where the assembly is installed.
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

/// An assembly that gives its own identity, and whose place of installation counts.
package protocol IdentifiedAssembly: Assembly {
  /// Two assemblies with equal identities are the same.
  var identity: any Hashable & Sendable { get }

  /// Registers its contents as if they were registered at a place.
  func assemble(into registrar: some Registering, at callSite: CallSite)
}

/// The identity of an assembly. It is the assembly's own `identity` if it has one. Otherwise an
/// object is identified by reference, and any other value by its type and by `==`, or without `==`
/// by those stored properties that have it.
package struct AssemblyIdentity: Hashable, Sendable {
  private let identifier: KeyName
  /// The value to compare, or `nil` if the identifier is enough.
  private let value: (any Assembly)?

  package init(_ assembly: any Assembly) {
    if let identified = assembly as? any IdentifiedAssembly {
      identifier = KeyName(identified.identity)
      value = nil
      return
    }
    let type: any Any.Type = Swift.type(of: assembly)
    let isObject = type is AnyClass
    identifier = KeyName(
      isObject ? ObjectIdentifier(assembly as AnyObject) : ObjectIdentifier(type))
    value = isObject ? nil : assembly
  }

  package static func == (left: AssemblyIdentity, right: AssemblyIdentity) -> Bool {
    guard left.identifier == right.identifier else { return false }
    guard let left = left.value, let right = right.value else { return true }
    return !isOther(left, right)
  }

  /// Hashes only the part that is equal for all assemblies that may be the same.
  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// True if two values are known to differ. Functions, objects and unordered collections cannot be
  /// compared.
  private static func isOther(_ left: Any, _ right: Any) -> Bool {
    let type: any Any.Type = Swift.type(of: left)
    guard type == Swift.type(of: right) else { return true }
    if let left = left as? any Equatable { return left.isOther(than: right) }
    if let left = left as? any IdentifiedAssembly, let right = right as? any IdentifiedAssembly {
      return AssemblyIdentity(left) != AssemblyIdentity(right)
    }
    if type is AnyClass { return left is any Assembly && left as AnyObject !== right as AnyObject }
    let (ours, theirs) = (Mirror(reflecting: left), Mirror(reflecting: right))
    guard ours.children.count == theirs.children.count else { return true }
    // A case without a payload has no children to compare.
    if ours.displayStyle == .enum, ours.children.isEmpty { return "\(left)" != "\(right)" }
    if ours.displayStyle == .dictionary || ours.displayStyle == .set { return false }
    return zip(ours.children, theirs.children).contains {
      $0.label != $1.label || isOther($0.value, $1.value)
    }
  }
}

extension Equatable {
  fileprivate func isOther(than other: Any) -> Bool {
    (other as? Self).map { $0 != self } ?? true
  }
}
