// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// What is injected into targets of which type, in the order of registering.
final class InjectionStore: ResolverAttachment {
  private struct StoredInjection: Sendable {
    let key: InjectionKey
    let injection: any AnyInjection
  }

  private let entries = Lock<[StoredInjection]>([])

  init() {}

  var keys: [InjectionKey] { entries.withLock { $0.map(\.self) }.map(\.key) }
  var all: [any AnyInjection] { entries.withLock { $0.map(\.self) }.map(\.injection) }

  /// Adds an injection; one with the same key is replaced, and the new one is the last.
  func add(_ injection: any AnyInjection, for key: InjectionKey) {
    let replaced = entries.withLock { entries in
      let replaced = entries.filter { $0.key == key }
      entries.removeAll { $0.key == key }
      entries.append(StoredInjection(key: key, injection: injection))
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }

  /// Removes the injections for some keys, and says how many there were.
  func remove(_ keys: Set<InjectionKey>) -> Int {
    let removed = entries.withLock { entries in
      let removed = entries.filter { keys.contains($0.key) }
      entries.removeAll { keys.contains($0.key) }
      return removed
    }
    return removed.count
  }
}

extension Resolver {
  /// What `resolve(into:)` does for which targets.
  var injections: InjectionStore { attachment(or: InjectionStore()) }
}

/// The key of a chain of injections: the type of the target, or a text of your own.
public struct InjectionKey: Hashable, Sendable, CustomStringConvertible {
  private let type: ObjectIdentifier?
  /// The target's type or the text.
  public let description: String

  /// The key of the injections into a type.
  public init<Target>(_ type: Target.Type) {
    self.type = ObjectIdentifier(type)
    description = TypeDescription.of(type)
  }

  /// A key that is a text.
  public init(_ text: String) {
    type = nil
    description = text
  }
}

/// What is done to a target, whatever its type.
protocol AnyInjection: Sendable {
  /// Injects into a target of the right type; leaves others alone.
  func apply<Target>(to target: inout Target, from resolver: Resolver, at callSite: CallSite) throws
}
