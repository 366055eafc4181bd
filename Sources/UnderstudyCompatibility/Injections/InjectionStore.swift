// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The injections for each type of target, in the order of registration.
final class InjectionStore: ResolverAttachment {
  private struct StoredInjection: Sendable {
    let key: InjectionKey
    let injection: any AnyInjection
  }

  private let entries = Lock<[StoredInjection]>([])

  init() {}

  var keys: [InjectionKey] { entries.withLock { $0.map(\.self) }.map(\.key) }

  /// The injections whose keys are not known yet. These keys are known then.
  func all(except known: inout Set<InjectionKey>) -> [any AnyInjection] {
    entries.withLock { $0.map(\.self) }.filter { known.insert($0.key).inserted }.map(\.injection)
  }

  /// Adds an injection as the last one. It replaces an injection with the same key.
  func add(_ injection: any AnyInjection, for key: InjectionKey) {
    let replaced = entries.withLock { entries in
      let replaced = entries.filter { $0.key == key }
      entries.removeAll { $0.key == key }
      entries.append(StoredInjection(key: key, injection: injection))
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }

  /// Removes the injections for some keys, and returns their number.
  func remove(_ keys: Set<InjectionKey>) -> Int {
    let removed = entries.withLock { entries in
      let removed = entries.filter { keys.contains($0.key) }
      entries.removeAll { keys.contains($0.key) }
      return removed
    }
    defer { withExtendedLifetime(removed) {} }
    return removed.count
  }
}

extension Resolver {
  /// The registered injections.
  var injections: InjectionStore { attachment(or: InjectionStore()) }

  /// The injections of the parents and of this resolver, the outermost resolver's first.
  var inheritedInjections: [any AnyInjection] {
    var known: Set<InjectionKey> = []
    let all = lineage.map { $0.attachment(InjectionStore.self)?.all(except: &known) ?? [] }
    return Array(all.reversed().joined())
  }
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

/// An injection without the type of its target.
protocol AnyInjection: Sendable {
  /// Injects into a target of the right type, and leaves other targets alone.
  func apply<Target>(to target: inout Target, from resolver: Resolver, at callSite: CallSite) throws
}
