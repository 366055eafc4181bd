// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The contents of files with definitions: parameters and services.
package struct DefinitionDocument: Sendable {
  private(set) var parameters: [ValueSource] = []
  package private(set) var services: [String: ServiceDefinition] = [:]
  /// The names of services in the order in which they are defined.
  package private(set) var order: [String] = []
  package private(set) var findings: [Finding] = []

  package init() {}

  /// Adds the contents of a source. If two services have one name, the last one wins.
  ///
  /// - Parameter isLoose: True if the source cannot spell keys as files do.
  mutating func add(_ root: Node, isLoose: Bool) {
    for member in root.members ?? [] {
      switch member.key {
      case "parameters":
        guard member.value.members != nil else {
          reject(member.value, "\"parameters\"", expected: "an object")
          continue
        }
        parameters.append(.node(member.value, isLoose: isLoose))
      case "services":
        guard let services = member.value.members else {
          reject(member.value, "\"services\"", expected: "an object")
          continue
        }
        for service in services { add(service) }
      default:
        findings.append(
          Finding(
            .unknownKey(member.key, known: ["parameters", "services"]), at: member.origin))
      }
    }
  }

  private mutating func add(_ member: Node.Member) {
    var reader = ServiceDefinitionReader(member)
    reader.read(member.value)
    findings += reader.findings
    if services.updateValue(reader.definition, forKey: member.key) == nil {
      order.append(member.key)
    }
  }

  private mutating func reject(_ node: Node, _ part: String, expected: String) {
    findings.append(
      Finding(.wrongShape(part: part, expected: expected, found: node.kind), at: node.origin))
  }
}

/// Reads the definition of one service, and records all mistakes in its shape.
private struct ServiceDefinitionReader {
  private(set) var definition: ServiceDefinition
  private(set) var findings: [Finding] = []

  private static let keys = [
    "abstract", "arguments", "calls", "class", "factory", "parent", "scope", "tags",
  ]

  init(_ member: Node.Member) {
    definition = ServiceDefinition(member.key, at: member.origin)
  }

  mutating func read(_ node: Node) {
    if let text = node.string, text.hasPrefix("@"), text.count > 1 {
      definition.alias = .init(text: String(text.dropFirst()), origin: node.origin)
      return
    }
    guard let members = node.members else {
      reject(node, "A service", expected: "an object, or \"@name\" for an alias")
      return
    }
    for member in members { read(member) }
    // A value of the wrong shape has already been reported.
    let isMade = members.contains { ["class", "factory", "parent"].contains($0.key) }
    if !isMade, !definition.isAbstract {
      add(.incomplete("It has neither a class, nor a factory, nor a parent."), definition.origin)
    }
    if definition.className != nil, definition.factory != nil {
      add(.incomplete("It has both a class and a factory."), definition.origin)
    }
  }

  private mutating func read(_ member: Node.Member) {
    let value = member.value
    switch member.key {
    case "class": definition.className = name(value, "The class")
    case "parent": definition.parent = name(value, "The parent")
    case "factory": definition.factory = factory(value)
    case "abstract":
      guard case .scalar(.bool(let isAbstract)) = value.content else {
        reject(value, "\"abstract\"", expected: "true or false")
        return
      }
      definition.isAbstract = isAbstract
    case "scope":
      guard let scope = value.string.flatMap({ ServiceDefinition.Scope(rawValue: $0) }) else {
        reject(value, "The scope", expected: "\"shared\", \"prototype\" or \"once\"")
        return
      }
      definition.scope = scope
    case "tags":
      guard let tags = value.elements?.map(\.string), !tags.contains(nil) else {
        reject(value, "\"tags\"", expected: "an array of strings")
        return
      }
      var known: Set<String> = []
      definition.tags = tags.compactMap { $0 }.filter { known.insert($0).inserted }
    case "arguments": definition.arguments = arguments(value)
    case "calls":
      guard let calls = value.elements else {
        reject(value, "\"calls\"", expected: "an array")
        return
      }
      definition.calls = calls.compactMap { call($0) }
    default: add(.unknownKey(member.key, known: Self.keys), member.origin)
    }
  }

  private mutating func name(_ node: Node, _ part: String) -> ServiceDefinition.Name? {
    guard let text = node.string, !text.isEmpty else {
      reject(node, part, expected: "a name")
      return nil
    }
    return .init(text: text, origin: node.origin)
  }

  private mutating func arguments(_ node: Node) -> ArgumentList? {
    guard let list = ArgumentList(node) else {
      reject(node, "\"arguments\"", expected: "an array, or an object by label")
      return nil
    }
    return list
  }

  /// `"@service.method"`, or the name of a function in the catalogue.
  private mutating func factory(_ node: Node) -> ServiceDefinition.Factory? {
    guard let name = name(node, "The factory") else { return nil }
    guard name.text.hasPrefix("@") else { return .function(name) }
    guard let dot = name.text.lastIndex(of: "."), dot > name.text.index(after: name.text.startIndex)
    else {
      reject(node, "The factory", expected: "\"@service.method\"")
      return nil
    }
    let service = name.text[..<dot].dropFirst()
    return .method(
      .init(text: String(name.text[name.text.index(after: dot)...]), origin: node.origin),
      of: .init(text: String(service), origin: node.origin))
  }

  /// `["method", [arguments]]`, or an object with `method` and `arguments`.
  private mutating func call(_ node: Node) -> ServiceDefinition.Call? {
    let keys = ["arguments", "method"]
    for member in node.members ?? [] where !keys.contains(member.key) {
      add(.unknownKey(member.key, known: keys), member.origin)
    }
    let method = node["method"] ?? node.elements?.first
    let list = node["arguments"] ?? node.elements?.dropFirst().first
    guard let method, node.elements.map({ $0.count <= 2 }) ?? true,
      let name = name(method, "The method of a call")
    else {
      reject(node, "A call", expected: "[\"method\", [arguments]]")
      return nil
    }
    guard let list else { return .init(method: name, arguments: ArgumentList()) }
    return arguments(list).map { .init(method: name, arguments: $0) }
  }

  private mutating func reject(_ node: Node, _ part: String, expected: String) {
    let found = node.string == nil ? node.kind : "another string"
    add(.wrongShape(part: part, expected: expected, found: found), node.origin)
  }

  private mutating func add(_ problem: Finding.Problem, _ origin: Origin) {
    findings.append(Finding(problem, of: .service(definition.name), at: origin))
  }
}
