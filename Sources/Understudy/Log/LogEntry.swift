// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An event as a log keeps it: trivial, since every resolution under a layer makes one.
///
/// Safety: what an entry refers to is kept by the log that it is in, by the log's counter of the key or as the entry's
/// `Keeper`, for as long as the entry is there. Whoever takes entries elsewhere takes them with all that
/// they refer to (`LogTail.independent`).
@safe
package struct LogEntry: Sendable {
  private(set) var order: Int
  private(set) var subject: Unmanaged<EventSubject>
  private(set) var outcome: ResolutionEvent.Outcome
  private(set) var asker: Asker
  private(set) var callSite: CallSite

  @inline(__always)
  package init(
    _ subject: Unmanaged<EventSubject>, _ outcome: ResolutionEvent.Outcome, order: Int,
    by asker: Asker, at callSite: CallSite
  ) {
    self.order = order
    unsafe self.subject = subject
    self.outcome = outcome
    self.asker = asker
    self.callSite = callSite
  }

  /// Becomes another, where it lies.
  @inline(__always)
  mutating func become(
    _ subject: Unmanaged<EventSubject>, _ outcome: ResolutionEvent.Outcome, order: Int,
    by asker: Asker, at callSite: CallSite
  ) {
    self.order = order
    unsafe self.subject = subject
    self.outcome = outcome
    self.asker = asker
    self.callSite = callSite
  }

  /// Whose block asked. Safety: as of the entry.
  @safe
  package struct Asker: Sendable {
    /// The order of its resolution; 0 if none did.
    let order: Int
    let requester: AnyKey.Unretained?

    /// Nobody.
    package init() { (order, requester) = (0, nil) }

    @inline(__always)
    package init(order: Int, requester: AnyKey) {
      self.order = order
      self.requester = AnyKey.Unretained(requester)
    }

    /// Keeps what no log does.
    @unsafe @inline(__always)
    var keeper: Keeper? {
      guard let requester, !requester.isPlain else { return nil }
      return unsafe Keeper(of: nil, requester: requester.key)
    }
  }

  /// Keeps what an entry refers to and no counter of its log keeps.
  package struct Keeper: Sendable {
    private let subject: EventSubject?
    private let requester: AnyKey?

    /// `nil` if there is nothing to keep: a counter has the subject, and the requester is a type alone.
    @inline(__always)
    package init?(of subject: EventSubject?, requester: AnyKey?) {
      if subject == nil, requester?.isPlain ?? true { return nil }
      self.subject = subject
      self.requester = requester
    }
  }

  /// Keeps all that the entry refers to, whatever its log. The log that it is in keeps that until then.
  @unsafe
  var keeper: Keeper? {
    unsafe Keeper(of: subject.takeUnretainedValue(), requester: asker.requester?.key)
  }
}
