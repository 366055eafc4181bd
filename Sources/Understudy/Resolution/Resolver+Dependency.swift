// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves a declared dependency. It cannot be missing, so this does not throw.
  ///
  /// If an override of it fails in a test, the layer records a violation, and production answers. Outside a
  /// test the process ends with the explanation.
  ///
  /// - Parameters:
  ///   - dependency: The dependency: `\.mailer`.
  ///   - lifecycle: What to do with the value; `.cached` honours the declaration.
  ///   - isolation: The caller's actor: a value of the main actor is created there at once.
  /// - Returns: The value.
  /// - Precondition: Declared dependencies do not need each other in a cycle.
  @inlinable
  public func resolve<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value {
    let dependency = dependency(Dependencies.self)
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if case .cached = lifecycle,
      let instance = cachedInstance(for: dependency.erasedKey, at: callSite)
    {
      return instance.strongValue(as: Value.self)
    }
    return value(of: dependency, lifecycle, isolation, at: callSite)
  }

  /// The same, where no instance is cached.
  @usableFromInline
  func value<Value>(
    of dependency: Dependency<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> Value {
    declaredValue(
      for: Request(
        dependency.erasedKey, declared: dependency.registration, lifecycle: lifecycle,
        at: callSite, isOnMainActor: isolation.isMain))
  }

  /// Resolves a request for a declared dependency under the layers that the calling task sees.
  func declaredValue<Value>(for request: Request) -> Value {
    do throws(ResolutionError) {
      return try value(for: request)
    } catch {
      return productionValue(for: request, insteadOf: error)
    }
  }

  /// What production answers, for a caller whose form cannot throw, when a layer's answer failed. The
  /// failure is a violation of that layer; of the run, if the question came from nowhere.
  func productionValue<Value>(for request: Request, insteadOf failure: ResolutionError) -> Value {
    do throws(ResolutionError) {
      guard !failure.isEscape else {
        return try ProductionAlone.answering { () throws(ResolutionError) in
          try Resolution(request, of: self, under: nil, from: nil).value()
        }
      }
      let top = OverrideLayer.current
      guard let layer = top?.nearest(of: self), layer.test != nil else { failure.trap() }
      if !failure.isRecorded { layer.record(Violation(failure.message, at: failure.callSite)) }
      return try Resolution(request, of: self, under: top, from: nil).value()
    } catch {
      failure.trap()
    }
  }
}

extension ResolutionError {
  /// Ends the process with the whole message: for callers whose form cannot throw.
  package func trap() -> Never { fatalError("\n\(description)") }
}
