// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution that nobody watches: no layer sees it, nothing that is to be kept is
/// being made of it, and no value is completed later. It does what `Resolution` would do, and gives up
/// (`nil`) wherever that would do more.
extension Resolver {
  /// True if code that sees this layer sees none, and could not be taken for a test's.
  static func isQuiet(seeing layer: OverrideLayer?) -> Bool {
    layer == nil && (!OverrideLayer.areAnyAlive || !TestHosts.areAny)
      && !Completions.areAnyRegistered && !Construction.isTracked
  }

  /// Where production's instance is, if there is one and the resolution wants it.
  ///
  /// It returns no optional value, here and below: the type of one is looked up in every generic
  /// function that has one.
  func published<Value>(
    by registration: Registration<Value>, _ lifecycle: Lifecycle
  ) -> PublishedOnce<Value>? {
    // Only what is registered as cached is ever published.
    guard lifecycle == .cached, let kept = registration.published, kept.isPublished
    else { return nil }
    return kept
  }

  /// The block of a registration that makes a value for each resolution, where nothing forbids to run it
  /// here and now.
  func plainBlock<Value>(
    of registration: Registration<Value>, _ lifecycle: Lifecycle
  ) -> (@Sendable (Invocation) throws -> Value)? {
    guard registration.lifecycle == .notCached, lifecycle != .once,
      case .sync(let block) = registration.block
    else { return nil }
    guard let construction = Construction.current else { return block }
    guard construction.depth < Resolver.maximumDepth, !construction.isMaking(registration) else {
      return nil
    }
    return block
  }

  func quicklyMade<Value>(
    _ registration: Registration<Value>, _ block: @Sendable (Invocation) throws -> Value,
    _ lifecycle: Lifecycle, at callSite: CallSite, _ isolation: (any Actor)?,
    isDeclared: Bool = false
  ) throws(ResolutionError) -> Value {
    let request = Request(
      registration.key, declared: isDeclared ? registration : nil, lifecycle: lifecycle,
      at: callSite, isOnMainActor: isolation.isMain)
    do {
      return try Construction.run(
        registration, tracker: nil, order: 0,
        isOnMainActor: request.isOnMainActor
      ) {
        try block(Invocation(resolver: self, request: request))
      }
    } catch {
      throw Resolution<Value>(request, of: self, under: nil, from: nil)
        .explained(error, registration)
    }
  }
}

extension Optional where Wrapped == any Actor {
  /// True for the main actor.
  var isMain: Bool {
    guard let self else { return false }
    return self === MainActor.shared
  }
}
