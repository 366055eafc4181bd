// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The constant properties of a resolver, by path: read without a lock and without a resolution.
///
/// It has all that were installed when the first was read, and what was asked for later, by the
/// path as it was spelled: a path is parsed once. A reading is valid until the resolver's
/// registrations change. So nothing is to be told when properties are set, installed or
/// unregistered.
final class PropertyTable: ResolverAttachment {
  private struct Reading {
    /// The generation of the resolver's registrations that gave the value.
    let generation: Int
    let value: PropertyValue

    /// The value, if the registrations have not changed since.
    func value(in generation: Int) -> PropertyValue? {
      self.generation == generation ? value : nil
    }
  }

  /// A program that makes up paths does not fill the memory.
  static let capacity = 10_000

  private let installed: [String: Reading]
  private let later = Lock<[String: Reading]>([:])

  init(of resolver: Resolver) {
    let generation = resolver.generation
    var installed: [String: Reading] = [:]
    for registration in resolver.store.all {
      guard registration.key.type == PropertyValue.self,
        let path = registration.key.name?.base as? String, let value = registration.constant
      else { continue }
      installed[path] = Reading(generation: generation, value: value)
    }
    self.installed = installed
  }

  /// What a path led to, if that still holds.
  ///
  /// - Complexity: O(1) expected: one lookup, or two for what was not there at first.
  func value(at path: String, in generation: Int) -> PropertyValue? {
    if let value = installed[path]?.value(in: generation) { return value }
    return later.withLock { $0[path]?.value(in: generation) }
  }

  /// How many paths were kept after the first was read.
  var laterCount: Int { later.withLock { $0.count } }

  /// Keeps what a path led to; a full table forgets all else.
  func keep(_ value: PropertyValue, in generation: Int, at path: String) {
    let reading = Reading(generation: generation, value: value)
    // What is forgotten is released where no lock is held.
    let forgotten = later.withLock { later -> [String: Reading] in
      let old = later
      if later.count >= Self.capacity, later[path] == nil { later = [:] }
      later[path] = reading
      return old
    }
    withExtendedLifetime(forgotten) {}
  }
}

extension AnyRegistration {
  /// What this always gives, if it is a property that does.
  fileprivate var constant: PropertyValue? {
    guard !isCompletedLater, lifecycle != .once,
      let metadata = metadata as? PropertyMetadata, let value = metadata.constant
    else { return nil }
    return metadata.place.shown(value)
  }
}

extension Resolver {
  /// The value at a path, if production alone answers and it is known to be constant; `nil`
  /// otherwise.
  ///
  /// - Complexity: O(1) expected: one lookup.
  @usableFromInline
  func constantProperty(_ path: String) -> PropertyValue? {
    guard Resolver.isUnwatched, let table = attachment(PropertyTable.self) else { return nil }
    return table.value(at: path, in: generation)
  }

  /// The same of the resolver that the calling task uses.
  @usableFromInline
  static func constantProperty(_ path: String) -> PropertyValue? {
    isUnwatched ? current.constantProperty(path) : nil
  }

  /// Keeps what a path led to, if the registration says that it is constant.
  ///
  /// - Parameters:
  ///   - path: The path as it was spelled.
  ///   - key: The canonical path of the property that it belongs to.
  ///   - rest: The steps within that property's value.
  func noteProperty(_ path: String, at key: String, _ rest: ArraySlice<PropertyPath.Step>) {
    let generation = generation
    guard Resolver.isUnwatched, !isObserved,
      let registration = store.registration(for: AnyKey(type: PropertyValue.self, named: key)),
      let value = registration.constant?.value(at: rest)
    else { return }
    let table = attachment(PropertyTable.self) ?? attachment(or: PropertyTable(of: self))
    guard table.value(at: path, in: generation) == nil else { return }
    table.keep(value, in: generation, at: path)
  }
}
