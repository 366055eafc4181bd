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

/// True at the first call.
final class FirstTime: Sendable {
  private let state = Lock(true)

  func callAsFunction() -> Bool {
    state.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
  }
}

/// A variable that can be read and written on any thread.
final class Box<Value: Sendable>: Sendable {
  private let state: Lock<Value>

  init(_ value: Value) { state = Lock(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func update<Result>(_ change: (inout Value) -> Result) -> Result { state.withLock(change) }
}

/// An object whose identity can be read.
final class Coin: Sendable, CustomStringConvertible {
  let id: Int

  init(_ id: Int) { self.id = id }

  var description: String { "Coin(\(id))" }
}

/// Observes an object without retaining it.
struct Witness: Sendable {
  private weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) { self.object = object }

  /// True if the object is alive.
  var isThere: Bool { object != nil }

  /// True if the object is released. Escaped work of another test holds all live layers while it
  /// searches them, and may lose its core meanwhile, so this asks again for a while.
  var isGone: Bool {
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    while object != nil, start.duration(to: clock.now) < .seconds(120) { sched_yield() }
    return object == nil
  }
}

/// An object that reports its `deinit`.
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

/// An error for blocks to throw.
struct Mishap: Error, Hashable, Sendable {}

/// The same random numbers in each run.
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
  /// The case of the reason, to be compared.
  var kind: String { String("\(reason)".prefix { $0 != "(" }) }

  /// The path as text.
  var steps: [String] { path.map(\.step) }
}

/// The error that a body throws.
func resolutionError<Value>(_ body: () throws -> Value) -> ResolutionError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ResolutionError
  }
}

extension ResolutionCounts {
  /// All four counts as text.
  var text: String { "made \(made), reused \(reused), missed \(missed), failed \(failed)" }
}

extension OverrideLayer {
  /// A boundary layer without a scope to end it.
  static func unscoped(of resolver: Resolver, ofTest test: String? = nil) -> OverrideLayer {
    var traits = LayerTraits(of: resolver, named: "unscoped", on: nil, at: CallSite())
    traits.test = test.map { RunningTest(name: $0, adoptsEscapedWork: false) }
    traits.isBoundary = true
    return OverrideLayer(traits)
  }
}
