// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short ways of a resolution under layers: what is remembered of the question, or else what can be learned of it. Each
/// gives up (`nil`) where a `Resolution` would do more.
///
/// Safety: as for `Resolver+Quick`.
extension Resolver {
  /// A look at what answers a type that is asked for without a name.
  @usableFromInline
  func layeredLook(
    at type: any Any.Type, _ lifecycle: Lifecycle, under layer: Unmanaged<OverrideLayer>,
    at callSite: CallSite
  ) -> RememberedLook? {
    if let look = unsafe rememberedLook(
      at: AnyKey.plainSubject(of: type), of: type, nil, lifecycle, under: layer, at: callSite)
    {
      return look
    }
    return learnedLook(at: AnyKey(plain: type), lifecycle, at: callSite)
  }

  /// The same of a type that is asked for under a name that is a text.
  @usableFromInline
  func layeredLook(
    at type: any Any.Type, named text: String, _ lifecycle: Lifecycle,
    under layer: Unmanaged<OverrideLayer>, at callSite: CallSite
  ) -> RememberedLook? {
    if let look = unsafe rememberedLook(
      at: AnyKey.subject(named: TextHash.of(text)), of: type, .text(text), lifecycle, under: layer,
      at: callSite)
    {
      return look
    }
    return learnedLook(at: AnyKey(type: type, named: text), lifecycle, at: callSite)
  }

  /// The same of a type that is asked for under a name.
  @usableFromInline
  func layeredLook<Name: Hashable & Sendable>(
    at type: any Any.Type, named name: Name, _ lifecycle: Lifecycle,
    under layer: Unmanaged<OverrideLayer>, at callSite: CallSite
  ) -> RememberedLook? {
    guard let quick = QuickName(name) else { return nil }
    if let look = unsafe rememberedLook(
      at: AnyKey.subject(named: quick.hash), of: type, quick, lifecycle, under: layer, at: callSite)
    {
      return look
    }
    return learnedLook(at: AnyKey(type: type, named: name), lifecycle, at: callSite)
  }

  /// The same of a declared dependency, whose own key has no name. No reference to it is counted: a weak one is held to
  /// what is declared, which makes that dear.
  @usableFromInline
  func layeredLook(
    at declared: Unmanaged<AnyRegistration>, _ lifecycle: Lifecycle,
    under layer: Unmanaged<OverrideLayer>, at callSite: CallSite
  ) -> RememberedLook? {
    let (subject, type) = unsafe declared._withUnsafeGuaranteedRef { ($0.key.subject, $0.key.type) }
    if let subject,
      let look = unsafe rememberedLook(
        at: subject, of: type, nil, lifecycle, under: layer, at: callSite, declared: declared)
    {
      return look
    }
    let declared = unsafe declared.takeUnretainedValue()
    return learnedLook(at: declared.key, lifecycle, declared: declared, at: callSite)
  }

  /// The same of a request.
  func layeredLook(for request: Request, mayMake: Bool = true) -> RememberedLook? {
    guard request.argument == nil, let layer = unsafe OverrideLayer.unmanagedCurrent else {
      return nil
    }
    if let subject = request.key.subject,
      let look = unsafe rememberedLook(
        at: subject, of: request.key.type, request.key.quickName, request.lifecycle, under: layer,
        at: request.callSite, declared: request.declared.map { unsafe .passUnretained($0) },
        mayMake: mayMake)
    {
      return look
    }
    return learnedLook(for: request, mayMake: mayMake)
  }

  private func learnedLook(
    at key: AnyKey, _ lifecycle: Lifecycle, declared: AnyRegistration? = nil, at callSite: CallSite
  ) -> RememberedLook? {
    learnedLook(for: Request(key, declared: declared, lifecycle: lifecycle, at: callSite))
  }
}
