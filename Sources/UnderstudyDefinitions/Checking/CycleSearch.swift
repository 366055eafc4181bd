// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Finds services that need themselves.
///
/// Without recursion: a chain of services is as long as the file makes it.
///
/// - Complexity: O(services + references).
enum CycleSearch {
  private struct Step {
    let name: String
    var open: ArraySlice<(name: String, origin: Origin)>
  }

  /// One finding for each reference that closes a cycle, with the path.
  static func cycles(in definitions: CheckedDefinitions) -> [Finding] {
    var done: Set<String> = []
    var findings: [Finding] = []
    for root in definitions.order where !done.contains(root) {
      var path = [Step(name: root, open: definitions.needs(of: root))]
      var positions = [root: 0]
      while let last = path.indices.last {
        guard let next = path[last].open.popFirst() else {
          done.insert(path[last].name)
          positions[path[last].name] = nil
          path.removeLast()
          continue
        }
        if let start = positions[next.name] {
          findings.append(
            Finding(
              .cycle(path[start...].map(\.name) + [next.name]), of: .service(path[last].name),
              at: next.origin))
        } else if !done.contains(next.name) {
          positions[next.name] = path.count
          path.append(Step(name: next.name, open: definitions.needs(of: next.name)))
        }
      }
    }
    return findings
  }
}

extension CheckedDefinitions {
  /// The services that making a service asks for, and where it says so.
  fileprivate func needs(of name: String) -> ArraySlice<(name: String, origin: Origin)> {
    guard let service = services[name] else { return [] }
    var needs: [(name: String, origin: Origin)] = []
    if let factory = service.factory { needs.append((factory, service.origin)) }
    for part in service.references {
      switch part.content {
      case .reference(let name):
        let target = aliases[name] ?? name
        if services[target] != nil { needs.append((target, part.origin)) }
      case .tagged(let tag): needs += (tags[tag] ?? []).map { ($0, part.origin) }
      default: break
      }
    }
    return needs[...]
  }
}
