// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The error of a resolution: the facts, and `description` with the whole explanation.
public struct ResolutionError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Reason: Sendable {
    /// Nothing is registered for the key.
    case missing
    /// A strict layer does not let production answer.
    case fellThrough(layer: String)
    /// Production must not answer in tests. `by` is the registration, layer, resolver or setting
    /// that says so. For work that lost its context, it is the running tests.
    case mustBeOverridden(by: String)
    /// The object behind a weak registration is gone.
    case released
    /// A value type was registered `weak:` or `scopedTo:`. It cannot be held weakly.
    case notAnObject
    /// `@WeakInject` or `@WeakLazyInject` was given a value type.
    case cannotBeHeldWeakly
    /// The block takes an argument, and got none or one of another type.
    case argument(expected: any Any.Type, given: (any Any.Type)?)
    /// The creation of the value needs the value itself. `path` goes around the cycle once.
    case cycle
    /// Requests within requests went deeper than 256.
    case tooDeep
    /// The block is asynchronous, and the request was synchronous.
    case asynchronous
    /// The block runs on the main actor, and the request was synchronous and came from elsewhere.
    case mainActorOnly
    /// The value cannot be cached: its type was not known to be `Sendable` at the registration.
    case notShareable
    /// The test overrides the key as `unimplemented`.
    case unimplemented
    /// There is no value below a decorator.
    case nothingToDecorate
    /// The resolver of a lazy wrapper or of a provider is gone.
    case resolverGone
    /// The request came through a context whose layer has ended.
    case layerEnded(layer: String, test: String?)
    /// Work that belongs to no test requested a key that running tests override.
    case unattributed(tests: [String])
    /// The block threw.
    case failed(any Error)
  }

  /// The kind of failure.
  public var reason: Reason { facts.reason }

  // These two are stored separately from the other facts. An error of at most five words is
  // returned in registers, and then the optimiser of Swift 6.3.1 crashes when it splits some
  // asynchronous functions that call each other with typed throws. It also crashes for six words.

  /// The requested key.
  public let key: AnyKey
  /// The place of the request.
  public let callSite: CallSite

  /// The requested keys, outermost first. The last one is `key`.
  public var path: [AnyKey] { facts.path }
  /// The place of the registration, if one answered.
  public var registeredAt: CallSite? { facts.registeredAt }
  /// The place of the request that got the `.once` registration, if that is the cause.
  public var handedOutAt: CallSite? { facts.handedOutAt }
  /// The injected fault, if one was the cause.
  public var note: String? { facts.note }
  /// The levels that were consulted: each layer, innermost first, then production.
  package var consulted: [Consulted] { facts.consulted }
  /// Registered keys that are similar to the requested one. They are looked for at each read, among
  /// up to 1,000 registrations.
  public var nearMisses: [AnyKey] { key.nearMisses(among: facts.known) }

  /// A description of the asked resolver, if it has a name and is not `Resolver.main`.
  var resolver: String? { facts.resolver }
  var place: MessagePlace { facts.place }
  /// True for a cycle of completions that would never end, since each value creates another one.
  var isEndless: Bool { facts.isEndless }
  /// The registration that took what was passed, until the answering one replaced it.
  var replaced: ReplacedRegistration? { facts.replaced }
  /// True if the block of the registration is asynchronous, or runs on the main actor.
  var isAwaited: Bool { facts.isAwaited }
  /// The type of the passed argument, if there was one.
  var argument: (any Any.Type)? { key.whole == nil ? facts.argument : nil }

  /// The key to resolve otherwise, and its requester, if that is not the key that failed: an alias
  /// of it, an array with it, or an optional.
  var outerRequest: (key: AnyKey, requester: AnyKey?)? { facts.outerRequest }

  /// The other facts of the error, behind one reference. Every function that can throw the error
  /// reserves stack space for it, once for each place that can throw.
  private final class Box: Sendable {
    let facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  private struct Facts: Sendable {
    let reason: Reason
    let path: [AnyKey]
    let registeredAt: CallSite?
    let handedOutAt: CallSite?
    let note: String?
    let consulted: [Consulted]
    /// The keys that were registered where the request looked.
    let known: [(key: AnyKey, serial: Int)]
    let resolver: String?
    let place: MessagePlace
    let isEndless: Bool
    let isAwaited: Bool
    let replaced: ReplacedRegistration?
    let argument: (any Any.Type)?
    var outerRequest: (key: AnyKey, requester: AnyKey?)?
  }

  private let box: Box
  private var facts: Facts { box.facts }

  /// A layer or production, and the number of its registrations.
  package struct Consulted: Hashable, Sendable {
    /// The layer's name, or `nil` for production.
    let layer: String?
    let registrationCount: Int
    /// The keys of a layer, if there are few.
    var keys: [AnyKey] = []
    /// A description of production's resolver. `nil` for a layer, and for `Resolver.main`.
    var resolver: String?
  }

  /// True if the request lost its context, rather than having no answer.
  package var isEscape: Bool {
    switch reason {
    case .layerEnded, .unattributed: true
    default: false
    }
  }

  /// True if the test forbids the value. Using it is a violation, even if the error is caught.
  package var isForbidden: Bool {
    switch reason {
    case .unimplemented, .fellThrough, .mustBeOverridden: true
    default: false
    }
  }

  package init(
    _ reason: Reason, key: AnyKey, path: [AnyKey], callSite: CallSite,
    registeredAt: CallSite? = nil, handedOutAt: CallSite? = nil, note: String? = nil,
    consulted: [Consulted] = [], known: [(key: AnyKey, serial: Int)] = [], resolver: String? = nil,
    place: MessagePlace = .swiftTesting, isEndless: Bool = false, isAwaited: Bool = false,
    replaced: ReplacedRegistration? = nil, argument: PassedArgument? = nil
  ) {
    self.key = key
    self.callSite = callSite
    box = Box(
      Facts(
        reason: reason, path: path, registeredAt: registeredAt, handedOutAt: handedOutAt,
        note: note, consulted: consulted, known: known, resolver: resolver, place: place,
        isEndless: isEndless, isAwaited: isAwaited, replaced: replaced,
        argument: argument.map { Swift.type(of: $0.value) }))
  }

  private init(_ error: ResolutionError, _ facts: Facts) {
    (key, callSite, box) = (error.key, error.callSite, Box(facts))
  }

  /// The same error for a request that stands for the failed one: of an alias, an array or an
  /// optional. If the failed request has to be awaited, or takes an argument, the remedy names this
  /// one.
  func standing(for key: AnyKey, by requester: AnyKey?) -> ResolutionError {
    switch reason {
    case .asynchronous, .mainActorOnly, .argument:
      var facts = facts
      facts.outerRequest = (key, requester)
      return ResolutionError(self, facts)
    default: return self
    }
  }

  /// The requested key, its requester, the path, the consulted layers, and ways to correct the
  /// mistake.
  public var description: String { message.description }
}

