// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

extension ReferenceModel {
  struct Registration {
    indirect enum Block {
      case making(Recipe)
      case decorating(id: Int)
      case wrapping(Block, id: Int)
    }
    let id: Int
    let key: Int
    let lifecycle: Lifecycle
    let block: Block
  }
  /// Which registration answered, at which level, when only levels below the ceiling were asked.
  final class Dependency {
    let key: Int
    let registration: Int?
    let level: Int
    let ceiling: Int
    let dependencies: [Dependency]
    /// All registrations that there were, if every part was asked for.
    let members: Set<Int>?

    init(
      key: Int, registration: Int?, level: Int, ceiling: Int, dependencies: [Dependency] = [],
      members: Set<Int>? = nil
    ) {
      self.key = key
      self.registration = registration
      self.level = level
      self.ceiling = ceiling
      self.dependencies = dependencies
      self.members = members
    }
  }
  struct Instance {
    let part: Part
    let dependencies: [Dependency]
  }
  struct Level {
    /// Tells the level from others, also from one that is pushed in its place later.
    let id: Int
    var isBoundary = false
    var registrations: [Int: Registration] = [:]
    var instances: [Int: Instance] = [:]
    /// Registrations of lower levels that are gone for those above this boundary.
    var claimed: Set<Int> = []
    var counts: [Int: Counts] = [:]
    var faults: [Int: Fault] = [:]
  }
  struct Question {
    let key: Int
    let lifecycle: Lifecycle
    var ceiling = Int.max
    /// The level of the fault that left the question to what stands behind it there.
    var leftAt: Int?
    /// True if it is counted though it is asked below a level, since a fault left it.
    var isCounted = false
    /// True if it is a part of a question for every part.
    var isElement = false
  }

  /// An instance that is being made to be kept.
  final class Making {
    let registration: Int
    /// The making on whose behalf this one is done.
    let outer: Making?
    var owner: Int
    var dependencies: [Dependency] = []
    /// The instance before it is complete.
    var early: Part?
    /// The makings whose instances became a part of this one before they were complete.
    var earlyParts: [Making] = []
    /// The contexts that were captured meanwhile.
    var contexts: [Int] = []

    init(of registration: Int, for owner: Int, within outer: Making?) {
      self.registration = registration
      self.owner = owner
      self.outer = outer
    }
  }
  /// A block, or a completion, that runs.
  struct Running {
    let registration: Registration
    var isCompletion = false
  }
}
