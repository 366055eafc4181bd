// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How early an assembly answers, among those that bring the same key.
///
/// The highest answers; among equals the one that was loaded first (DE-15).
public struct AssemblyPriority: Hashable, Comparable, Sendable {
  /// 1000: what replaces others, such as an assembly of doubles.
  public static let high = AssemblyPriority(1000)
  /// 500: what is meant if nothing is said.
  public static let normal = AssemblyPriority(500)
  /// 100: what others may replace.
  public static let low = AssemblyPriority(100)

  /// How early, as a number.
  public let value: Int

  /// A priority of your own.
  public init(_ value: Int) {
    self.value = value
  }

  /// True if `left` answers later than `right`.
  public static func < (left: AssemblyPriority, right: AssemblyPriority) -> Bool {
    left.value < right.value
  }
}

/// An assembly that was loaded, and what it brought.
package struct LoadedAssembly: Sendable {
  package let identity: AssemblyIdentity
  package let assembly: any Assembly
  package let priority: AssemblyPriority
  package let registrations: [AnyRegistration]
  /// What it keeps when its registrations are renewed.
  fileprivate let token: Token

  fileprivate final class Token: Sendable {}

  package init(
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

// As in `LayerScope`, what leaves the lock is a copy of its own: the thread sanitizer cannot see the reference count that
// makes an array safe which others read while it is changed.

/// The assemblies that a resolver has loaded, and the registrations that theirs stand before.
package final class AssemblyStore: Sendable {
  private struct State {
    var loaded: [LoadedAssembly] = []
    /// What was registered without an assembly, and an assembly stands before.
    var displaced: [AnyRegistration] = []
    /// How often `loaded` has changed.
    var version = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Those that were loaded, the one that answers first in front; among equals as they were loaded.
  package var all: [LoadedAssembly] {
    state.withLock { $0.loaded.map(\.self) }.enumerated().sorted { left, right in
      left.element.priority == right.element.priority
        ? left.offset < right.offset : left.element.priority > right.element.priority
    }.map(\.element)
  }

  /// What assemblies stand before, in the order of registering.
  package var displaced: [AnyRegistration] { state.withLock { $0.displaced.map(\.self) } }

  package func contains(_ identity: AssemblyIdentity) -> Bool {
    loaded(identity) != nil
  }

  /// Compared while no lock is held: `==` may be the user's code.
  private func loaded(_ identity: AssemblyIdentity) -> LoadedAssembly? {
    state.withLock { $0.loaded.map(\.self) }.first { $0.identity == identity }
  }

  /// The number of loads and unloads. A decision that was based on an older number is made again.
  package var version: Int { state.withLock { $0.version } }

  /// Adds an assembly if none was added or taken out since a version.
  package func add(_ assembly: LoadedAssembly, since version: Int) -> Bool {
    state.withLock { state in
      guard state.version == version else { return false }
      state.loaded.append(assembly)
      state.version += 1
      return true
    }
  }

  /// Notes what an assembly is to stand before.
  package func displace(_ registration: AnyRegistration) {
    state.withLock { state in
      if state.displaced.contains(where: { $0 === registration }) { return }
      state.displaced.append(registration)
    }
  }

  /// Takes an assembly out, or returns `nil` if it is not loaded.
  package func remove(_ identity: AssemblyIdentity) -> LoadedAssembly? {
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
  package func follow(_ store: LevelStore) {
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
  package func removeAll() {
    let old = state.withLock { state in
      defer { state = State(version: state.version + 1) }
      return state
    }
    withExtendedLifetime(old) {}
  }

  /// Takes out something that no assembly stands before any more.
  package func restore(_ registration: AnyRegistration) {
    let taken = state.withLock { state in
      let taken = state.displaced.filter { $0 === registration }
      state.displaced.removeAll { $0 === registration }
      return taken
    }
    withExtendedLifetime(taken) {}
  }
}
