// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The contents of a wrapper: a value, or the error that it reports when the value is read.
@frozen
@usableFromInline
package enum Injected<Value> {
  case value(Value)
  case missing(MissingValue)

  /// The value. Reading a missing one reports the error and ends the process.
  @inlinable
  var valueOrTrap: Value {
    switch self {
    case .value(let value): value
    case .missing(let missing): missing.trap()
    }
  }

  func get() throws(ResolutionError) -> Value {
    switch self {
    case .value(let value): return value
    case .missing(let missing):
      missing.noteUse()
      throw missing.error
    }
  }

  var isAvailable: Bool { if case .value = self { true } else { false } }

  func map<Other>(_ transform: (Value) -> Other) -> Injected<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .missing(let missing): .missing(missing)
    }
  }
}

extension Injected: Sendable where Value: Sendable {}

extension Resolver {
  /// The value of a declared dependency for a wrapper.
  @inlinable
  static func injected<Value>(
    _ dependency: inout Dependency<Value>, at callSite: CallSite
  ) -> (Injected<Value>, origin: (any AnyObject & Sendable)?) {
    // The cache has instances only while no layer is alive, so there is no origin.
    if let instance = current.cachedInstance(for: dependency.erasedKey) {
      return (.value(instance.strongValue(as: Value.self)), nil)
    }
    return uncachedInjected(&dependency, at: callSite)
  }

  @usableFromInline
  static func uncachedInjected<Value>(
    _ dependency: inout Dependency<Value>, at callSite: CallSite
  ) -> (Injected<Value>, origin: (any AnyObject & Sendable)?) {
    let surroundings = Surroundings.current
    Dependency.checkSharing(of: &dependency, at: callSite)
    let injected: Injected<Value> = surroundings.resolver.injected(
      dependency.erasedKey, declared: dependency.registration, at: callSite, surroundings)
    return (injected, surroundings.origin)
  }

  /// The value of a key for a wrapper.
  func injected<Value>(_ key: Key<Value>, at callSite: CallSite) -> Injected<Value> {
    injected(key.erased, at: callSite, .current)
  }

  /// Resolves the value of a key in known surroundings.
  func injected<Value>(
    _ key: AnyKey, declared: AnyRegistration? = nil, at callSite: CallSite,
    _ surroundings: Surroundings
  ) -> Injected<Value> {
    injected(
      Request(key, declared: declared, at: callSite, keepsErrors: true),
      Caller(surroundings, asking: self))
  }

  /// The value of a request whose caller cannot throw.
  package func injected<Value>(_ request: Request) -> Injected<Value> {
    var request = request
    request.keepsErrors = true
    return injected(request, Caller(asking: self))
  }

  private func injected<Value>(_ request: Request, _ caller: Caller) -> Injected<Value> {
    do throws(ResolutionError) {
      return .value(try value(for: request, caller))
    } catch {
      return insteadOfEscape(error) { [request] () throws(ResolutionError) in
        try Resolution(request, of: self, under: nil, from: nil).value()
      }
    }
  }

  /// Resolves the value of a key, or `nil` if nothing answers.
  func injectedIfThere<Value>(_ key: Key<Value>, at callSite: CallSite) -> Injected<Value?> {
    injectedIfThere(Request(key.erased, at: callSite))
  }

  /// Resolves the value of a request, or `nil` if nothing answers.
  func injectedIfThere<Value>(_ request: Request) -> Injected<Value?> {
    var request = request
    request.keepsErrors = true
    do throws(ResolutionError) {
      return .value(try valueIfThere(for: request))
    } catch {
      return insteadOfEscape(error) { [request] () throws(ResolutionError) in
        let resolution = Resolution(request, of: self, under: nil, from: nil)
        do throws(ResolutionError) {
          return try resolution.valueIfAnswered()
        } catch {
          // An object that is held weakly may be gone.
          if resolution.saysNothingAnswers(error) { return nil }
          throw error
        }
      }
    }
  }

  /// The contents of a wrapper for an error. If the request lost its context, which is already
  /// reported, production answers.
  private func insteadOfEscape<Value>(
    _ error: ResolutionError, _ production: () throws(ResolutionError) -> Value
  ) -> Injected<Value> {
    guard error.isEscape, let value = try? ProductionAlone.answering(production) else {
      return .missing(MissingValue(error))
    }
    return .value(value)
  }
}
