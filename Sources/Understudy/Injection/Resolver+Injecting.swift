// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
        try Resolution(request, of: self, under: nil, from: nil).valueIfThere()
      }
    }
  }

  /// Resolves the values of some keys. A key that nothing answers is left out. If one fails, the
  /// one-time registrations of the others are put back.
  func injected<Value>(_ keys: [Key<Value>], at callSite: CallSite) -> Injected<[Value]> {
    func everyValue(
      _ value: (Request) throws(ResolutionError) -> Value?
    ) throws(ResolutionError) -> [Value] {
      var allValues: [Value] = []
      for key in keys {
        let request = Request(key.erased, at: callSite, keepsErrors: true)
        if let value = try value(request) { allValues.append(value) }
      }
      return allValues
    }
    do throws(ResolutionError) {
      return .value(
        try claiming { (claims) throws(ResolutionError) -> [Value] in
          try everyValue { request throws(ResolutionError) in
            try valueIfThere(for: request, claiming: &claims)
          }
        })
    } catch {
      return insteadOfEscape(error) { () throws(ResolutionError) -> [Value] in
        try everyValue { request throws(ResolutionError) in
          try Resolution(request, of: self, under: nil, from: nil).valueIfThere()
        }
      }
    }
  }

  /// What a wrapper keeps for an error. If the request lost its context, which is reported already,
  /// production answers the forms that cannot throw.
  private func insteadOfEscape<Value>(
    _ error: ResolutionError, _ production: () throws(ResolutionError) -> Value
  ) -> Injected<Value> {
    guard error.isEscape, let value = try? ProductionAlone.answering(production) else {
      return .missing(MissingValue(error))
    }
    return .substitute(value, MissingValue(error))
  }
}
