// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One resolution, as the log keeps it.
public struct ResolutionEvent: Sendable {
  /// How a resolution ended.
  public enum Outcome: Hashable, Sendable {
    /// The block was called.
    case made
    /// The value came from a cache.
    case reused
    /// Nothing answered.
    case missed
    /// The block, or what it needed, failed.
    case failed
  }

  /// The order in which resolutions began, over the whole process.
  public let order: Int
  /// The order of the resolution whose block asked for this one, if one did.
  public var parent: Int? { parentOrder == 0 ? nil : parentOrder }
  /// What was asked for.
  public var key: AnyKey { counter.key }
  /// What was being made when this was asked for.
  public let requester: AnyKey?
  /// The name of the layer that answered; `nil` if production did.
  public let layer: String?
  /// How it ended.
  public let outcome: Outcome
  /// The argument that was passed, as text.
  public var argument: String? { passed?.argument }
  /// True if an argument was passed and the value had been made with another before (L4), or the
  /// registration takes none.
  public var ignoredArgument: Bool { passed?.isIgnored ?? false }
  /// Where it was asked for.
  public let callSite: CallSite

  /// Who knows the key: half of what events are made of are keys, and most of those are the same.
  package let counter: KeyCounter
  private let parentOrder: Int
  private let passed: Passed?

  /// What was passed, which for most is nothing.
  private final class Passed: Sendable {
    let argument: String
    let isIgnored: Bool

    init(_ argument: String, isIgnored: Bool) {
      self.argument = argument
      self.isIgnored = isIgnored
    }
  }

  package init(
    order: Int, parent: Int, of counter: KeyCounter, requester: AnyKey?, layer: String?,
    outcome: Outcome, argument: String? = nil, ignoredArgument: Bool = false, callSite: CallSite
  ) {
    self.order = order
    parentOrder = parent
    self.counter = counter
    self.requester = requester
    self.layer = layer
    self.outcome = outcome
    passed = argument.map { Passed($0, isIgnored: ignoredArgument) }
    self.callSite = callSite
  }
}
