// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that needs no registration of its own, because the types that it is made of have them.
///
/// If the value cannot be created, its request puts back the claims for the parts.
protocol ImplicitlyResolvable: AskingForOther {
  static func resolve(_ whole: Resolution) throws(ResolutionError) -> Self
  static func resolveAsync(_ whole: Resolution) async throws(ResolutionError) -> Self
}

/// The value, or `nil` if nothing is registered for it or its weakly held object is gone.
extension Optional: ImplicitlyResolvable {
  static func resolve(_ whole: Resolution) throws(ResolutionError) -> Wrapped? {
    let part = whole.part(askedAs: Wrapped.self)
    let value: Wrapped? = try part.valueIfThere()
    whole.takeClaims(of: part)
    return value
  }

  static func resolveAsync(_ whole: Resolution) async throws(ResolutionError) -> Wrapped? {
    let part = whole.part(askedAs: Wrapped.self)
    if let value: Wrapped = try await whole.asyncValue(of: part) { return value }
    part.noteNothing()
    return nil
  }
}

/// The values of all registrations of the element's type, in the order of registration. If the
/// request has a name, a qualifier or a container, only registrations with the same are included.
/// An override stands in the place of the overridden registration. `[Provider<T>]` has a provider
/// for each registration of `T`, and `[T?]` has `nil` for a weakly held object that is gone.
extension Array: ImplicitlyResolvable {
  static func resolve(_ whole: Resolution) throws(ResolutionError) -> [Element] {
    var elements: [Element] = []
    for part in try whole.elements(askedAs: Element.self) {
      do throws(ResolutionError) {
        if let element: Element = try part.valueIfAnswered() { elements.append(element) }
        whole.takeClaims(of: part)
      } catch {
        guard part.isVacant else { throw error }
      }
    }
    return elements
  }

  static func resolveAsync(_ whole: Resolution) async throws(ResolutionError) -> [Element] {
    var elements: [Element] = []
    for part in try whole.elements(askedAs: Element.self) {
      if let element: Element = try await whole.asyncValue(of: part) { elements.append(element) }
    }
    return elements
  }
}

extension Resolution {
  /// The value of a type that needs no registration, or `nil` for any other type.
  func implicitValue<Value>() throws(ResolutionError) -> Value? {
    guard let type = try implicitType(Value.self) else { return nil }
    return try implicitValue(of: type) as Value
  }

  func asyncImplicitValue<Value>() async throws(ResolutionError) -> Value? {
    guard let type = try implicitType(Value.self) else { return nil }
    return try await asyncImplicitValue(of: type) as Value
  }

  /// The type, if it needs no registration. Notes that nothing is registered for it.
  private func implicitType(
    _ type: any Any.Type
  ) throws(ResolutionError) -> (any ImplicitlyResolvable.Type)? {
    try refuseAfterEnd()
    guard let type = type as? any ImplicitlyResolvable.Type else {
      recordMissed()
      return nil
    }
    noteUnregistered()
    return type
  }

  private func implicitValue<Implicit: ImplicitlyResolvable, Value>(
    of type: Implicit.Type
  ) throws(ResolutionError) -> Value {
    do throws(ResolutionError) {
      let value = try Implicit.resolve(self)
      settleClaims()
      return exactly(value)
    } catch {
      putBackClaims()
      throw asked(error)
    }
  }

  private func asyncImplicitValue<Implicit: ImplicitlyResolvable, Value>(
    of type: Implicit.Type
  ) async throws(ResolutionError) -> Value {
    do throws(ResolutionError) {
      let value = try await Implicit.resolveAsync(self)
      settleClaims()
      return exactly(value)
    } catch {
      putBackClaims()
      throw asked(error)
    }
  }

  /// The error of this request for the error of a part. An error from a request that the part's
  /// block made stays as it is.
  private func asked(_ error: ResolutionError) -> ResolutionError {
    let isOfPart =
      error.outerRequest.map { $0.requester == construction?.registration.key }
      ?? (error.path.dropFirst(path.count).first == error.key)
    return isOfPart ? standing(for: error) : error
  }

  /// The value of a part, or `nil` if nothing answers or its weakly held object is gone.
  fileprivate func asyncValue<Part>(of part: Resolution) async throws(ResolutionError) -> Part? {
    do throws(ResolutionError) {
      let value: Part? = try await part.asyncValueIfAnswered()
      takeClaims(of: part)
      return value
    } catch {
      guard part.isVacant else { throw error }
      return nil
    }
  }

  /// The requests for the elements of an array, in order.
  func elements(askedAs type: any Any.Type) throws(ResolutionError) -> [Resolution] {
    for key in request.key.elements {
      let members = levels.reading {
        isAfterEnd = levels.isAfterEnd
        return levels.registrations(of: key, from: start)
      }
      try refuseAfterEnd()
      addProvenance(.every(members), of: key)
      if members.isEmpty { continue }
      var seen: Set<AnyKey> = []
      return members.filter { seen.insert($0.key).inserted }.map { part($0.key.ofType(type)) }
    }
    return []
  }

  /// Refuses a request whose layer ended after the request began.
  private func refuseAfterEnd() throws(ResolutionError) {
    if isAfterEnd { _ = try resolver.layerOfCaller(request, seeing: top) }
  }

  /// Settles or puts back the claims of a part together with those of the whole.
  fileprivate func takeClaims(of part: Resolution) {
    // A debug build takes long to append nothing.
    if !part.claims.hasNone { claims += part.claims }
  }

  /// The request for the type that an optional wraps.
  func part(askedAs type: any Any.Type) -> Resolution { part(request.key.ofType(type)) }

  private func part(_ key: AnyKey) -> Resolution {
    var request = request
    request.key = key
    request.mayBeMissing = true
    return Resolution(request, of: resolver, for: caller, from: start, isPart: true)
  }

  /// A value as its other static type. A cast of the value itself would flatten optionals.
  private func exactly<Implicit, Value>(_ value: Implicit) -> Value {
    (Exactly(value: value) as AnyObject as! Exactly<Value>).value
  }
}

/// Carries a value to code that knows its other static type.
private final class Exactly<Value> {
  let value: Value

  init(value: Value) { self.value = value }
}
