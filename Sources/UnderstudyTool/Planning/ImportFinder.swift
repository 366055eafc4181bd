// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Finds the modules that the text of a double needs.
enum ImportFinder {
  /// The modules that make up Foundation on the platforms where it is several.
  private static let foundation: Set<String> = [
    "FoundationEssentials", "FoundationInternationalization", "Foundation",
  ]

  /// The import lines, without those of the double's own library.
  static func imports(for model: ProtocolModel, _ index: GraphIndex) -> [String] {
    var modules: [String: Bool] = [model.module: isInternal(model.usr, index)]
    for usr in identifiers(of: model) {
      guard let module = index.modules[usr] ?? module(of: usr) else { continue }
      let name = foundation.contains(module) ? "Foundation" : module
      modules[name] = modules[name] == true || isInternal(usr, index)
    }
    for name in ["Swift", "_Concurrency", "_StringProcessing", "SwiftShims"] { modules[name] = nil }
    return modules.keys.sorted().map { name in
      modules[name] == true ? "@testable import \(name.escaped)" : "import \(name.escaped)"
    }
  }

  private static func isInternal(_ usr: String, _ index: GraphIndex) -> Bool {
    index.symbols[usr]?.accessLevel == "internal"
  }

  private static func identifiers(of model: ProtocolModel) -> Set<String> {
    var found: Set<String> = []
    func add(_ tokens: [Token]) { found.formUnion(tokens.compactMap(\.usr)) }
    for requirement in model.requirements {
      let declaration = requirement.declaration
      add(declaration.attributes.flatMap { $0 } + declaration.whereClause)
      add(declaration.type?.tokens ?? [])
      for parameter in declaration.parameters { add(parameter.attributes + parameter.type.tokens) }
      for generic in declaration.generics { add(generic.constraint) }
      if case .typed(let type) = declaration.throwing { add(type.tokens) }
    }
    for type in model.associatedTypes { add(type.constraint + type.whereClause) }
    for clause in model.whereClause { add(clause) }
    if let actor = model.globalActor { add([actor]) }
    return found
  }

  /// The module that a Swift identifier begins with: `s:`, the length, the name.
  static func module(of usr: String) -> String? {
    guard usr.hasPrefix("s:") else { return nil }
    let rest = usr.dropFirst(2)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let length = Int(digits), length > 0, !digits.hasPrefix("0") else { return nil }
    let name = rest.dropFirst(digits.count).prefix(length)
    return name.count == length ? String(name) : nil
  }
}
