// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

@Suite struct `Locks that share a mutex` {
  private let first: Lock<Int>
  private let second: Lock<Int>

  init() {
    first = Lock(0)
    second = Lock(0, sharing: first.mutex)
  }

  /// What one changes in two steps, whoever looks through the other sees as one.
  @Test(arguments: [2, 4, 8])
  func `keep out whoever has the other one`(threads: Int) throws {
    let outcomes = try Threads.run(threads) { [first, second] number in
      for _ in 0..<2_000 {
        let held = number.isMultiple(of: 2) ? first.lock() : second.lock()
        first.guarded.place(held).pointee += 1
        second.guarded.place(held).pointee += 1
        let (ones, others) = (
          first.guarded.place(held).pointee, second.guarded.place(held).pointee
        )
        held.unlock()
        guard ones == others else { throw Mishap() }
      }
    }
    #expect(outcomes.allSatisfy { $0.success != nil })
    #expect(first.withLock { $0 } == 2_000 * threads)
    #expect(second.withLock { $0 } == 2_000 * threads)
  }

  @Test func `have it when the one is gone that made it`() {
    func lone() -> Lock<[Int]> { Lock([], sharing: Lock(Bystander()).mutex) }
    let lock = lone()
    let third = Lock("", sharing: lock.mutex)
    for number in 0..<3 {
      let held = third.lock()
      lock.guarded.place(held).pointee.append(number)
      third.guarded.place(held).pointee += "\(number)"
      held.unlock()
    }
    #expect(lock.withLock { $0 } == [0, 1, 2])
    #expect(third.withLock { $0 } == "012")
  }

  @Test func `let go of what they guard`() {
    let owner = Lock(())
    var witness: Witness?
    do {
      let value = Bystander()
      witness = Witness(value)
      let lock = Lock(value, sharing: owner.mutex)
      #expect(lock.withLock { $0 } === value)
    }
    #expect(witness?.isGone == true)
  }

  @Test func `do not take a mutex for theirs that is another's`() async {
    await #expect(processExitsWith: .failure) { Self.mistakeOneForAnother() }
  }

  // No asynchronous code holds a mutex: it may go on on another thread.
  private static func mistakeOneForAnother() {
    let (one, other) = (Lock(1), Lock(2))
    let held = one.lock()
    other.guarded.place(held).pointee = 3
  }
}

@Suite struct `The order of a stack's resolutions` {
  @Test func `grows, and is nobody else's`() throws {
    let stacks = (0..<3).map { _ in StackLock() }
    let outcomes = try Threads.run(6) { number in
      // More than a stack takes at a time.
      (0..<1_500).map { _ in stacks[number % 3].nextOrder() }
    }
    let numbers = outcomes.compactMap { $0.success }
    #expect(numbers.count == 6)
    for own in numbers { #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 }) }
    let all = numbers.flatMap(\.self)
    #expect(Set(all).count == all.count)
    #expect(!all.contains(0), "which stands for no resolution")
  }

  @Test func `goes on while its mutex is held`() {
    let order = StackLock()
    let before = order.nextOrder()
    let other = Lock((), sharing: order.mutex)
    let held = other.lock()
    let within = order.numbers.place(held).pointee.next()
    held.unlock()
    #expect([before, within, order.nextOrder()] == [before, before + 1, before + 2])
  }
}

@Suite struct `The tail of a log` {
  /// A name that only the log may still know.
  private final class Nametag: Hashable, Sendable {
    static func == (left: Nametag, right: Nametag) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private let subject = EventSubject(AnyKey(plain: Int.self), answeredBy: nil)

  /// Appends events of one requester each, and returns what was displaced.
  private func fill(
    _ tail: inout LogTail, _ orders: Range<Int>, requester: (Int) -> AnyKey?
  ) -> [LogEntry.Keeper] {
    orders.compactMap { order in
      let key = requester(order)
      return tail.append(
        LogEntry(
          .passUnretained(subject), .made, order: order,
          by: key.map { LogEntry.Asker(order: 0, requester: $0) } ?? LogEntry.Asker(),
          at: CallSite()),
        LogEntry.Keeper(of: nil, requester: key))
    }
  }

  /// The last reference to a name is a user's object, which goes where the caller says, not under the log's mutex.
  @Test func `returns what made room for others`() {
    var tail = LogTail()
    var witnesses: [Witness] = []
    let capacity = ResolutionLog.tailCapacity
    _ = fill(&tail, 1..<capacity + 1) { _ in
      let name = Nametag()
      witnesses.append(Witness(name))
      return AnyKey(type: Int.self, named: name)
    }
    #expect(tail.events.allSatisfy { $0.requester?.name?.base is Nametag })
    var displaced = fill(&tail, capacity + 1..<capacity + 4) { _ in AnyKey(plain: Int.self) }
    #expect(displaced.count == 3 && tail.dropped == 3)
    #expect(witnesses[0].isThere)
    displaced = []
    #expect(witnesses.prefix(3).allSatisfy { $0.isGone })
    #expect(witnesses[3].isThere)
    #expect(tail.events.map(\.order) == Array(4..<capacity + 4))
    #expect(tail.events.suffix(3).allSatisfy { $0.requester?.name == nil })
  }