extension ResolutionError.Reason {
  /// What forbids production to answer, for a live guard.
  var guardian: String? {
    if case .mustBeOverridden(let guardian) = self { guardian } else { nil }
  }
}

extension Resolver {
  func error(
    _ reason: ResolutionError.Reason, _ request: Request, path: [AnyKey],
    registration: AnyRegistration?, _ levels: LevelStack, from start: LevelStore?,
    note: String? = nil, isEndless: Bool = false, place: MessagePlace? = nil
  ) -> ResolutionError {
    switch reason {
    case .missing, .nothingToDecorate: break
    case .fellThrough, .mustBeOverridden:
      return ResolutionError(
        reason, key: path.last ?? request.key, path: path, callSite: request.callSite,
        registeredAt: reason.guardian == nil ? nil : registration?.callSite,
        consulted: consulted(levels, from: start), place: place ?? .current,
        argument: request.argument)
    default:
      return ResolutionError(
        reason, key: request.key, path: path, callSite: request.callSite,
        registeredAt: registration?.callSite, note: note,
        resolver: name == nil ? nil : descriptionUnlessMain, place: place ?? .current,
        isEndless: isEndless, isAwaited: registration.map { $0.place != .caller } ?? false,
        replaced: registration.flatMap { replaced(by: $0, reason, levels, from: start) },
        argument: request.argument)
    }
    let usedUp = levels.reading { () -> (registered: CallSite, handedOut: CallSite)? in
      var level = start ?? levels.production
      while true {
        if let found = level.state.value.usedUp.last(where: { $0.key == request.key }) {
          return (found.registered, found.handedOut)
        }
        guard let outer = levels.nextLevel(below: level) else { return nil }
        level = outer
      }
    }
    // Unordered, since few errors are read. Other threads wait meanwhile, so not all of very many
    // keys are taken: of those, the message names similar ones that it happens to find.
    let known = levels.reading {
      levels.unorderedRegistrations(from: start, atMost: 1_000)
        .map { (key: $0.key, serial: $0.serial) }
    }
    return ResolutionError(
      reason, key: request.key, path: path, callSite: request.callSite,
      registeredAt: usedUp?.registered ?? registration?.callSite, handedOutAt: usedUp?.handedOut,
      consulted: consulted(levels, from: start), known: known, place: .current,
      argument: request.argument)
  }

  /// The registration that the answering one replaced, if it took what was passed, unlike the
  /// answering one.
  private func replaced(
    by registration: AnyRegistration, _ reason: ResolutionError.Reason, _ levels: LevelStack,
    from start: LevelStore?
  ) -> ReplacedRegistration? {
    guard case .argument(_, let given?) = reason else { return nil }
    return levels.reading {
      var next: LevelStore? = start ?? levels.production
      while let level = next {
        next = levels.nextLevel(below: level)
        guard let replaced = level.state.value.replaced(by: registration) else { continue }
        return replaced.argumentType == given ? replaced : nil
      }
      return nil
    }
  }

  /// A description of the resolver, if it is not `Resolver.main`: `'shop'`.
  var descriptionUnlessMain: String? {
    self === Resolver.main ? nil : name.map { "'\($0)'" } ?? "an unnamed resolver"
  }

  /// The searched levels: each layer, innermost first, then production, then the parents of the
  /// resolver.
  func consulted(_ levels: LevelStack, from start: LevelStore?) -> [ResolutionError.Consulted] {
    levels.reading {
      var consulted: [ResolutionError.Consulted] = []
      var layer = start
      while let next = layer {
        if levels.isOverridden(by: next) {
          let count = next.state.value.visibleCount
          consulted.append(
            .init(
              layer: next.label?.name ?? "", registrationCount: count,
              keys: count > 5 ? [] : next.state.value.all.map(\.key)))
        }
        layer = next.outer
      }
      for resolver in lineage {
        consulted.append(
          .init(
            layer: nil, registrationCount: resolver.store.state.value.visibleCount,
            resolver: resolver.descriptionUnlessMain))
      }
      return consulted
    }
  }
}
