// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The object that programs resolve. It knows its origin.
final class Part: Sendable {
  /// The position in the order of creation, unique in a program.
  let serial: Int
  /// The recipe or decorator that created it.
  let maker: Int
  /// The serial numbers of the parts that its block resolved, with -1 for none.
  let parts: [Int]
  /// The serial numbers of the parts that its completion resolved, each time it ran.
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

  /// The description in a difference.
  var text: String { "part \(serial) of \(maker) from \(parts), completed \(completions)" }

  func complete(with parts: [Int]) { completed.withLock { $0.append(parts) } }
}

/// The keys of a program: numbers as names, and perhaps one key without a name.
struct PartKeys: Sendable {
  let all: [Key<Part>]
  let optional: [Key<Part?>]
  private let plain: Int?

  /// Creates the keys of a program. `plain` is the one without a name.
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

/// Why there is no part, and the keys from the outermost request to the failing one.
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
  /// True if the only reason is that there is no registration.
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

/// The error of a block that is told to throw.
struct Broken: Error {}
