// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The integers of the process that requests and layers read and change, all 0 at first.
extension AtomicInt {
  // Flags, and counts of what is alive.
  static var aliveLayers: AtomicInt { AtomicInt(number: 0) }
  static var boundResolvers: AtomicInt { AtomicInt(number: 1) }
  static var creations: AtomicInt { AtomicInt(number: 2) }
  static var asynchronousConstructions: AtomicInt { AtomicInt(number: 3) }
  static var testHostIsInstalled: AtomicInt { AtomicInt(number: 4) }
  static var layersWereKept: AtomicInt { AtomicInt(number: 5) }
  static var processHasNoTests: AtomicInt { AtomicInt(number: 6) }

  // The last numbers of series.
  static var lastLayer: AtomicInt { AtomicInt(number: 7) }
  static var lastLevel: AtomicInt { AtomicInt(number: 8) }
  static var lastRegistration: AtomicInt { AtomicInt(number: 9) }
  static var lastInstance: AtomicInt { AtomicInt(number: 10) }
  static var lastIdentity: AtomicInt { AtomicInt(number: 11) }
  package static var lastCall: AtomicInt { AtomicInt(number: 12) }
  static var lastResolution: AtomicInt { AtomicInt(number: 13) }

  /// One of 256 counts: see `OverriddenTypes`.
  static func overrides(_ hash: UInt8) -> AtomicInt { AtomicInt(number: 14 + Int(hash)) }

  /// The next number of a series, which begins with 1.
  package func next() -> Int { add(1).newValue }
}
