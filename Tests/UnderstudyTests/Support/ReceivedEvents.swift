// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@testable import Understudy

/// The events that an observer has received.
final class ReceivedEvents: Sendable {
  private let list = Lock<[ResolverEvent]>([])

  init(of resolver: Resolver) {
    resolver.observe { [list] event in list.withLock { $0.append(event) } }
  }

  var all: [ResolverEvent] { list.withLock { $0 } }

  /// For example `created Engine production`.
  var lines: [String] { all.map(\.line) }

  /// The lines since the last call.
  func next() -> [String] {
    let events = list.withLock { list in
      defer { list = [] }
      return list
    }
    return events.map(\.line)
  }
}

extension ResolverEvent {
  var line: String {
    [
      kind.rawValue, TypeDescription.of(key.type), layer.map { "by \($0)" },
      owner.map { "owned by \($0)" },
    ].compactMap(\.self).joined(separator: " ")
  }
}
