// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that can be asked for without being registered, because what it is made of is.
///
/// What is claimed for its parts is put back by whoever asks if the whole cannot be had.
protocol ImplicitlyResolvable: AskingForOther {
  static func resolve(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, claiming claimed: inout [Claimed]
  ) throws(ResolutionError) -> Self

  static func resolveAsync(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, claiming claimed: inout [Claimed]
  ) async throws(ResolutionError) -> Self
}

/// The value, or `nil` if nothing is registered for it or the object it holds weakly is gone.
extension Optional: ImplicitlyResolvable {
  static func resolve(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, claiming claimed: inout [Claimed]
  ) throws(ResolutionError) -> Wrapped? {
    let inner = Inner<Wrapped>(of: request, resolver, top, start)
    do throws(ResolutionError) {
      if let value = try inner.resolution.valueIfAnswered() {
        claimed += inner.resolution.claimed
        return value
      }
    } catch {
      try inner.forgive(error)
    }
    inner.resolution.noteNothing()
    return nil
  }

  static func resolveAsync(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, claiming claimed: inout [Claimed]
  ) async throws(ResolutionError) -> Wrapped? {
    let inner = Inner<Wrapped>(of: request, resolver, top, start, isLasting: true)
    do throws(ResolutionError) {
      if let value = try await inner.resolution.asyncValueIfAnswered() {
        claimed += inner.resolution.claimed
        return value
      }
    } catch {
      try inner.forgive(error)
    }
    inner.resolution.noteNothing()
    return nil
  }
}

/// Every registration of the element's type, whatever its name and container unless the request gives
/// one, in the order of registering. An override stands where what it overrides stood.
extension Array: ImplicitlyResolvable {
  static func resolve(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, claiming claimed: inout [Claimed]
  ) throws(ResolutionError) -> [Element] {
    var elements: [Element] = []
    for member in Inner<Element>.members(of: request, resolver, top, start) {
      do throws(ResolutionError) {
        if let element = try member.resolution.valueIfAnswered() { elements.append(element) }
        claimed += member.resolution.claimed
      } catch {
        try member.forgive(error)
      }
    }
    return elements
  }

  static func resolveAsync(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, claiming claimed: inout [Claimed]
  ) async throws(ResolutionError) -> [Element] {
    var elements: [Element] = []
    for member in Inner<Element>.members(of: request, resolver, top, start, isLasting: true) {
      do throws(ResolutionError) {
        if let element = try await member.resolution.asyncValueIfAnswered() {
          elements.append(element)
        }
        claimed += member.resolution.claimed
      } catch {
        try member.forgive(error)
      }
    }
    return elements
  }
}

/// The question behind an optional, or behind one element of an array.
private struct Inner<Value> {
  let resolution: Resolution<Value>

  private init(_ resolution: Resolution<Value>) {
    self.resolution = resolution
  }

  init(
    of request: Request, _ resolver: Resolver, _ top: OverrideLayer?, _ start: OverrideLayer?,
    isLasting: Bool = false
  ) {
    self.init(
      Resolution(
        request.asking(for: Value.self), of: resolver, under: top, from: start,
        isLasting: isLasting, isPart: true))
  }

  /// The questions behind an array, in order.
  static func members(
    of request: Request, _ resolver: Resolver, _ top: OverrideLayer?, _ start: OverrideLayer?,
    isLasting: Bool = false
  ) -> [Inner] {
    let inner = request.asking(for: Value.self)
    let members = resolver.elements(of: inner.key, from: start)
    Construction.current?.tracker?.add(
      Provenance(
        of: inner.key, answer: .every(members), level: 0, resolver: resolver,
        ceiling: Provenance.ceiling(from: start, under: top)))
    var seen: Set<AnyKey> = []
    return members.filter { seen.insert($0.key).inserted }.map { member in
      var request = inner
      request.key = member.key
      return Inner(
        Resolution(
          request, of: resolver, under: top, from: start, isLasting: isLasting, isPart: true))
    }
  }

  /// An object that is gone is as good as none; every other error stays one.
  func forgive(_ error: ResolutionError) throws(ResolutionError) {
    guard resolution.saysNothingAnswers(error) else { throw error }
  }
}

extension Request {
  fileprivate func asking(for type: any Any.Type) -> Request {
    var request = self
    request.key = AnyKey(type: type, name: key.name, container: key.container)
    request.mayBeMissing = true
    return request
  }
}

extension Resolver {
  /// What an array has as its elements that is asked for under a key of the elements' type, in the order of registering.
  func elements(of key: AnyKey, from start: OverrideLayer?) -> [AnyRegistration] {
    registrations(from: start).filter { $0.key.isElement(of: key) }
  }

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
