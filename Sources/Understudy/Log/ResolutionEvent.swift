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

  /// The order in which resolutions began, among those under one stack of layers; no two of the process have the
  /// same.
  public let order: Int
  /// The order of the resolution whose block asked for this one, if one did.
  public var parent: Int? { parentOrder == 0 ? nil : parentOrder }
  /// What was asked for.
  public var key: AnyKey { subject.key }
  /// What was being made when this was asked for.
  public let requester: AnyKey?
  /// The name of the layer that answered; `nil` if production did.
  public var layer: String? { subject.layer }
  /// How it ended.
  public let outcome: Outcome
  /// The argument that was passed, as text.
  public var argument: String? { subject.argument }
  /// True if an argument was passed and the value had been made with another before (L4), or the
  /// registration takes none.
  public var ignoredArgument: Bool { subject.ignoredArgument }
  /// Where it was asked for.
  public let callSite: CallSite

  private let subject: EventSubject
  private let parentOrder: Int

  /// Safety: the log that has the entry keeps what it refers to until this returns.
  init(_ entry: LogEntry) {
    order = entry.order
    parentOrder = entry.asker.order
    outcome = entry.outcome
    subject = unsafe entry.subject.takeUnretainedValue()
    requester = unsafe entry.asker.requester?.key
    callSite = entry.callSite
  }
}

/// What events of one key have in common that one layer answers, or production: each refers to what is kept of it
/// (`KeyCounter.subject`), and logging one makes nothing new; only an argument is an event's own.
package final class EventSubject: Sendable {
  let key: AnyKey
  let layer: String?
  let argument: String?
  let ignoredArgument: Bool
  /// Another one of the key.
  let next: EventSubject?

  package init(
    _ key: AnyKey, answeredBy layer: String?, argument: String? = nil,
    ignoredArgument: Bool = false, next: EventSubject? = nil
  ) {
    self.key = key
    self.layer = layer
    self.argument = argument
    self.ignoredArgument = ignoredArgument
    self.next = next
  }
}
