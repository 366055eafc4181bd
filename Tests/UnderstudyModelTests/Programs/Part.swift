// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// What programs resolve: an object that knows which it is, and what it was made from.
final class Part: Sendable {
  /// The order of making; no two parts of a program have the same.
  let serial: Int
  /// Which recipe or decorator made it.
  let maker: Int
  /// The serials of what its block got; -1 for nothing.
  let parts: [Int]
  /// The serials of what its completion got, each time it ran.
  var completions: [[Int]] { completed.withLock { $0 } }
  private let completed = Lock<[[Int]]>([])

  init(_ serial: Int, of maker: Int, from parts: [Int] = []) {
    self.serial = serial
    self.maker = maker
    self.parts = parts
  }

  func isSame(as other: Part) -> Bool {
    serial == other.serial && maker == other.maker && parts == other.parts
      && completions == other.completions
  }

  /// What a difference says of it.
  var text: String { "part \(serial) of \(maker) from \(parts), completed \(completions)" }

  func complete(with parts: [Int]) { completed.withLock { $0.append(parts) } }
}

/// The keys of a program: names, and perhaps the type alone.
struct PartKeys: Sendable {
  let all: [Key<Part>]
  let optional: [Key<Part?>]
  private let plain: Int?

  /// Makes the keys of a program, of which one may have no name.
  init(plain: Int? = nil) {
    self.plain = plain
    let names = (0..<[Step].keyCount).map { $0 == plain ? nil : $0 }
    all = names.map { Key(named: $0) }
    optional = names.map { Key(named: $0) }
  }

  func name(of key: Int) -> Int? { key == plain ? nil : key }
}

/// How often a key was resolved, as the model counts it.
struct Counts: Equatable {
  var made = 0
  var reused = 0
  var missed = 0
  var failed = 0

  init() {}

  init(_ counts: ResolutionCounts) {
    made = counts.made
    reused = counts.reused
    missed = counts.missed
    failed = counts.failed
  }
}

/// Why there is no part, and the keys from the outermost question to the failing one.
struct Failure: Error, Equatable {
  enum Reason: Equatable {
    case missing
    case cycle
    case broken
    case nothingToDecorate
    case other(String)
  }

  let reason: Reason
  let path: [Int]
  /// True while it says no more than that nothing answers.
  var isVacant = false

  init(reason: Reason, path: [Int], isVacant: Bool = false) {
    self.reason = reason
    self.path = path
    self.isVacant = isVacant
  }

  static func == (left: Failure, right: Failure) -> Bool {
    left.reason == right.reason && left.path == right.path
  }

  init(_ error: ResolutionError, _ keys: PartKeys) {
    reason =
      switch error.reason {
      case .missing: .missing
      case .cycle: .cycle
      case .nothingToDecorate: .nothingToDecorate
      case .failed(is Broken): .broken
      default: .other("\(error.reason)")
      }
    path = error.path.map { key in keys.all.firstIndex { $0.erased == key } ?? -1 }
  }
}

/// What a block throws that is told to.
struct Broken: Error {}
