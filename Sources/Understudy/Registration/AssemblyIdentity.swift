// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An assembly that says itself what tells it from others of its type, and where it is installed.
package protocol IdentifiedAssembly: Assembly {
  /// Equal for two that are the same.
  var identity: any Hashable & Sendable { get }

  /// Registers what it brings, as registered at a place.
  func assemble(into registrar: some Registering, at callSite: CallSite)
}

/// What tells assemblies apart: what they say themselves. If they say nothing, an object is told by
/// itself, and anything else by its type and value: by `==` if it has that, or else by those of its
/// stored properties that have.
package struct AssemblyIdentity: Hashable, Sendable {
  private let identifier: KeyName
  /// What else is compared; `nil` if the identifier says all.
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

  /// True for two that are the same assembly.
  package static func == (left: AssemblyIdentity, right: AssemblyIdentity) -> Bool {
    guard left.identifier == right.identifier else { return false }
    guard let left = left.value, let right = right.value else { return true }
    return !isOther(left, right)
  }

  /// Hashes what every two of a type have in common that may be the same.
  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// True if two values are known to differ. A function, an object and what has no order cannot be
  /// compared.
  private static func isOther(_ left: Any, _ right: Any) -> Bool {
    let type: any Any.Type = Swift.type(of: left)
    guard type == Swift.type(of: right) else { return true }
    if let left = left as? any Equatable { return left.isOther(than: right) }
    if let left = left as? any IdentifiedAssembly, let right = right as? any IdentifiedAssembly {
      return AssemblyIdentity(left) != AssemblyIdentity(right)
    }
    if type is AnyClass {
      return left is any Assembly && left as AnyObject !== right as AnyObject
    }
    let (ours, theirs) = (Mirror(reflecting: left), Mirror(reflecting: right))
    guard ours.children.count == theirs.children.count else { return true }
    // A case without a payload has no children to be told by.
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
