// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy
public import UnderstudyDoubles

/// A type of which a key-value store keeps values: `Bool`, `Int`, `Double`, `String`, `Data` and
/// `Date`. The user's defaults take no others: store what another type is made of.
public protocol KeyValueStorable: Hashable, Sendable {}

extension Bool: KeyValueStorable {}
extension Int: KeyValueStorable {}
extension Double: KeyValueStorable {}
extension String: KeyValueStorable {}
extension Data: KeyValueStorable {}
extension Date: KeyValueStorable {}

extension KeyValueStorable {
  /// The problem of a value whose type is not one of the listed ones, or `nil`.
  fileprivate var problem: String? {
    switch self {
    case is Bool, is Int, is Double, is String, is Data, is Date: nil
    default: "A key-value store cannot keep a value of '\(Self.self)'."
    }
  }
}

/// A store of a few values by name, as `UserDefaults` is.
///
/// Read a value as the type that was stored. A store may convert other types, or not.
///
/// ```swift
/// @Inject(\.keyValueStore) var store
/// store.set(3, for: "volume")
/// let volume = store.value(Int.self, for: "volume") ?? 5
/// ```
public protocol KeyValueStoring: Sendable {
  /// The value for a key, or `nil` if there is none of this type.
  func value<Value: KeyValueStorable>(_ type: Value.Type, for key: String) -> Value?

  /// Stores a value, or removes it with `nil`.
  func set(_ value: (any KeyValueStorable)?, for key: String)
}

/// The user's defaults.
public struct UserDefaultsStore: KeyValueStoring {
  private let suite: String?

  /// Makes a store of the standard defaults, or of those of a suite.
  ///
  /// - Parameter suite: The name of an app group or another domain. The identifier of the app
  ///   stands for the standard defaults. A name that no suite can have, such as the global domain,
  ///   ends the process.
  public init(suite: String? = nil) {
    self.suite = suite == Bundle.main.bundleIdentifier ? nil : suite
    _ = defaults
  }

  private var defaults: UserDefaults {
    guard let suite else { return .standard }
    guard let defaults = UserDefaults(suiteName: suite) else {
      preconditionFailure("'\(suite)' cannot be the name of a suite of user defaults.")
    }
    return defaults
  }

  /// The value for a key, or `nil` if there is none of this type.
  public func value<Value: KeyValueStorable>(_ type: Value.Type, for key: String) -> Value? {
    let object = defaults.object(forKey: key)
    // On Linux, Foundation returns `Int.max` as another type of integer.
    return object as? Value ?? (object as? Int64).flatMap { Int(exactly: $0) as? Value }
  }

  /// Stores a value, or removes it with `nil`. A value of another type than the listed ones ends
  /// the process.
  public func set(_ value: (any KeyValueStorable)?, for key: String) {
    if let problem = value?.problem { preconditionFailure(problem) }
    if let value { defaults.set(value, forKey: key) } else { defaults.removeObject(forKey: key) }
  }
}

extension KeyValueMemory: KeyValueStoring where Key == String, Value == any KeyValueStorable {
  /// The value for a key, or `nil` if there is none of this type.
  public func value<Stored: KeyValueStorable>(_ type: Stored.Type, for key: String) -> Stored? {
    self[key] as? Stored
  }

  /// Stores a value, or removes it with `nil`. A value of another type than the listed ones is an
  /// issue of the test, since the user's defaults would end the process.
  public func set(_ value: (any KeyValueStorable)?, for key: String) {
    self[key] = value
    guard let problem = value?.problem else { return }
    LayerEnd.adopt().report(
      Message(
        problem, facts: [Message.Fact("Key", key)],
        remedies: ["Store what it is made of: numbers, texts or data."]),
      at: OverrideLayer.current?.callSite ?? .unknown)
  }
}

extension KeyValueStoring where Self == KeyValueMemory<String, any KeyValueStorable> {
  /// An empty store in memory. Keys are compared as Swift compares texts: a key with an accent is
  /// one key, composed or not.
  public static var inMemory: Self { Self() }

  /// A store in memory that holds these values.
  public static func inMemory(_ values: [String: any KeyValueStorable]) -> Self {
    let store = Self()
    for (key, value) in values { store.set(value, for: key) }
    return store
  }
}

extension Dependencies {
  /// The store of the user's settings.
  public static var keyValueStore: Dependency<any KeyValueStoring> { declaredKeyValueStore }
}

private let declaredKeyValueStore = Dependency<any KeyValueStoring>(
  inTests: .mustBeOverridden, function: "keyValueStore"
) {
  UserDefaultsStore()
}
