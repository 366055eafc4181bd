// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The operations of several threads on one key, with the start and the end of each.
struct History {
  enum Action {
    /// A registration. `fails` means that its block throws.
    case register(id: Int, Lifecycle, fails: Bool)
    case unregister
    case resolve(Lifecycle)
  }

  enum Outcome: Equatable {
    case done
    case wasThere(Bool)
    case part(serial: Int, registration: Int)
    case missing
    case threw(registration: Int)
    case other(String)
  }

  struct Event {
    let action: Action
    let outcome: Outcome
    let began: Int
    let ended: Int
  }

  /// The events of each thread, in order.
  var threads: [[Event]]

  var listing: String {
    threads.enumerated().map { thread, events in
      "thread \(thread):\n"
        + events.map { "  \($0.began)…\($0.ended) \($0.action): \($0.outcome)" }
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension History {
  /// True if a single thread could have seen the same outcomes in some order of the events. An
  /// event that ended before another one began stays before it. (Wing and Gong's search, with
  /// memoisation.)
  func isLinearizable() -> Bool {
    var search = Search(threads: threads.map { $0.flatMap(\.moments) })
    return search.succeeds(
      from: Array(repeating: 0, count: threads.count), OneKey())
  }

  private struct Search {
    private struct Place: Hashable {
      let positions: [Int]
      let state: OneKey
    }

    let threads: [[Moment]]
    private var dead: Set<Place> = []

    init(threads: [[Moment]]) { self.threads = threads }

    mutating func succeeds(from positions: [Int], _ state: OneKey) -> Bool {
      let open = positions.indices.filter { positions[$0] < threads[$0].count }
      guard let firstEnd = open.map({ threads[$0][positions[$0]].event.ended }).min() else {
        return true
      }
      let place = Place(positions: positions, state: state)
      guard !dead.contains(place) else { return false }
      for thread in open {
        let moment = threads[thread][positions[thread]]
        guard moment.event.began < firstEnd, let next = state.after(moment) else { continue }
        var positions = positions
        positions[thread] += 1
        if succeeds(from: positions, next) { return true }
      }
      dead.insert(place)
      return false
    }
  }
}

/// An instant at which an event takes effect. A `.once` that throws has two. Between them its key
/// is not registered.
struct Moment {
  enum Part {
    case whole
    case taking
    case puttingBack
  }

  let event: History.Event
  var part = Part.whole
}

extension History.Event {
  fileprivate var moments: [Moment] {
    guard case .threw = outcome else { return [Moment(event: self)] }
    return [Moment(event: self, part: .taking), Moment(event: self, part: .puttingBack)]
  }
}

/// One thread's view of one key: the sequential model that histories are checked against.
struct OneKey: Hashable {
  private struct Registered: Hashable {
    let id: Int
    let lifecycle: Lifecycle
    var instance: Int?
  }

  private var registered: Registered?
  /// A `.once` whose block is running and will throw, until its key is registered anew.
  private var away: Registered?
  /// The serial numbers of returned parts, as a bit set.
  private var seen: UInt64 = 0

  /// The state after a moment, or `nil` if its outcome is impossible.
  func after(_ moment: Moment) -> OneKey? {
    var next = self
    switch (moment.event.action, moment.event.outcome) {
    case (.register(let id, let lifecycle, _), .done):
      next.registered = Registered(id: id, lifecycle: lifecycle)
      next.away = nil
    case (.unregister, .wasThere(let wasThere)):
      guard wasThere == (registered != nil) else { return nil }
      next.registered = nil
    case (.resolve, .missing): return registered == nil ? self : nil
    case (.resolve(let lifecycle), .threw(let id)):
      return after(throwing: id, lifecycle, moment.part)
    case (.resolve(let lifecycle), .part(let serial, let id)):
      guard let found = registered, found.id == id else { return nil }
      let policy = LifecyclePolicy(registered: found.lifecycle, resolvedAs: lifecycle)
      let isNew = seen & 1 << UInt64(serial) == 0
      switch policy.source {
      case .block: guard isNew else { return nil }
      case .cache:
        guard found.instance.map({ $0 == serial }) ?? isNew else { return nil }
        next.registered?.instance = serial
      }
      if policy.removesRegistration { next.registered = nil }
      next.seen |= 1 << UInt64(serial)
    default: return nil
    }
    return next
  }

  private func after(throwing id: Int, _ lifecycle: Lifecycle, _ part: Moment.Part) -> OneKey? {
    var next = self
    if part == .puttingBack {
      if let away, away.id == id { (next.registered, next.away) = (away, nil) }
      return next
    }
    guard let found = registered, found.id == id else { return nil }
    let policy = LifecyclePolicy(registered: found.lifecycle, resolvedAs: lifecycle)
    if policy.source == .block, policy.removesRegistration {
      (next.registered, next.away) = (nil, found)
    }
    return next
  }
}