  /// A resolution that is made and then fails is two events of one order, and each has an argument of its own.
  @Test func `keeps two events of one order apart`() {
    var tail = LogTail()
    var subjects: [Witness] = []
    func append(_ orders: [Int], _ argument: String?) -> [LogEntry.Keeper] {
      orders.compactMap { order in
        let own = argument.map {
          EventSubject(AnyKey(plain: Int.self), answeredBy: nil, argument: $0)
        }
        if let own { subjects.append(Witness(own)) }
        return tail.append(
          LogEntry(
            .passUnretained(own ?? subject), .made, order: order, by: LogEntry.Asker(),
            at: CallSite()),
          LogEntry.Keeper(of: own, requester: nil))
      }
    }
    #expect(append([1, 1], "7").isEmpty)
    #expect(subjects.allSatisfy { $0.isThere })
    #expect(tail.events.map(\.argument) == ["7", "7"])
    let others = Array(2...ResolutionLog.tailCapacity)
    var displaced = append(others, nil)
    #expect(displaced.count == 1)
    displaced = []
    #expect(subjects[0].isGone && subjects[1].isThere)
    #expect(tail.events.first?.argument == "7")
    #expect(tail.merge(LogTail()).isEmpty)
    #expect(tail.events.first?.argument == "7")
    displaced = append([1_000], nil)
    #expect(displaced.count == 1)
    displaced = []
    #expect(subjects[1].isGone)
  }

  @Test func `keeps all that it refers to once it is independent`() {
    var tail = LogTail()
    var subject: EventSubject? = EventSubject(AnyKey(plain: Int.self), answeredBy: "inner")
    let witness = Witness(subject ?? self.subject)
    _ = tail.append(
      LogEntry(
        .passUnretained(subject ?? self.subject), .made, order: 1, by: LogEntry.Asker(),
        at: CallSite()), nil)
    tail = tail.independent
    subject = nil
    #expect(witness.isThere)
    #expect(tail.events.map(\.layer) == ["inner"])
    tail = LogTail()
    #expect(witness.isGone)
  }

  @Test func `keeps what comes from another log, and returns the rest`() {
    let capacity = ResolutionLog.tailCapacity
    var outer = LogTail()
    _ = fill(&outer, 1..<capacity) { _ in nil }
    var names: [Witness] = []
    var subjects: [Witness] = []
    func inner() -> LogTail {
      var tail = LogTail()
      for order in [capacity / 2, capacity + 1, capacity + 2].map({ $0 * 10 }) {
        let subject = EventSubject(AnyKey(plain: Int.self), answeredBy: "inner", argument: "7")
        subjects.append(Witness(subject))
        let name = Nametag()
        names.append(Witness(name))
        let key = AnyKey(type: Int.self, named: name)
        _ = tail.append(
          LogEntry(
            .passUnretained(subject), .reused, order: order,
            by: LogEntry.Asker(order: 1, requester: key), at: CallSite()),
          LogEntry.Keeper(of: subject, requester: key))
      }
      return tail.independent
    }
    #expect(outer.merge(inner()).isEmpty, "none of those displaced had anything to keep")
    #expect(outer.dropped == 2)
    #expect(outer.events.suffix(3).map(\.argument) == ["7", "7", "7"])
    #expect(outer.events.suffix(3).allSatisfy { $0.requester?.name?.base is Nametag })
    var displaced = fill(&outer, 100_000..<100_000 + capacity) { _ in nil }
    #expect(displaced.count == 3)
    #expect(names[0].isThere && subjects[0].isThere)
    displaced = []
    #expect((names + subjects).allSatisfy { $0.isGone })
  }
}

@Suite struct `Parts of what a lock guards` {
  private struct Whole: Sendable {
    var first = 1
    var second: [Coin] = []
  }

  @Test func `are seen in the whole, and the whole in them`() {
    let whole = Lock(Whole())
    let (first, second) = (whole.part(\.first), whole.part(\.second))
    first.withLock { $0 += 1 }
    second.withLock { $0.append(Coin(7)) }
    #expect(whole.withLock { $0.first } == 2)
    whole.withLock { $0.second.append(Coin(8)) }
    #expect(second.withLock { $0.map(\.id) } == [7, 8])
  }

  @Test func `take turns with it`() throws {
    let whole = Lock(Whole())
    let first = whole.part(\.first)
    let outcomes = try Threads.run(4) { number in
      for _ in 0..<5_000 {
        if number < 2 { first.withLock { $0 += 1 } } else { whole.withLock { $0.first += 1 } }
      }
    }
    for outcome in outcomes { try outcome.get() }
    #expect(first.withLock { $0 } == 20_001)
  }

  /// Whoever has a part keeps all of it: the memory is one piece.
  @Test func `keep it, and the mutex that it shares`() throws {
    var part: Lock<[Coin]>?
    let witness: Witness
    do {
      let owner = Lock(0)
      let coin = Coin(1)
      witness = Witness(coin)
      part = Lock(Whole(second: [coin]), sharing: owner.mutex).part(\.second)
    }
    #expect(part?.withLock { $0.map(\.id) } == [1])
    #expect(witness.isThere)
    part = nil
    #expect(witness.isGone)
  }

  @Test func `are stored, and nothing else is one`() async {
    await #expect(processExitsWith: .failure) {
      _ = Lock(Box(1)).part(\.value)
    }
  }
}
