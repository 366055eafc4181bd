// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Leaves a function without parameters to its default implementation if a property has its name.
  ///
  /// No type can declare both. Without a default implementation, there is no double.
  mutating func leaveHomonyms(_ index: GraphIndex) {
    let properties = requirements.map(\.declaration).filter { $0.kind == .property }
    let homonyms = requirements.filter { requirement in
      let function = requirement.declaration
      return function.kind == .function && function.parameters.isEmpty
        && properties.contains { $0.name == function.name && $0.isStatic == function.isStatic }
    }
    let protocols = index.allConformances(of: usr).union([usr])
    homonym =
      homonyms.first { !index.isImplemented($0.usr, by: protocols) }?.declaration.name
    requirements.removeAll { homonyms.map(\.usr).contains($0.usr) }
  }
}
