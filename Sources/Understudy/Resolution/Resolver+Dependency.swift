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
  @inlinable
  public consuming func resolve<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value {
    guard isMain else {
      return value(
        of: dependency(Dependencies.self), lifecycle, isolation,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    // Safety: the process keeps `main`, so it need not be held here: its references would be counted by all threads.
    let main = unsafe Unmanaged.passUnretained(self)
    _ = consume self
    let dependency = dependency(Dependencies.self)
    let registration = unsafe dependency.unmanagedRegistration
    if let kept = unsafe dependency.published {
      // Safety: it is not held from here on, so that no reference to it is counted. What is published is kept for
      // ever, with its registration; and it is a `Value`, as the dependency's registration is of that type.
      _ = consume dependency
      let (address, layer) = unsafe main._withUnsafeGuaranteedRef {
        unsafe $0.answer(publishedOf: kept)
      }
      if lifecycle != .notCached, let address = unsafe address {
        return unsafe address.assumingMemoryBound(to: Value.self).pointee
      }
      return unsafe main._withUnsafeGuaranteedRef {
        unsafe $0.declaredValue(
          registration, under: layer, lifecycle, isolation,
          at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
      }
    }
    defer { extendLifetime(dependency) }
    return unsafe main._withUnsafeGuaranteedRef {
      unsafe $0.madeValue(
        registration, isDirect: dependency.isDirect, lifecycle, isolation,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  /// Resolves a declared dependency of any resolver.
  @inlinable @inline(never)
  func value<Value>(
    of dependency: Dependency<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> Value {
    defer { extendLifetime(dependency) }
    return unsafe madeValue(
      dependency.unmanagedRegistration, isDirect: dependency.isDirect, lifecycle, isolation,
      at: callSite)
  }

  /// The value of a declared dependency that is not known to be kept.
  ///
  /// Safety, here and below: whoever calls this keeps the dependency, which keeps the registration; or that may be
  /// published, and the process keeps it.
  @inlinable @inline(__always)
  func madeValue<Value>(
    _ registration: Unmanaged<Registration<Value>>, isDirect: Bool, _ lifecycle: Lifecycle,
    _ isolation: (any Actor)?, at callSite: CallSite
  ) -> Value {
    let (answersItself, layer) = unsafe sightOfDeclared
    return unsafe isDirect && answersItself
      ? directValue(registration, lifecycle, isolation, at: callSite)
      : declaredValue(registration, under: layer, lifecycle, isolation, at: callSite)
  }

  /// What the block of a declared dependency makes. Nothing that throws is left for the caller, whose function may be
  /// asynchronous.
  @inlinable @inline(never)
  func directValue<Value>(
    _ registration: Unmanaged<Registration<Value>>, _ lifecycle: Lifecycle,
    _ isolation: (any Actor)?, at callSite: CallSite
  ) -> Value {
    unsafe called(registration, isolation) {
      unsafe declaredValue(registration, under: nil, lifecycle, isolation, at: callSite)
    } failed: { failure in
      unsafe productionValue(
        insteadOf: failure, registration.takeUnretainedValue(), isolation, at: callSite)
    }
  }

  /// Resolves a declared dependency under the layers that the calling task sees, of which the innermost is known.
  @inlinable @inline(never)
  func declaredValue<Value>(
    _ registration: Unmanaged<Registration<Value>>, under layer: Unmanaged<OverrideLayer>?,
    _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) -> Value {
    guard let layer = unsafe layer,
      let look = unsafe layeredLook(
        at: .fromOpaque(registration.toOpaque()), lifecycle, under: layer, at: callSite)
    else {
      return unsafe soughtValue(
        of: registration.takeUnretainedValue(), lifecycle, isolation, at: callSite)
    }
    guard look.isOfBlock else { return look.value() }
    do throws(ResolutionError) {
      return try calledAgain(look, isolation, at: callSite)
    } catch {
      return unsafe productionValue(
        insteadOf: error, registration.takeUnretainedValue(), isolation, at: callSite)
    }
  }

  /// The same, where a look is not enough.
  @usableFromInline
  func soughtValue<Value>(
    of registration: Registration<Value>, _ lifecycle: Lifecycle, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> Value {
    let request = Request(
      registration.key, declared: registration, lifecycle: lifecycle, at: callSite,
      isOnMainActor: isolation.isMain)
    do throws(ResolutionError) {
      return try resolution(of: request).value()
    } catch {
      return productionValue(for: request, insteadOf: error)
    }
  }

  /// Resolves a request for a declared dependency under the layers that the calling task sees.
  func declaredValue<Value>(for request: Request) -> Value {
    do throws(ResolutionError) {
      return try value(for: request)
    } catch {
      return productionValue(for: request, insteadOf: error)
    }
  }

  /// The same, when the block that was called the short way failed.
  @usableFromInline @inline(never)
  func productionValue<Value>(
    insteadOf failure: any Error, _ registration: Registration<Value>, _ isolation: (any Actor)?,
    at callSite: CallSite
  ) -> Value {
    let request = Request(
      registration.key, declared: registration, at: callSite, isOnMainActor: isolation.isMain)
    return productionValue(for: request, insteadOf: explained(failure, registration, request))
  }

  /// What production answers, for a caller whose form cannot throw, when a layer's answer failed. The
  /// failure is a violation of that layer; of the run, if the question came from nowhere.
  func productionValue<Value>(for request: Request, insteadOf failure: ResolutionError) -> Value {
    do throws(ResolutionError) {
      guard !failure.isEscape else {
        return try ProductionAlone.answering { () throws(ResolutionError) in
          try Resolution<Value>(request, of: self, under: nil, from: nil).value()
        }
      }
      let top = OverrideLayer.current
      guard let layer = top?.nearest(of: self), layer.test != nil else { failure.trap() }
      if !failure.isRecorded { layer.record(Violation(failure.message, at: failure.callSite)) }
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
