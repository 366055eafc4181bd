// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution under layers: what the same question came to before, if nothing of the
/// stack has changed since. Its cost does not grow with the depth of the stack.
///
/// Safety: the calling task sees `top`, which is kept while it does, and keeps its log and what was found out. That
/// keeps what is found there for as long as the mutex is held, under which nothing is taken out; an instance that is
/// used for longer is retained.
extension Resolver {
  /// A look at what the last resolution of a declared dependency under the same layer came to.
  @usableFromInline
  func rememberedLook(
    at declared: AnyRegistration, _ lifecycle: Lifecycle, under layer: Unmanaged<OverrideLayer>,
    at callSite: CallSite
  ) -> RememberedLook? {
    unsafe rememberedLook(
      at: declared.key, lifecycle, under: layer, at: callSite, declared: declared)
  }

  /// The same of a request.
  func rememberedLook(for request: Request, mayBeOfBlock: Bool = true) -> RememberedLook? {
    guard request.argument == nil, let layer = unsafe OverrideLayer.unmanagedCurrent else {
      return nil
    }
    return unsafe rememberedLook(
      at: request.key, request.lifecycle, under: layer, at: request.callSite,
      declared: request.declared, mayBeOfBlock: mayBeOfBlock)
  }

  /// A look at the instance that the last resolution of a key under the same layer reused, counted and logged like
  /// any other, or at the block that it called, which is begun; `nil` if it is not known, or not known to hold still.
  func rememberedLook(
    at key: AnyKey, _ lifecycle: Lifecycle, under top: Unmanaged<OverrideLayer>,
    at callSite: CallSite, declared: AnyRegistration? = nil, mayBeOfBlock: Bool = true
  ) -> RememberedLook? {
    guard let subject = key.subject else { return nil }
    return unsafe rememberedLook(
      at: subject, of: key.type, key.quickName, lifecycle, under: top, at: callSite,
      declared: declared, mayBeOfBlock: mayBeOfBlock)
  }

  /// The same of what a key is told from others of its type by, of its name, if it has one, and of the default, if it is
  /// declared.
  func rememberedLook(
    at subject: Int, of type: any Any.Type, _ name: QuickName?, _ lifecycle: Lifecycle,
    under top: Unmanaged<OverrideLayer>, at callSite: CallSite, declared: AnyRegistration? = nil,
    mayBeOfBlock: Bool = true
  ) -> RememberedLook? {
    let notes = unsafe top._withUnsafeGuaranteedRef { $0.notes }
    guard case .cached = lifecycle, notes.isOf(self), notes.isInTest || !TestHosts.areAny,
      !Completions.areAnyRegistered, let asker = Construction.untrackedAsker
    else { return nil }
    let held = unsafe notes.lock()
    guard let remembered = unsafe notes.answer(to: subject, of: type, held) else { return nil }
    let reuse = unsafe remembered._withUnsafeGuaranteedRef { $0.reuse }
    if let name, !reuse.isNamed(name) { return nil }
    guard let instance = unsafe reuse.instance else {
      return unsafe mayBeOfBlock ? beginning(remembered, declared, notes, held) : nil
    }
    let isWatched = unsafe reuse.count(instance, isInTest: notes.isInTest, held)
    let displaced = unsafe notes.keep(
      reuse.subject, .reused, order: notes.nextOrder(held), for: asker, at: callSite, held)
    guard isWatched || displaced != nil else {
      return unsafe RememberedLook(instance, under: held)
    }
    // What is remembered may go once the mutex is not held.
    let watched = unsafe isWatched ? remembered._withUnsafeGuaranteedRef { $0.key } : nil
    let look = unsafe RememberedLook(retained: instance)
    held.unlock()
    // It may hold the last reference to a name, a user's object.
    withExtendedLifetime(displaced) {}
    if let watched {
      unsafe top._withUnsafeGuaranteedRef {
        unsafe $0.watchReused(instance.takeUnretainedValue(), for: watched, at: callSite)
      }
    }
    return look
  }

  /// A look at the block of an answer, which begins; `nil` if the one that was declared is another.
  private func beginning(
    _ answer: Unmanaged<RememberedAnswer>, _ declared: AnyRegistration?, _ notes: LayerNotes,
    _ held: borrowing HeldMutex
  ) -> RememberedLook? {
    let isAsked = unsafe answer._withUnsafeGuaranteedRef { $0.begin(declared) }
    guard isAsked else { return nil }
    return unsafe RememberedLook(blockOf: answer, order: notes.nextOrder(held))
  }
}

extension Resolution {
  /// Remembers what was reused, or made to be, if nothing that the next one would not see had a part in it.
  func remember(_ instance: AnyInstance, keptBy owner: OverrideLayer?, _ answer: Answer) {
    guard answer.registration.retention == .strong, answer.layer == nil || owner != nil else {
      return
    }
    remember(answer, instance, isElsewhere: owner == nil)
  }

  /// The same of a block that was called for this resolution alone, and not for the first time: most are called once,
  /// and a dependency that is declared by a function has another each time.
  @inline(__always)
  func rememberBlock(of registration: Registration<Value>, _ answer: Answer) {
    guard registration.isDirect, let top, registration.wasCalledBefore(), !top.hasDisposers
    else { return }
    remember(answer, nil, isElsewhere: answer.layer == nil)
  }

  private func remember(_ answer: Answer, _ instance: AnyInstance?, isElsewhere: Bool) {
    let registration = answer.registration
    guard let outset, let top, let layer, layer === top, start === top, first == nil,
      request.lifecycle == .cached, request.argument == nil, !registration.isDecoration,
      !Completions.areAnyRegistered, let subject = request.key.subject, let counter,
      answer.layer == nil
        ? top.options.weight(of: .fallThrough) == .off : answer.boundary == nil
    else { return }
    top.recollection.keep(
      RememberedAnswer(
        instance, of: answer, isDefault: registration === request.declared, askedBy: top,
        counter: counter,
        otherCounter: registration.key == request.key
          ? nil : top.log.counter(for: registration.key),
        since: outset),
      for: RecollectionKey(
        asker: top.serial, subject: subject, type: ObjectIdentifier(request.key.type)),
      isElsewhere: isElsewhere, since: outset)
  }
}

extension OverrideLayer {
  /// The generation that what a resolution finds belongs to, in the stack and in production; taken before it looks at
  /// anything. `nil` while something changes, and for another resolver, of which nothing is remembered.
  func outset(of resolver: Resolver) -> Int? {
    guard resolver === self.resolver else { return nil }
    observeProduction()
    return recollection.generation
  }
}
