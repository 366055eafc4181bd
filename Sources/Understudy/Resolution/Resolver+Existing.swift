// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The instance that is kept for a type, or `nil`. Nothing is made (DE-20).
  ///
  /// A fault makes resolutions go wrong, and this is none: what it stands before is looked at, and not counted. What an
  /// alias stands for is kept for that, too.
  ///
  /// Work that lost its context gets what production keeps, and an issue of the run, if a running test overrides what it
  /// asks for (O3).
  ///
  /// - Parameters:
  ///   - type: What is looked for.
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: What is kept and `resolve` would return, as the calling task sees it.
  public func existing<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value? {
    let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
    let request = Request(
      key.erased, declared: key.erased.declaredDefault,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return existing(Value.self, for: request)
  }

  /// The instance that is kept for a key.
  func existing<Value>(_ type: Value.Type, for request: Request) -> Value? {
    let top = layerOrProduction(request)
    guard let answer = answerBehindFaults(to: request, of: Value.self, under: top),
      let registration = answer.registration as? Registration<Value>
    else { return nil }
    if case .relaying(let relay) = registration.block {
      return relay.look(Invocation(resolver: self, request: request))
    }
    guard let sharing = registration.sharing else { return nil }
    let scan = CacheScan(
      for: registration, ownedBy: answer.layer, under: top, resolver: self,
      isAlive: { sharing.value($0) != nil })
    return scan.usable?.instance.flatMap { sharing.value($0) }
  }

  /// Who answers what faults leave, whether or not they would strike now.
  private func answerBehindFaults<Value>(
    to request: Request, of type: Value.Type, under top: OverrideLayer?
  ) -> Answer? {
    guard var answer = answer(to: request, from: top, boundary: top?.boundary) else { return nil }
    guard answer.registration.isFault else { return answer }
    var resolution = Resolution<Value>(request, of: self, under: top, from: top)
    while answer.registration.isFault {
      guard let below = resolution.answerBelow(answer) else { return nil }
      (resolution, answer) = below
    }
    return answer
  }
}
