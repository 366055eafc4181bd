// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A loaded assembly, with its registrations.
struct LoadedAssembly: Sendable {
  let identity: AssemblyIdentity
  let assembly: any Assembly
  let priority: AssemblyPriority
  fileprivate(set) var registrations: [AnyRegistration] { didSet { index() } }
  /// The last registration of each key, which alone answers.
  private(set) var lasts: [AnyKey: AnyRegistration] = [:]
  /// Identifies the assembly. It stays the same when the registrations are renewed.
  fileprivate let token = Token()

  fileprivate final class Token: Sendable {
    let isSettled = Lock(false)
  }

  init(
    identity: AssemblyIdentity, assembly: any Assembly, priority: AssemblyPriority,
    registrations: [AnyRegistration]
  ) {
    self.identity = identity
    self.assembly = assembly
    self.priority = priority
    self.registrations = registrations
    index()
  }

  private mutating func index() {
    lasts = Dictionary(registrations.map { ($0.key, $0) }) { $1 }
  }

  /// True once its registrations answer. Another thread may still be loading it.
  var isSettled: Bool { token.isSettled.withLock { $0 } }

  func noteSettled() { token.isSettled.withLock { $0 = true } }
}

// As in `LayerState`, each access returns a copy with its own storage. If arrays shared it, the
// thread sanitizer would report a race, since it does not see their reference counts.

/// The assemblies that a resolver has loaded, and the registrations that they displaced.
final class AssemblyStore: GraphContributor {
  private struct State {
    var loaded: [LoadedAssembly] = []
    /// Registrations without an assembly that an assembly's registration displaced, by key.
    var displaced: [AnyKey: [AnyRegistration]] = [:]
    /// The number of changes of `loaded`.
    var version = 0

    /// All registrations: those of the assemblies, and the displaced ones.
    var registrations: [AnyRegistration] { loaded.flatMap(\.registrations) + allDisplaced }

    /// In the order of registration.
    var allDisplaced: [AnyRegistration] {
      displaced.values.flatMap(\.self).sorted { $0.serial < $1.serial }
    }
  }

  private let state = Lock(State())

  init() {}

  /// The loaded assemblies, highest priority first; those of equal priority in loading order.
  var all: [LoadedAssembly] {
    state.withLock { $0.loaded.map(\.self) }.enumerated().sorted { left, right in
      left.element.priority == right.element.priority
        ? left.offset < right.offset : left.element.priority > right.element.priority
    }.map(\.element)
  }

  /// The displaced registrations of a key, the last displaced one last.
  func displaced(_ key: AnyKey) -> [AnyRegistration] {
    state.withLock { $0.displaced[key]?.map(\.self) ?? [] }
  }

  /// The assembly of an identity, if it is loaded. Identities are compared under no lock,
  /// since `==` may be user code.
  func loaded(_ identity: AssemblyIdentity) -> LoadedAssembly? {
    state.withLock { $0.loaded.map(\.self) }.first { $0.identity == identity }
  }

  /// The number of loads and unloads. A decision that is based on an older number is made again.
  var version: Int { state.withLock { $0.version } }

  /// Adds an assembly, unless an assembly was added or removed since `version`.
  func add(_ assembly: LoadedAssembly, since version: Int) -> Bool {
    state.withLock { state in
      guard state.version == version else { return false }
      state.loaded.append(assembly)
      state.version += 1
      return true
    }
  }

  /// Stores a registration that an assembly displaces.
  func displace(_ registration: AnyRegistration) {
    state.withLock { state in
      if state.displaced[registration.key]?.contains(where: { $0 === registration }) == true {
        return
      }
      state.displaced[registration.key, default: []].append(registration)
    }
  }

  /// Removes an assembly, and returns `nil` if it is not loaded.
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

  /// Updates the registrations of the assemblies to the current ones of the store.
  func follow(_ store: LevelStore) {
    let loaded = state.withLock { $0.loaded.map(\.self) }
    var followed = loaded
    for (index, assembly) in loaded.enumerated() {
      followed[index].registrations = assembly.registrations.map { store.current($0) }
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

  /// Removes all assemblies and displaced registrations, and returns the registrations.
  func removeAll() -> [AnyRegistration] {
    let old = state.withLock { state in
      defer { state = State(version: state.version + 1) }
      return state
    }
    return old.registrations
  }

  /// Removes the registrations of a container, and returns them.
  func remove(in container: KeyName?) -> [AnyRegistration] {
    let old = state.withLock { state in
      let old = state
      for (index, assembly) in state.loaded.enumerated() {
        state.loaded[index].registrations = assembly.registrations.filter {
          $0.key.container != container
        }
      }
      state.displaced = state.displaced.filter { $0.key.container != container }
      state.version += 1
      return old
    }
    return old.registrations.filter { $0.key.container == container }
  }

  /// Removes a registration that is no longer displaced.
  func restore(_ registration: AnyRegistration) {
    let taken = state.withLock { state in
      let displaced = state.displaced.removeValue(forKey: registration.key)
      let left = displaced?.filter { $0 !== registration } ?? []
      if !left.isEmpty { state.displaced[registration.key] = left }
      return displaced
    }
    withExtendedLifetime(taken) {}
  }

  /// The registrations that loaded assemblies displace, except those that are replaced on purpose.
  var notices: [DependencyGraph.Finding] {
    var notices: [DependencyGraph.Finding] = []
    var first: [AnyKey: (registration: AnyRegistration, priority: AssemblyPriority)] = [:]
    for assembly in all {
      for registration in assembly.registrations where !registration.traits.isMerged {
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
      + state.withLock { $0.allDisplaced }.filter { !$0.traits.isMerged }.map {
        DependencyGraph.Finding(
          .shadowed, [$0.key], at: $0.callSite, and: first[$0.key]?.registration.callSite)
      }
  }
}

extension Resolver {
  var loadedAssemblies: AssemblyStore { attachment(or: AssemblyStore()) }
}
