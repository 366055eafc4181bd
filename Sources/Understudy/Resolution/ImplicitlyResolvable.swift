// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that can be asked for without being registered, because what it is made of is.
protocol ImplicitlyResolvable {
  static func resolve(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?
  ) throws(ResolutionError) -> Self
}

extension Optional: ImplicitlyResolvable {
  /// The value, or `nil` if nothing is registered for it or the object it holds weakly is gone.
  static func resolve(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?
  ) throws(ResolutionError) -> Wrapped? {
    let inner = request.asking(for: Wrapped.self)
    let resolution = Resolution<Wrapped>(inner, of: resolver, under: top, from: start)
    do throws(ResolutionError) {
      if let value = try resolution.valueIfAnswered() { return value }
    } catch {
      guard case .released = error.reason, error.key == inner.key else { throw error }
    }
    resolution.construction?.tracker?.add(
      Provenance(of: inner.key, answer: .nothing, level: 0, resolver: resolver))
    return nil
  }
}

extension Array: ImplicitlyResolvable {
  /// Every registration of the element's type, whatever its name and container unless the request
  /// gives one, in the order of registering. An override stands where what it overrides stood.
  static func resolve(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?
  ) throws(ResolutionError) -> [Element] {
    let inner = request.asking(for: Element.self)
    let members = resolver.registrations(from: start).filter { $0.answersElement(of: inner.key) }
    Construction.current?.tracker?.add(
      Provenance(of: inner.key, answer: .every(members), level: 0, resolver: resolver))
    var elements: [Element] = []
    var seen: Set<AnyKey> = []
    for member in members where seen.insert(member.key).inserted {
      var request = inner
      request.key = member.key
      let resolution = Resolution<Element>(request, of: resolver, under: top, from: start)
      do throws(ResolutionError) {
        if let element = try resolution.valueIfAnswered() { elements.append(element) }
      } catch {
        guard case .released = error.reason, error.key == member.key else { throw error }
      }
    }
    return elements
  }
}

extension Request {
  fileprivate func asking(for type: any Any.Type) -> Request {
    var request = self
    request.key = AnyKey(type: type, name: key.name, container: key.container)
    return request
  }
}

extension AnyRegistration {
  fileprivate func answersElement(of key: AnyKey) -> Bool {
    self.key.type == key.type && self.key.declaration == nil
      && (key.name == nil || self.key.name == key.name)
      && (key.container == nil || self.key.container == key.container)
  }
}

extension Resolver {
  /// All registrations that a stack of layers has or lies upon, in the order of registering.
  func registrations(from start: OverrideLayer?) -> [AnyRegistration] {
    var all = store.all
    var layer = start?.nearest(of: self)
    while let next = layer {
      all += next.store.all
      layer = next.next(of: self)
    }
    return all.sorted { $0.serial < $1.serial }
  }
}
