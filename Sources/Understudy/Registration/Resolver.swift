// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations and cached instances of production, below all layers of overrides.
///
/// You can use a resolver from any thread. No block of yours ever runs under a lock.
public final class Resolver: Registering {
  /// The process's default resolver.
  public static let main = Resolver(named: "main")

  /// The resolver that answers the keys for which this one has no registration.
  public let parent: Resolver?
  package let store: LevelStore
  package let name: String?
  /// True if registrations are ignored.
  package let isInert: Bool
  private let attached = Lock<[any ResolverAttachment]>([])

  /// Creates a resolver without registrations.
  ///
  /// A resolver with a parent answers with the parent's registrations where it has none of its own.
  /// An instance that was created from one of its registrations is stored in it and never in the
  /// parent. A layer of the parent overrides both resolvers. A layer of the child overrides only
  /// the child.
  ///
  /// - Parameters:
  ///   - name: The name of the resolver in messages.
  ///   - parent: The resolver that answers the keys that this one does not know. Without a parent,
  ///     the resolver shares nothing with others.
  public convenience init(named name: String? = nil, parent: Resolver? = nil) {
    self.init(named: name, parent: parent, isInert: false)
  }

  package init(named name: String?, parent: Resolver?, isInert: Bool) {
    self.name = name
    self.parent = parent
    self.isInert = isInert
    store = LevelStore(on: parent?.store)
  }

  /// The greatest depth of requests, each made within the block of the one before.
  ///
  /// A cycle is found at once. This bounds recursion with arguments.
  package static let maximumDepth = 256

  /// This resolver and its ancestors, nearest first.
  package var lineage: some Sequence<Resolver> { sequence(first: self) { $0.parent } }

  /// The objects that other modules of this package store for this resolver.
  package var attachments: [any ResolverAttachment] { attached.withLock { $0.map(\.self) } }

  package func attachment<Object: ResolverAttachment>(_ type: Object.Type) -> Object? {
    attached.withLock { $0.firstObject(of: type) }
  }

  /// The attached object of a type. If there is none, `new` is attached, unless another thread has
  /// attached one in the meantime.
  package func attachment<Object: ResolverAttachment>(or new: @autoclosure () -> Object) -> Object {
    if let known = attachment(Object.self) { return known }
    let fresh = new()
    return attached.withLock { objects in
      if let object = objects.firstObject(of: Object.self) { return object }
      objects.append(fresh)
      return fresh
    }
  }

  /// Attaches an object in place of another one, unless another thread has done that already.
  package func attach<Object: ResolverAttachment>(_ new: Object, insteadOf old: Object) {
    attached.withLock { objects in
      if let index = objects.firstIndex(where: { $0 === old }) { objects[index] = new }
    }
  }
}

/// State that another module of this package stores for a resolver.
package protocol ResolverAttachment: AnyObject, Sendable {}

extension [any ResolverAttachment] {
  fileprivate func firstObject<Object>(of type: Object.Type) -> Object? {
    for object in self { if let object = object as? Object { return object } }
    return nil
  }
}
