// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Understudy

/// Counts, from any thread.
final class Tally: Sendable {
  private let state = Lock(0)

  var count: Int { state.withLock { $0 } }

  @discardableResult
  func next() -> Int {
    state.withLock { count in
      count += 1
      return count
    }
  }
}

/// True the first time it is asked.
final class FirstTime: Sendable {
  private let state = Lock(true)

  func callAsFunction() -> Bool {
    state.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
  }
}

/// A place that is written and read from any thread.
final class Box<Value: Sendable>: Sendable {
  private let state: Lock<Value>

  init(_ value: Value) { state = Lock(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func update<Result>(_ change: (inout Value) -> Result) -> Result { state.withLock(change) }
}

/// An object with an identity that can be read.
final class Coin: Sendable, CustomStringConvertible {
  let id: Int

  init(_ id: Int) { self.id = id }

  var description: String { "Coin(\(id))" }
}

/// Looks at an object without keeping it.
struct Witness: Sendable {
  private weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) { self.object = object }

  /// True if the object is retained.
  var isThere: Bool { object != nil }

  /// True if the object is gone. Code of another test that lost its context looks at the live
  /// layers and holds them for that moment, so an object that is there is looked at again, a
  /// bounded number of times.
  var isGone: Bool {
    for _ in 0..<100_000 where object != nil { sched_yield() }
    return object == nil
  }
}

/// An object that can tell that it is one, and tells when it goes.
final class Mortal: Sendable {
  private let number: Int
  private let same: Int
  private let gone: Tally

  init(_ number: Int, _ gone: Tally) {
    self.number = number
    same = number
    self.gone = gone
  }

  deinit { _ = gone.next() }

  var isWhole: Bool { number == same && number > 0 }
}

/// An error that blocks throw.
struct Mishap: Error, Hashable, Sendable {}

/// The same random numbers every time.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

extension ResolutionError {
  /// The kind of reason, which can be compared.
  var kind: String { String("\(reason)".prefix { $0 != "(" }) }

  /// The path as text.
  var steps: [String] { path.map(\.step) }
}

/// What a body throws, as the resolver's error.
func resolutionError<Value>(_ body: () throws -> Value) -> ResolutionError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ResolutionError
  }
}

extension ResolutionCounts {
  /// All four as text.
  var text: String { "made \(made), reused \(reused), missed \(missed), failed \(failed)" }
}

extension OverrideLayer {
  /// A boundary that no scope ends.
  static func unscoped(of resolver: Resolver, ofTest test: String? = nil) -> OverrideLayer {
    var traits = LayerTraits(of: resolver, named: "unscoped", on: nil, at: CallSite())
    traits.test = test.map { RunningTest(name: $0, adoptsEscapedWork: false) }
    traits.isBoundary = true
    return OverrideLayer(traits)
  }
}
