// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A module's registrations, as one thing to install.
///
/// Installed on a resolver it is production's; installed on a layer it replaces a module for a test in
/// one line.
public protocol Assembly: Sendable {
  /// Registers what the module brings.
  func assemble(into registrar: some Registering)
}

extension Registering {
  /// Registers all that an assembly brings.
  public func install(_ assembly: some Assembly) {
    assembly.assemble(into: self)
  }
}
