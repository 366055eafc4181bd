// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension DefinitionChecker {
  /// Orders arguments like the parameters, and checks each one.
  mutating func checked(
    _ list: ArgumentList, for parameters: [CatalogueParameter]?, of definition: ServiceDefinition,
    at origin: Origin
  ) -> CheckedArguments {
    for part in list.all.flatMap(\.parts) { checkReference(part, of: definition) }
    var positional = list.positional.map { Optional($0) }
    var labelled: [String: ArgumentDefinition] = [:]
    var said: [Int: ArgumentList.Labelled] = [:]
    for argument in list.labelled {
      let label = argument.label
      guard let index = parameters?.firstIndex(where: { $0.label == label }) ?? Int(label),
        0..<(parameters?.count ?? Resolver.maximumDepth) ~= index
      else {
        labelled[label] = argument.value
        if let parameters {
          let known = parameters.indices.map { parameters[$0].label ?? "\($0)" }
          add(.unknownLabel(label, known: known), definition.name, argument.origin)
        }
        continue
      }
      // A child's argument replaces its parent's, even if one has a label and the other a position.
      if let other = said.updateValue(argument, forKey: index), other.age == argument.age {
        let name = parameters?[index].label.map { "'\($0)'" } ?? "\(index)"
        let labels = "as \"\(other.label)\" and as \"\(label)\""
        add(
          .incomplete("Argument \(name) is given twice: \(labels)."), definition.name,
          argument.origin)
      }
      while positional.count <= index { positional.append(nil) }
      positional[index] = argument.value
    }
    if let parameters, labelled.isEmpty {
      check(positional, for: parameters, of: definition, at: origin)
      while positional.count < parameters.count { positional.append(nil) }
    }
    return CheckedArguments(positional: positional, labelled: labelled)
  }

  private mutating func check(
    _ arguments: [ArgumentDefinition?], for parameters: [CatalogueParameter],
    of definition: ServiceDefinition, at origin: Origin
  ) {
    let given = arguments.count { $0 != nil }
    let isShort = parameters.indices.contains {
      !parameters[$0].isOptional && (!arguments.indices.contains($0) || arguments[$0] == nil)
    }
    guard !isShort, arguments.count <= parameters.count else {
      let types = parameters.map { parameter in
        (parameter.label.map { "\($0): " } ?? "") + TypeDescription.of(parameter.type)
      }
      let expected = types.isEmpty ? "no arguments" : "(\(types.joined(separator: ", ")))"
      add(.argumentCount(expected: expected, given: given), definition.name, origin)
      return
    }
    for (index, parameter) in parameters.enumerated() {
      guard arguments.indices.contains(index), let argument = arguments[index] else { continue }
      for mismatch in parameter.check(argument, self) {
        add(
          .wrongArgument(
            label: parameter.label.map { "'\($0)'" } ?? "\(index)", expected: mismatch.expected,
            found: mismatch.found),
          definition.name, mismatch.origin)
      }
    }
  }

  private mutating func checkReference(
    _ argument: ArgumentDefinition, of definition: ServiceDefinition
  ) {
    switch argument.content {
    case .reference(""):
      add(
        .incomplete("\"@\" names no service. Write \"@@\" for the text \"@\"."), definition.name,
        argument.origin)
    case .tagged(let tag) where checked.tags[tag] == nil:
      let tags = nearMissesLeft > 0 ? checked.tags.keys.map { "tag:\($0)" } : []
      addMissing("tag:\(tag)", tags, definition.name, argument.origin)
    case .reference(let name):
      if complete[name]?.isAbstract == true {
        add(.abstractService(name), definition.name, argument.origin)
      } else if case .nothing = target(of: name) {
        addMissing(name, referable, definition.name, argument.origin)
      }
    default: break
    }
  }

  /// Every name that a reference may have, as long as near misses are searched for.
  private var referable: [String] {
    guard nearMissesLeft > 0 else { return [] }
    return document.order + checked.parameters.paths + registered.sorted()
      + (properties?.paths ?? [])
  }
}
