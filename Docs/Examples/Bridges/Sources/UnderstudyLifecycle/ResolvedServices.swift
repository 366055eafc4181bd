// Part of Understudy: a bridge to swift-service-lifecycle.
// SPDX-License-Identifier: MIT

import ServiceLifecycle
import Synchronization
import Understudy

/// The instances of a resolver that a service group starts and stops.
///
/// Add the instances that your program is made of. Each is created at once, with all that it needs,
/// and every cached instance among those that is a service joins. `inOrder` has each after those
/// that it needs, as the resolver's graph knows them. A group starts its services in that order,
/// and shuts them down in reverse.
///
/// ```swift
/// var services = ResolvedServices(of: resolver)
/// try services.add(Database.self, onShutdown: { await $0.close() })
/// try services.add(Server.self)
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

  /// Adds an instance with all that it needs: each that is a service and is cached.
  ///
  /// - Throws: Why it cannot be created.
  public mutating func add<Value>(_ type: Value.Type) throws(ResolutionError) {
    let root = AnyKey(Key<Value>())
    let found = Mutex<[Entry]>([])
    let observation = resolver.observeValues { value, event in
      // Other threads may resolve something else meanwhile.
      guard event.kind == .resolved, event.path.first == root,
        event.owner != .caller || event.key == root, let service = value as? any Service
      else { return }
      found.withLock { $0.append(Entry(key: event.key, service: service)) }
    }
    defer { observation.cancel() }
    _ = try resolver.resolve(type)
    for entry in found.withLock({ $0 }) { add(entry) }
  }

  /// Adds an instance that a closure closes at the group's shutdown.
  ///
  /// - Throws: Why it cannot be created.
  public mutating func add<Value: Sendable>(
    _ type: Value.Type, onShutdown close: @escaping @Sendable (Value) async throws -> Void
  ) throws(ResolutionError) {
    let value = try resolver.resolve(type)
    add(Entry(key: AnyKey(Key<Value>()), service: ClosedAtShutdown { try await close(value) }))
  }

  /// Adds an entry, unless there is one for its key.
  private mutating func add(_ entry: Entry) {
    if !entries.contains(where: { $0.key == entry.key }) { entries.append(entry) }
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
