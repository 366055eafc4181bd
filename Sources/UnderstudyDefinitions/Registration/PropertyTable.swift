// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The constant properties of a resolver by path, for reads without a lock and without a
/// resolution.
///
/// The first read adds all installed properties, and later reads add their path as it was spelled,
/// so that each path is parsed once. An entry is valid until the resolver's registrations change.
/// So setting, installing and unregistering need not update the table. A table with old entries is
/// replaced once that costs no more than the later reads.
final class PropertyTable: ResolverAttachment {
  private struct Reading {
    /// The generation of the resolver's registrations from which the value is.
    let generation: Int
    let value: PropertyValue

    /// The value, if the registrations have not changed since then.
    func value(in generation: Int) -> PropertyValue? {
      self.generation == generation ? value : nil
    }
  }

  /// The limit for paths, so that a program with generated paths does not fill the memory.
  static let capacity = 10_000

  /// The generation of the resolver's registrations that were installed, and their number.
  private let generation: Int
  private let registrationCount: Int
  private let installed: [String: Reading]
  private let later = Lock<[String: Reading]>([:])

  init(of resolver: Resolver) {
    generation = resolver.store.generation
    var installed: [String: Reading] = [:]
    let registrations = resolver.store.all
    for registration in registrations {
      guard registration.key.type == PropertyValue.self,
        let path = registration.key.name?.base as? String, let value = registration.constant
      else { continue }
      installed[path] = Reading(generation: generation, value: value)
    }
    registrationCount = registrations.count
    self.installed = installed
  }

  /// True if the installed entries are old, and there were as many later paths as registrations.
  func isWorn(in generation: Int) -> Bool {
    self.generation != generation && laterCount >= registrationCount
  }

  /// The value at a path, if it is still valid.
  ///
  /// - Complexity: O(1) expected: one lookup, or two for a path that was added later.
  func value(at path: String, in generation: Int) -> PropertyValue? {
    if let value = installed[path]?.value(in: generation) { return value }
    return later.withLock { $0[path]?.value(in: generation) }
  }

  /// The number of paths that were added after the first read.
  var laterCount: Int { later.withLock { $0.count } }

  /// Stores the value at a path. A full table forgets all other values.
  func keep(_ value: PropertyValue, in generation: Int, at path: String) {
    let reading = Reading(generation: generation, value: value)
    // The forgotten values are released outside the lock.
    let forgotten = later.withLock { later -> ([String: Reading], Reading?) in
      let isFull = later.count >= Self.capacity && later[path] == nil
      let all = isFull ? exchange(&later, with: [:]) : [:]
      return (all, later.updateValue(reading, forKey: path))
    }
    withExtendedLifetime(forgotten) {}
  }
}

extension AnyRegistration {
  /// The value, if the registration is a constant property.
  fileprivate var constant: PropertyValue? {
    guard !traits.isCompletedLater, lifecycle != .once,
      let metadata = metadata as? PropertyMetadata, let value = metadata.constant
    else { return nil }
    return metadata.place.shown(value)
  }
}

extension Resolver {
  /// The value at a path, if only production can answer and the value is known to be constant.
  ///
  /// - Complexity: O(1) expected: one lookup.
  @usableFromInline
  func constantProperty(_ path: String) -> PropertyValue? {
    guard Resolver.isUnwatched, let table = attachment(PropertyTable.self) else { return nil }
    return table.value(at: path, in: store.generation)
  }

  /// The same for the current resolver.
  @usableFromInline
  static func constantProperty(_ path: String) -> PropertyValue? {
    isUnwatched ? current.constantProperty(path) : nil
  }

  /// Stores the value at a path, if its registration is constant.
  ///
  /// - Parameters:
  ///   - path: The path as it was spelled.
  ///   - key: The canonical path of the property that contains the value.
  ///   - rest: The steps inside that property's value.
  func noteProperty(_ path: String, at key: String, _ rest: ArraySlice<PropertyPath.Step>) {
    let generation = store.generation
    guard Resolver.isUnwatched, !isObserved,
      let registration = store.registration(for: .property(key)),
      let value = registration.constant?.value(at: rest)
    else { return }
    var table = attachment(or: PropertyTable(of: self))
    if table.isWorn(in: generation) {
      let fresh = PropertyTable(of: self)
      attach(fresh, insteadOf: table)
      table = fresh
    }
    guard table.value(at: path, in: generation) == nil else { return }
    table.keep(value, in: generation, at: path)
  }
}
