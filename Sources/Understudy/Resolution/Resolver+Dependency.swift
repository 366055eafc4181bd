// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves a declared dependency. It cannot be missing, so this does not throw.
  ///
  /// If an override of it fails in a test, the layer gets a violation that says so, and production
  /// answers. Outside a test there is nobody to tell: the process ends with the explanation.
  ///
  /// - Parameters:
  ///   - dependency: What is asked for: `\.mailer`.
  ///   - lifecycle: What to do with the value; `.cached` honours the declaration.
  ///   - isolation: Whose actor asks: what is made on the main actor can be had there at once.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Precondition: Declared dependencies do not need each other in a cycle.
  public func resolve<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value {
    let registration = dependency(Dependencies.self).registration
    let lifecycle = lifecycle == .once ? .cached : lifecycle
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let layer = OverrideLayer.current
    if !store.mayAnswerDeclared, Resolver.isQuiet(seeing: layer) {
      if self === Resolver.main, let kept = published(by: registration, lifecycle) {
        return kept.value
      }
      if let block = plainBlock(of: registration, lifecycle) {
        do throws(ResolutionError) {
          return try quicklyMade(
            registration, block, lifecycle, at: callSite, isolation, isDeclared: true)
        } catch {
          return productionValue(
            for: Request(
              registration.key, declared: registration, lifecycle: lifecycle, at: callSite,
              isOnMainActor: isolation.isMain),
            insteadOf: error)
        }
      }
    }
    return declaredValue(
      for: Request(
        registration.key, declared: registration, lifecycle: lifecycle, at: callSite,
        isOnMainActor: isolation.isMain),
      seeing: layer)
  }

  /// Resolves a request for a declared dependency under the layers that the calling task sees.
  func declaredValue<Value>(
    for request: Request, seeing layer: OverrideLayer? = .current
  ) -> Value {
    do throws(ResolutionError) {
      return try value(for: request, seeing: layer)
    } catch {
      return productionValue(for: request, insteadOf: error)
    }
  }

  /// What production answers, for a caller whose form cannot throw, when a layer's answer failed. The
  /// failure is a violation of that layer; of the run, if the question came from nowhere.
  func productionValue<Value>(for request: Request, insteadOf failure: ResolutionError) -> Value {
    let top = failure.isEscape ? nil : OverrideLayer.current
    if !failure.isEscape {
      guard let layer = top?.nearest(of: self), layer.test != nil else { failure.trap() }
      if !failure.isRecorded { layer.record(Violation(failure.message, at: failure.callSite)) }
    }
    do throws(ResolutionError) {
      return try Resolution<Value>(request, of: self, under: top, from: nil).value()
    } catch {
      failure.trap()
    }
  }
}

extension ResolutionError {
  /// Ends the process with the whole message: for callers whose form cannot throw.
  package func trap() -> Never { fatalError("\n\(description)") }
}
