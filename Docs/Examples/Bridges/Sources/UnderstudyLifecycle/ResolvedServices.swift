// Part of Understudy: a bridge to swift-service-lifecycle.
// SPDX-License-Identifier: MIT

import ServiceLifecycle
import Understudy

/// The instances of a resolver that a service group starts and stops.
///
/// They are created at once, in the order in which they are added. `inOrder` has each after those
/// that it needs, as the resolver's graph knows them. A group starts its services in that order,
/// and shuts them down in reverse.
///
/// ```swift
/// var services = ResolvedServices(of: resolver)
/// try services.add(Server.self)
/// try services.add(Database.self, onShutdown: { await $0.close() })
/// let group = ServiceGroup(services: services.inOrder, logger: logger)
/// ```
public struct ResolvedServices: Sendable {
  private struct Entry: Sendable {
    let key: AnyKey
    let service: any Service
  }

  private let resolver: Resolver
  private var entries: [Entry] = []

  /// Makes an empty collection for a resolver.
  public init(of resolver: Resolver) {
    self.resolver = resolver
  }

  /// Adds an instance that is a service itself.
  ///
  /// - Throws: Why it cannot be created.
  public mutating func add<Value: Service>(_ type: Value.Type) throws(ResolutionError) {
    entries.append(Entry(key: AnyKey(Key<Value>()), service: try resolver.resolve(type)))
  }

  /// Adds an instance that a closure closes at the group's shutdown.
  ///
  /// - Throws: Why it cannot be created.
  public mutating func add<Value: Sendable>(
    _ type: Value.Type, onShutdown close: @escaping @Sendable (Value) async throws -> Void
  ) throws(ResolutionError) {
    let value = try resolver.resolve(type)
    entries.append(
      Entry(key: AnyKey(Key<Value>()), service: ClosedAtShutdown { try await close(value) }))
  }

  /// The services, each after those that it needs; else in the order in which they were added.
  public var inOrder: [any Service] {
    let needs = Needs(of: resolver.graph)
    var ordered: [Entry] = []
    var rest = entries
    while !rest.isEmpty {
      // In a cycle of stated needs none comes first: then the first that was added does.
      let index =
        rest.firstIndex { entry in
          !rest.contains { $0.key != entry.key && needs.has(entry.key, need: $0.key) }
        } ?? 0
      ordered.append(rest.remove(at: index))
    }
    return ordered.map(\.service)
  }
}

/// Waits for the shutdown, and closes what it was made for.
private struct ClosedAtShutdown: Service {
  let close: @Sendable () async throws -> Void

  func run() async throws {
    // Ends also where the task is cancelled.
    try? await gracefulShutdown()
    try await close()
  }
}

/// Which key needs which other, directly or through others.
private struct Needs {
  private let reached: [AnyKey: Set<AnyKey>]

  init(of graph: DependencyGraph) {
    let neighbours = Dictionary(grouping: graph.edges, by: \.from).mapValues { $0.map(\.to) }
    var reached: [AnyKey: Set<AnyKey>] = [:]
    for start in graph.nodes.indices {
      var seen: Set<Int> = []
      var open = neighbours[start] ?? []
      while let next = open.popLast() {
        if seen.insert(next).inserted { open += neighbours[next] ?? [] }
      }
      reached[graph.nodes[start].key, default: []].formUnion(seen.map { graph.nodes[$0].key })
    }
    self.reached = reached
  }

  func has(_ key: AnyKey, need other: AnyKey) -> Bool { reached[key]?.contains(other) ?? false }
}
