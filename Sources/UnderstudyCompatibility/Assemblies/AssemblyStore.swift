// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// An assembly that was loaded, and what it brought.
struct LoadedAssembly: Sendable {
  let identity: AssemblyIdentity
  let assembly: any Assembly
  let priority: AssemblyPriority
  let registrations: [AnyRegistration]
  /// What it keeps when its registrations are renewed.
  fileprivate let token: Token

  fileprivate final class Token: Sendable {}

  init(
    identity: AssemblyIdentity, assembly: any Assembly, priority: AssemblyPriority,
    registrations: [AnyRegistration]
  ) {
    self.identity = identity
    self.assembly = assembly
    self.priority = priority
    self.registrations = registrations
    token = Token()
  }

  fileprivate init(_ other: LoadedAssembly, registrations: [AnyRegistration]) {
    identity = other.identity
    assembly = other.assembly
    priority = other.priority
    self.registrations = registrations
    token = other.token
  }
}

// As in `LayerScope`, what leaves the lock is a copy of its own: the thread sanitizer cannot see
// the reference count that makes an array safe which others read while it is changed.

/// The assemblies that a resolver has loaded, and the registrations that theirs stand before.
final class AssemblyStore: GraphContributor {
  private struct State {
    var loaded: [LoadedAssembly] = []
    /// What was registered without an assembly, and an assembly stands before.
    var displaced: [AnyRegistration] = []
    /// How often `loaded` has changed.
    var version = 0
  }

  private let state = Lock(State())

  init() {}

  /// Those that were loaded, the one that answers first in front; among equals as they were loaded.
  var all: [LoadedAssembly] {
    state.withLock { $0.loaded.map(\.self) }.enumerated().sorted { left, right in
      left.element.priority == right.element.priority
        ? left.offset < right.offset : left.element.priority > right.element.priority
    }.map(\.element)
  }

  /// What assemblies stand before, in the order of registering.
  var displaced: [AnyRegistration] { state.withLock { $0.displaced.map(\.self) } }

  func contains(_ identity: AssemblyIdentity) -> Bool {
    loaded(identity) != nil
  }

  /// Compared while no lock is held: `==` may be the user's code.
  private func loaded(_ identity: AssemblyIdentity) -> LoadedAssembly? {
    state.withLock { $0.loaded.map(\.self) }.first { $0.identity == identity }
  }

  /// The number of loads and unloads. A decision that was based on an older number is made again.
  var version: Int { state.withLock { $0.version } }

  /// Adds an assembly if none was added or taken out since a version.
  func add(_ assembly: LoadedAssembly, since version: Int) -> Bool {
    state.withLock { state in
      guard state.version == version else { return false }
      state.loaded.append(assembly)
      state.version += 1
      return true
    }
  }

  /// Notes what an assembly is to stand before.
  func displace(_ registration: AnyRegistration) {
    state.withLock { state in
      if state.displaced.contains(where: { $0 === registration }) { return }
      state.displaced.append(registration)
    }
  }

  /// Takes an assembly out, or returns `nil` if it is not loaded.
  func remove(_ identity: AssemblyIdentity) -> LoadedAssembly? {
    guard let found = loaded(identity) else { return nil }
    return state.withLock { state in
      guard let index = state.loaded.firstIndex(where: { $0.token === found.token }) else {
        return nil
      }
      state.version += 1
      return state.loaded.remove(at: index)
    }
  }

  /// Has the assemblies know their registrations as they are now.
  func follow(_ store: LevelStore) {
    let loaded = state.withLock { $0.loaded.map(\.self) }
    let followed = loaded.map { assembly in
      LoadedAssembly(
        assembly, registrations: assembly.registrations.map { store.current($0) })
    }
    let old = state.withLock { state in
      for assembly in followed {
        guard let index = state.loaded.firstIndex(where: { $0.token === assembly.token })
        else { continue }
        state.loaded[index] = assembly
      }
      return loaded
    }
    withExtendedLifetime(old) {}
  }

  /// Forgets all assemblies, and what they stand before.
  func removeAll() {
    let old = state.withLock { state in
      defer { state = State(version: state.version + 1) }
      return state
    }
    withExtendedLifetime(old) {}
  }

  /// Takes out something that no assembly stands before any more.
  func restore(_ registration: AnyRegistration) {
    let taken = state.withLock { state in
      let taken = state.displaced.filter { $0 === registration }
      state.displaced.removeAll { $0 === registration }
      return taken
    }
    withExtendedLifetime(taken) {}
  }

  /// The registrations of loaded assemblies that others stand before.
  var notices: [DependencyGraph.Finding] {
    var notices: [DependencyGraph.Finding] = []
    var first: [AnyKey: (registration: AnyRegistration, priority: AssemblyPriority)] = [:]
    for assembly in all {
      for registration in assembly.registrations {
        guard let winner = first[registration.key] else {
          first[registration.key] = (registration, assembly.priority)
          continue
        }
        notices.append(
          DependencyGraph.Finding(
            winner.priority == assembly.priority ? .duplicate : .shadowed, [registration.key],
            at: registration.callSite, and: winner.registration.callSite))
      }
    }
    return notices
      + displaced.map {
        DependencyGraph.Finding(
          .shadowed, [$0.key], at: $0.callSite, and: first[$0.key]?.registration.callSite)
      }
  }
}

extension Resolver {
  /// The assemblies that were loaded.
  var loadedAssemblies: AssemblyStore { attachment(or: AssemblyStore()) }
}
