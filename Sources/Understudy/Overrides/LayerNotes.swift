// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer looks at and notes on the short way, each by where it lies: a debug build counts a
/// reference to whatever has it, for each step to it, which takes longer than all that is done there.
///
/// Safety: the layer that has this keeps its log and the recollection of its stack, which have all of it; and so does
/// whoever uses it. One mutex guards all, that of the stack. What is remembered there are answers alone.
@safe
struct LayerNotes: Sendable {
  let isInTest: Bool
  private let serial: Int
  // To be compared.
  private let resolver: UInt
  private let recollected: Guarded<Recollected>
  private let numbers: Guarded<StackLock.Numbers>
  private let events: Guarded<ResolutionLog.LoggedEvents>

  init(of resolver: Resolver, serial: Int, isInTest: Bool, _ stack: StackLock, _ log: ResolutionLog)
  {
    self.resolver = LayerNotes.address(of: resolver)
    self.serial = serial
    self.isInTest = isInTest
    recollected = stack.recollected.guarded
    numbers = stack.numbers
    events = log.guardedEvents
  }

  /// True if they are of a layer of this resolver.
  @inline(__always)
  func isOf(_ resolver: Resolver) -> Bool { LayerNotes.address(of: resolver) == self.resolver }

  private static func address(of resolver: Resolver) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(resolver).toOpaque())
  }

  /// Locks the stack's mutex.
  @unsafe @available(*, noasync) @inline(__always)
  func lock() -> HeldMutex { unsafe recollected.lock() }

  /// True if nothing has changed since something was remembered.
  @inline(__always)
  func isCurrent(_ answer: RememberedAnswer, _ held: borrowing HeldMutex) -> Bool {
    unsafe recollected.place(held).pointee.row.generation == answer.generation
  }

  /// What is remembered of a question.
  @inline(__always)
  func answer(
    to subject: Int, of type: any Any.Type, _ held: borrowing HeldMutex
  ) -> Unmanaged<RememberedAnswer>? {
    let key = RecollectionKey(asker: serial, subject: subject, type: ObjectIdentifier(type))
    guard let answer = unsafe recollected.place(held).pointee.row[key] else { return nil }
    return unsafe .fromOpaque(answer)
  }

  /// The number of a resolution that begins.
  @inline(__always)
  func nextOrder(_ held: borrowing HeldMutex) -> Int { unsafe numbers.place(held).pointee.next() }

  /// Keeps an event; returns what is to be let go of when the mutex is not held.
  @inline(__always)
  func keep(
    _ subject: Unmanaged<EventSubject>, _ outcome: ResolutionEvent.Outcome, order: Int,
    for asker: LogEntry.Asker, at callSite: CallSite, _ held: borrowing HeldMutex
  ) -> LogEntry.Keeper? {
    let tail = unsafe events.place(held)
    return if let keeper = unsafe asker.keeper {
      unsafe tail.pointee.tail.append(
        LogEntry(subject, outcome, order: order, by: asker, at: callSite), keeper)
    } else {
      unsafe tail.pointee.tail.append(subject, outcome, order: order, by: asker, at: callSite)
    }
  }
}
