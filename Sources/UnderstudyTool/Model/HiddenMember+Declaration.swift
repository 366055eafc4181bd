// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Inheritance.Member {
  /// Whether an unavailable member may be the same as a requirement. The compiler would find both.
  func mayBe(_ requirement: Declaration) -> Bool {
    var declaration = declaration
    declaration.isSettable = true
    return declaration.mayBe(requirement) && declaration.fulfils(requirement)
  }
}

extension HiddenMember {
  var declaration: Declaration? { Declaration(parsing: text) }

  /// Whether the double cannot call the setter of a member that may be this one.
  func hidesSetter(
    of member: Declaration, _ visible: Set<String>, _ index: GraphIndex
  ) -> Bool {
    guard let setter, let declaration else { return false }
    return declaration.mayBe(member) && !index.isVisible(setter, of: module, testable: visible)
  }
}

extension GraphIndex {
  /// The members of a class that no graph has, or `nil` if the source of the class was not given.
  func hiddenMembers(of usr: String) -> [HiddenMember]? {
    guard let module = modules[usr], hiddenMembers[module] != nil else { return nil }
    let name = name(of: usr)
    return hiddenMembers.values.joined()
      // Another module may have a class of the same name.
      .filter { $0.module == module || $0.isOfExtension }
      .filter { [name, "\(module).\(name)"].contains($0.owner) }
      .sorted { ($0.text, $0.module) < ($1.text, $1.module) }
  }
}

extension Declaration {
  /// Whether a declaration in a source, in which types refer to no symbols, may be another one.
  fileprivate func mayBe(_ other: Declaration) -> Bool {
    let isOther = zip(parameters, other.parameters).contains { own, other in
      let texts = [own.type.stored.text, other.type.stored.text]
      return texts[0] != texts[1] && texts.allSatisfy(Self.plainTypes.contains)
    }
    return kind == other.kind && title == other.title && isStatic == other.isStatic && !isOther
  }

  /// Types of which no alias hides that they differ.
  private static let plainTypes: Set<String> = [
    "Bool", "Int", "UInt", "Double", "Float", "String", "Character", "Substring", "Data", "Date",
    "URL", "UUID",
  ]
}
