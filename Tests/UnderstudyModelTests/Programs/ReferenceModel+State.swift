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
  /// The answering registration of a request, and its level. Only levels below the ceiling were
  /// searched.
  final class Dependency {
    let key: Int
    let registration: Int?
    let level: Int
    let ceiling: Int
    let dependencies: [Dependency]
    /// All registrations at the time, if the request was for every part.
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
    /// Distinguishes the level from one that is pushed in its place later.
    let id: Int
    var isBoundary = false
    var registrations: [Int: Registration] = [:]
    var instances: [Int: Instance] = [:]
    /// Registrations of lower levels that this boundary has claimed.
    var claimed: Set<Int> = []
    var counts: [Int: Counts] = [:]
    var faults: [Int: Fault] = [:]
  }
  struct Question {
    let key: Int
    let lifecycle: Lifecycle
    var ceiling = Int.max
    /// The level of the fault that forwarded the request to its own level.
    var leftAt: Int?
    /// True if the request counts although it has a ceiling, since a fault forwarded it.
    var isCounted = false
    /// True if it belongs to a request for every part.
    var isElement = false
  }

  /// An in-flight creation of an instance that will be cached.
  final class Making {
    let registration: Int
    /// The creation that needs this one.
    let outer: Making?
    var owner: Int
    var dependencies: [Dependency] = []
    /// The instance before it is complete.
    var early: Part?
    /// The creations whose instances became a part of this one before they were complete.
    var earlyParts: [Making] = []
    /// The contexts that were captured in the meantime.
    var contexts: [Int] = []

    init(of registration: Int, for owner: Int, within outer: Making?) {
      self.registration = registration
      self.owner = owner
      self.outer = outer
    }
  }
  /// A running block or completion.
  struct Running {
    let registration: Registration
    var isCompletion = false
  }
}
