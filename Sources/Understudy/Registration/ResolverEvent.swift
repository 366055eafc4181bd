// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An event of a resolver, or of a layer that overrides it.
public struct ResolverEvent: Sendable {
  /// The kinds of events.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A registration was added.
    case registered
    /// A block begins to create a value. One `created` or `failed` of the same `order` follows.
    case creating
    /// A block has created a value. An existing instance that is handed out again is not created.
    case created
    /// A request got its value, new or existing.
    case resolved
    /// Nothing answers a request.
    case missed
    /// A request failed or was refused: its block threw, a dependency of it failed, production must
    /// not answer it, or it lost its context.
    case failed
    /// An instance that a block created is no longer stored: its registration was replaced or
    /// removed, the instances were reset, or its layer ended.
    case disposed
  }

  /// The owner of a value.
  public enum Owner: Hashable, Sendable, CustomStringConvertible {
    /// The value is not stored. It is the caller's alone.
    case caller
    /// The resolver, or a parent of it.
    case production
    /// The layer of this name.
    case layer(String)

    /// `caller`, `production`, or the name of the layer in quotes.
    public var description: String {
      switch self {
      case .caller: "caller"
      case .production: "production"
      case .layer(let name): "layer '\(name)'"
      }
    }
  }

  /// The kind of the event.
  public let kind: Kind
  /// The requested key. For `registered` and `disposed`, the key of the registration.
  public let key: AnyKey
  /// The keys whose blocks led to the request, outermost first. The last one is `key`.
  public let path: [AnyKey]
  /// The number of the request. It is unique in the process. Of one resolver, or of the layers of
  /// one test, later requests have greater numbers. `nil` for `registered` and `disposed`.
  public let order: Int?
  let parentOrder: Int
  /// The name of the layer that has the registration, or `nil` for production.
  public let layer: String?
  /// The owner of the value, for `created`, `resolved` and `disposed`.
  public let owner: Owner?
  /// The place of the request. For `registered` and `disposed`, the place of the registration.
  public let callSite: CallSite
  /// The error of a failed request, a `ResolutionError`.
  public let error: (any Error)?

  /// The number of the request whose block made this one, if that was observed too.
  public var parent: Int? { parentOrder == 0 ? nil : parentOrder }
}

extension ResolverEvent {
  /// Creates an event of a level, without a request.
  init(_ kind: Kind, _ registration: AnyRegistration, in level: LevelStore) {
    self.init(
      kind: kind, key: registration.key, path: [registration.key], order: nil, parentOrder: 0,
      layer: level.label?.name, owner: kind == .disposed ? level.owner : nil,
      callSite: registration.callSite, error: nil)
  }
}

extension LevelStore {
  var owner: ResolverEvent.Owner { label.map { .layer($0.name) } ?? .production }
}
