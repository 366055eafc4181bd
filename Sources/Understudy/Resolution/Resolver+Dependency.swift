// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves a declared dependency. It cannot be missing, so this does not throw.
  ///
  /// If its block throws, its override is unimplemented, or a live guard or a strict layer forbids
  /// production's answer, the test has an issue, and the process ends with the explanation. Work
  /// that lost its test's context gets production's value, and the run has an issue. If a live
  /// guard forbids that value, the process ends.
  ///
  /// - Parameters:
  ///   - dependency: The dependency: `\.mailer`.
  ///   - lifecycle: The lifecycle of the request. `.cached` honours the declaration.
  ///     `.once` uses up an override, and never the declared default.
  ///   - isolation: The caller's actor. On the main actor, a value of the main actor is created at
  ///     once.
  /// - Returns: The value.
  /// - Precondition: Declared dependencies do not need each other in a cycle.
  @inlinable
  public func resolve<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value {
    var dependency = dependency(Dependencies.self)
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if case .cached = lifecycle, let instance = cachedInstance(for: dependency.erasedKey) {
      return instance.strongValue(as: Value.self)
    }
    return value(of: &dependency, lifecycle, isolation, at: callSite)
  }

  /// Resolves a declared dependency. It waits for the main actor where the value is created there.
  ///
  /// - Throws: `ResolutionError`, where the synchronous form ends the process or lets production
  ///   answer.
  public func resolveAsync<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) async throws(ResolutionError) -> Value {
    var dependency = dependency(Dependencies.self)
    let callSite = CallSite(fileID, filePath, line, column)
    Dependency.checkSharing(of: &dependency, at: callSite)
    return try await asyncValue(
      for: Request(
        dependency.erasedKey, declared: dependency.registration, lifecycle: lifecycle,
        at: callSite))
  }

  /// Resolves a declared dependency without a cached instance.
  @usableFromInline
  func value<Value>(
    of dependency: inout Dependency<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> Value {
    Dependency.checkSharing(of: &dependency, at: callSite)
    // `trap()` reports the error, so the resolution must not.
    let request = Request(
      dependency.erasedKey, declared: dependency.registration, lifecycle: lifecycle, at: callSite,
      isOnMainActor: isolation.isMain, keepsErrors: true)
    do throws(ResolutionError) {
      return try value(for: request)
    } catch {
      guard error.isEscape else { error.trap() }
    }
    // The request lost its context, which the run has reported.
    do throws(ResolutionError) {
      return try ProductionAlone.answering { () throws(ResolutionError) -> Value in
        try value(for: request)
      }
    } catch {
      error.trap()
    }
  }

  /// Replaces production's default of a declared dependency. Call it when the program starts: an
  /// instance that exists is forgotten, but objects that hold it keep it.
  ///
  /// - Parameters:
  ///   - dependency: The dependency: `\.mailer`.
  ///   - block: Creates the value, as often as the declared lifecycle says. It may throw, and runs
  ///     under no lock.
  /// - Returns: The key of the dependency.
  @discardableResult
  public func prepare<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    let dependency = Dependency.identified(dependency, at: callSite)
    add(dependency.replacement(block, at: callSite))
    store.changing { $0.forget(dependency.registration, &$1) }
    return dependency.key
  }
}
