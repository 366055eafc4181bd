// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Finds services that need themselves.
///
/// The search uses no recursion, since a file can contain a chain of any length. A tag is a node of
/// the graph, so that a thousand services that need a thousand tagged ones do not make a million
/// edges.
///
/// - Complexity: O(services + references + tags).
enum CycleSearch {
  private enum Place: Hashable {
    case service(String)
    case tag(String)
  }

  private struct Step {
    let place: Place
    var open: ArraySlice<(place: Place, origin: Origin?)>
    /// The place of the reference, or `nil` for a member of a tag.
    let origin: Origin?
  }

  /// The limit for reported cycles, since each has its whole path.
  static let limit = 100

  /// One finding for each reference that closes a cycle, with the path, up to `limit`.
  static func cycles(in definitions: CheckedDefinitions) -> [Finding] {
    var done: Set<Place> = []
    var findings: [Finding] = []
    for root in definitions.order where !done.contains(.service(root)) {
      var path = [
        Step(place: .service(root), open: needs(of: .service(root), definitions), origin: nil)
      ]
      var positions: [Place: Int] = [path[0].place: 0]
      while let last = path.indices.last {
        guard let next = path[last].open.popFirst() else {
          done.insert(path[last].place)
          positions[path[last].place] = nil
          path.removeLast()
          continue
        }
        let origin = next.origin ?? path[last].origin
        if let start = positions[next.place] {
          findings.append(finding(path[start...], origin))
          guard findings.count < limit else { return findings }
        } else if !done.contains(next.place) {
          positions[next.place] = path.count
          let open = needs(of: next.place, definitions)
          path.append(Step(place: next.place, open: open, origin: origin))
        }
      }
    }
    return findings
  }

  /// The path contains only services, even if a tag closes the cycle.
  private static func finding(
    _ steps: ArraySlice<Step>, _ origin: Origin?
  ) -> Finding {
    var names = steps.compactMap { step in
      if case .service(let name) = step.place { name } else { nil }
    }
    let last = names.last ?? ""
    if let first = names.first { names.append(first) }
    return Finding(.cycle(names), of: .service(last), at: origin)
  }

  /// The needs of a service with the places of their references, or the members of a tag.
  private static func needs(
    of place: Place, _ definitions: CheckedDefinitions
  ) -> ArraySlice<(place: Place, origin: Origin?)> {
    var needs: [(place: Place, origin: Origin?)] = []
    switch place {
    case .tag(let tag):
      for name in definitions.tags[tag] ?? [] { needs.append((.service(name), nil)) }
    case .service(let name):
      guard let service = definitions.services[name] else { break }
      if let factory = service.factory {
        let target = definitions.aliases[factory] ?? factory
        needs.append((.service(target), service.origin))
      }
      for part in service.references {
        switch part.content {
        case .reference(let name):
          let target = definitions.aliases[name] ?? name
          if definitions.services[target] != nil { needs.append((.service(target), part.origin)) }
        case .tagged(let tag): needs.append((.tag(tag), part.origin))
        default: break
        }
      }
    }
    return needs[...]
  }
}
