// Part of Understudy: a bridge to swift-service-lifecycle.
// SPDX-License-Identifier: MIT

import ServiceLifecycle
import Synchronization
import Understudy

/// The instances of a resolver that a service group starts and stops.
///
/// Add the instances that your program is made of, or all that are registered as `eager`. Each is
/// created at once, with its dependencies. Every cached instance among these that is a service
/// joins. `inOrder` has each service after its dependencies, from the resolver's graph. A group
/// starts its services in that order, and shuts them down in reverse.
///
/// ```swift
/// var services = ResolvedServices(of: resolver)
/// try services.add(Database.self, onShutdown: { await $0.close() })
/// try services.addEager()
/// let group = ServiceGroup(services: services.inOrder, logger: logger)
/// ```
public struct ResolvedServices: Sendable {
  private struct Entry: Sendable {
    let key: AnyKey
    var service: any Service
  }

  private let resolver: Resolver
  private var entries: [Entry] = []

  /// Makes an empty collection for a resolver.
  public init(of resolver: Resolver) {
    self.resolver = resolver
  }

  /// Adds an instance, and each of its dependencies that is a service and is cached.
  ///
  /// - Throws: `ResolutionError`, if it cannot be created.
  public mutating func add<Value>(_ type: Value.Type) throws(ResolutionError) {
    _ = try create(Key<Value>())
  }

  /// Adds an instance with its dependencies, and closes it at the group's shutdown. If it is a
  /// service itself, it is closed after it has stopped.
  ///
  /// - Throws: `ResolutionError`, if it cannot be created.
  public mutating func add<Value: Sendable>(
    _ type: Value.Type, onShutdown close: @escaping @Sendable (Value) async throws -> Void
  ) throws(ResolutionError) {
    let key = Key<Value>()
    let value = try create(key)
    let closed = ClosedAtShutdown(value as? any Service) { try await close(value) }
    if let index = entries.firstIndex(where: { $0.key == AnyKey(key) }) {
      entries[index].service = closed
    } else {
      entries.append(Entry(key: AnyKey(key), service: closed))
    }
  }

  /// Adds every instance that is registered as `eager`, with its dependencies.
  ///
  /// - Throws: `ResolutionError`, if one of them cannot be created.
  public mutating func addEager() throws(ResolutionError) {
    for key in resolver.graph.nodes.map(\.key)
    where resolver.registration(for: key)?.isEager == true {
      try addEager(key.type, key)
    }
  }

  private mutating func addEager<Value>(
    _ type: Value.Type, _ key: AnyKey
  ) throws(ResolutionError) {
    if let key = Key<Value>(key) { _ = try create(key) }
  }

  /// Creates an instance, and adds the services among it and its dependencies.
  private mutating func create<Value>(_ key: Key<Value>) throws(ResolutionError) -> Value {
    let root = AnyKey(key)
    let found = Mutex<[Entry]>([])
    let observation = resolver.observeValues { value, event in
      // Other threads may resolve something else in the meantime.
      guard event.kind == .resolved, event.path.first == root,
        event.owner != .caller || event.key == root, let service = value as? any Service
      else { return }
      found.withLock { $0.append(Entry(key: event.key, service: service)) }
    }
    defer { observation.cancel() }
    let value = try resolver.resolve(key)
    for entry in found.withLock({ $0 }) { add(entry) }
    // If the instance already existed, neither it nor its dependencies are created now.
    let graph = resolver.graph
    let needs = Needs(of: graph)
    for node in graph.nodes where node.lifecycle == .cached && needs.has(root, need: node.key) {
      if let service = existing(node.key.type, node.key) {
        add(Entry(key: node.key, service: service))
      }
    }
    return value
  }

  /// The cached instance of a key, if it is a service.
  private func existing<Value>(_ type: Value.Type, _ key: AnyKey) -> (any Service)? {
    guard let key = Key<Value>(key) else { return nil }
    return (try? resolver.resolve(key)) as? any Service
  }

  /// Adds an entry, unless there is one for its key.
  private mutating func add(_ entry: Entry) {
    if !entries.contains(where: { $0.key == entry.key }) { entries.append(entry) }
  }

  /// The services, each after its dependencies, and otherwise in the order in which they were
  /// added.
  public var inOrder: [any Service] {
    let needs = Needs(of: resolver.graph)
    var ordered: [Entry] = []
    var rest = entries
    while !rest.isEmpty {
      // In a cycle of stated dependencies, no service comes first. Then the first added one does.
      let index =
        rest.firstIndex { entry in
          !rest.contains { $0.key != entry.key && needs.has(entry.key, need: $0.key) }
        } ?? 0
      ordered.append(rest.remove(at: index))
    }
    return ordered.map(\.service)
  }
}

/// Waits for the shutdown, or runs a service until it has stopped, and closes an instance.
private struct ClosedAtShutdown: Service {
  private let service: (any Service)?
  private let close: @Sendable () async throws -> Void

  init(_ service: (any Service)?, _ close: @escaping @Sendable () async throws -> Void) {
    self.service = service
    self.close = close
  }

  func run() async throws {
    do {
      // The wait also ends if the task is cancelled.
      if let service { try await service.run() } else { try? await gracefulShutdown() }
    } catch {
      try await close()
      throw error
    }
    try await close()
  }
}

/// The direct and indirect dependencies of each key.
private struct Needs {
  private let reached: [AnyKey: Set<AnyKey>]

  init(of graph: DependencyGraph) {
    // A dependency that a provider resolves later may be started later.
    let edges = graph.edges.filter { $0.kind != .deferred }
    let neighbours = Dictionary(grouping: edges, by: \.from).mapValues { $0.map(\.to) }
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
