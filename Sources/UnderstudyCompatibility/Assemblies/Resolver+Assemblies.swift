// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Loads assemblies and their dependencies, each once. An assembly that is loaded already stays
  /// as it is.
  ///
  /// If several assemblies register a key, the one of the highest priority answers, and of equal
  /// ones the one that was loaded first. The others answer when it is unloaded. A registration
  /// without an assembly displaces the assemblies that were loaded before it. An assembly that is
  /// loaded later displaces this registration only if it displaces those assemblies, too.
  ///
  /// The instances of `eager` registrations are created after all assemblies of this call are
  /// loaded.
  ///
  /// You can load an assembly of doubles with `.high` and unload it, for the whole process and by
  /// hand. In a test prefer a layer, which belongs to the test and ends by itself:
  ///
  /// ```swift
  /// try resolver.load(Doubles(), priority: .high)            // for the process, until
  /// resolver.unload(Doubles())                               // it is unloaded
  ///
  /// try withOverrides { $0.install(Doubles()) } operation: { // for this task tree, until it ends
  ///   …
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - assemblies: The assemblies. Objects are told apart by their identity. Other values are
  ///     told apart by their type and by `==`, or, if they are not `Equatable`, by their stored
  ///     properties that are.
  ///   - priority: The priority of the named assemblies. By default that of a
  ///     `PrioritizedAssembly`, or `.normal`.
  /// - Throws: `ResolutionError`, if an eager instance could not be created. All assemblies are
  ///   loaded then.
  public func load(
    _ assemblies: any Assembly..., priority: AssemblyPriority? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) {
    guard !isInert else { return }
    let callSite = CallSite(fileID, filePath, line, column)
    let named = Set(assemblies.map { AssemblyIdentity($0) })
    var eager: [AnyRegistration] = []
    for assembly in [any Assembly].inOrder(of: assemblies) {
      let identity = AssemblyIdentity(assembly)
      if let present = loadedAssemblies.loaded(identity) {
        settle(present)
        continue
      }
      let collector = RegistrationCollector(for: self)
      assembly.assemble(into: collector, installedAt: callSite)
      let registrations = collector.registrations
      registrations.forEach { $0.mark(.brought) }
      let loaded = LoadedAssembly(
        identity: identity, assembly: assembly,
        priority: named.contains(identity)
          ? priority ?? assembly.usualPriority : assembly.usualPriority,
        registrations: registrations)
      let isAdded = add(loaded)
      if let present = isAdded ? loaded : loadedAssemblies.loaded(identity) { settle(present) }
      guard isAdded else { continue }
      for registration in registrations where store.answers(registration) {
        noteLeak(of: registration)
      }
      eager += registrations.filter(\.isEager)
    }
    for registration in eager where store.answers(registration) {
      try makeInstance(of: registration.key.type, registration.key, at: callSite)
    }
  }

  /// Unloads an assembly. Its registrations are removed, and the registrations that it had replaced
  /// answer again. Returns `false` if it is not loaded.
  ///
  /// The assemblies that it depends on stay loaded. Instances of other registrations that were
  /// created from it stay, too. `reset(.instances)` forgets them.
  @discardableResult
  public func unload(_ assembly: any Assembly) -> Bool {
    guard let unloaded = loadedAssemblies.remove(AssemblyIdentity(assembly)) else { return false }
    // The assembly may have registered a key twice. The displaced registration returns when both
    // are gone.
    let registrations = unloaded.registrations
    _ = reportingRemoval(of: registrations.filter { store.answers($0) })
    // Only the last registration of a key has answered. The newest instance is released first.
    let lasts = registrations.filter { unloaded.lasts[$0.key] === $0 }
    for registration in store.newestFirst(lasts) {
      settle(registration.key, without: registration)
    }
    store.forget(registrations)
    return true
  }

  /// Unloads all assemblies, those of the lowest priority first, and of equal ones the one that was
  /// loaded last first.
  public func unloadAll() {
    for loaded in loadedAssemblies.all.reversed() { unload(loaded.assembly) }
  }

  /// Adds an assembly, or returns `false` if another thread has loaded it in the meantime.
  /// Identities are compared without holding a lock.
  private func add(_ assembly: LoadedAssembly) -> Bool {
    while true {
      let version = loadedAssemblies.version
      if loadedAssemblies.loaded(assembly.identity) != nil { return false }
      if loadedAssemblies.add(assembly, since: version) { return true }
    }
  }

  /// Lets the registrations of an assembly answer, if the thread that loads it has not done so yet.
  private func settle(_ assembly: LoadedAssembly) {
    if assembly.isSettled { return }
    for registration in assembly.registrations { settle(registration.key) }
    assembly.noteSettled()
  }

  /// Lets the assembly with the highest priority answer a key. A registration without an assembly
  /// answers, if it was made after that, or if no assembly has the key.
  ///
  /// The registration of an unloaded assembly is replaced in one step, so that other threads always
  /// find an answer.
  ///
  /// No lock is held. If another thread loads or unloads in the meantime, the loop runs again.
  ///
  /// - Parameter removed: A registration of an assembly that is being unloaded. If it was used up,
  ///   the next one answers. A key that was unregistered stays without an answer.
  private func settle(_ key: AnyKey, without removed: AnyRegistration? = nil) {
    var (isVacant, version) = (removed?.has(.usedUp) ?? true, -1)
    while version != loadedAssemblies.version {
      version = loadedAssemblies.version
      let loaded = loadedAssemblies.all.compactMap { $0.lasts[key] }
      var current = store.registration(for: key)
      var unloaded: AnyRegistration?
      if let old = current, old.has(.brought), !loaded.contains(where: { $0.serial == old.serial })
      {
        (unloaded, current, isVacant) = (old, nil, true)
      }
      var direct = loadedAssemblies.displaced(key).last
      if direct != nil, current == nil, unloaded == nil,
        wasUnregistered(loaded + (removed.map { [$0] } ?? []))
      {
        dropDisplaced(key)
        direct = nil
      }
      if let first = loaded.first(where: { !store.hasClaimed($0) }),
        current != nil || first.serial > direct?.serial ?? 0
      {
        if current?.serial == first.serial || !isVacant && current == nil { continue }
        if let current, !current.has(.brought) {
          if current.serial > first.serial { continue }
          loadedAssemblies.displace(current)
        }
        // Another thread may have registered the key in the meantime.
        if !store.add(first, displacing: unloaded ?? current) { version = -1 }
      } else if let direct {
        loadedAssemblies.restore(direct)
        if let current {
          if current !== direct { store.forget([direct]) }
        } else if !store.add(direct, displacing: unloaded) {
          loadedAssemblies.displace(direct)
          version = -1
        }
      } else if let unloaded {
        _ = store.remove(unloaded)
      }
      if let unloaded, !store.answers(unloaded) { store.forget([unloaded]) }
    }
  }

  /// True if one of a key's registrations was unregistered. It is gone as if it was used up, but
  /// without that mark.
  private func wasUnregistered(_ registrations: [AnyRegistration]) -> Bool {
    registrations.contains { store.hasClaimed($0) && !$0.has(.usedUp) }
  }

  private func makeInstance<Value>(
    of type: Value.Type, _ key: AnyKey, at callSite: CallSite
  ) throws(ResolutionError) {
    let _: Value = try value(for: Request(key, at: callSite))
  }
}

/// Collects the registrations of an assembly, for a resolver.
private final class RegistrationCollector: KnowingRegistrar {
  private let resolver: Resolver
  private let collected = Lock<[AnyRegistration]>([])
  /// The last registration of each key.
  private let lasts = Lock<[AnyKey: AnyRegistration]>([:])

  init(for resolver: Resolver) {
    self.resolver = resolver
  }

  var registrations: [AnyRegistration] { collected.withLock { $0.map(\.self) } }
  var parent: Resolver? { resolver.parent }

  func add(_ registration: AnyRegistration) {
    collected.withLock { $0.append(registration) }
    let old = lasts.withLock { $0.updateValue(registration, forKey: registration.key) }
    withExtendedLifetime(old) {}
  }

  func present(_ key: AnyKey) -> AnyRegistration? {
    lasts.withLock { $0[key] } ?? resolver.present(key)
  }
  /// One thread assembles.
  func add(_ registration: AnyRegistration, replacing present: AnyRegistration?) -> Bool {
    add(registration)
    return true
  }
  func withdraw(_ key: AnyKey) -> Bool { false }
}
