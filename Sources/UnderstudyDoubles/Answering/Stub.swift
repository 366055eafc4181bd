// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The action of a stub.
@usableFromInline
enum StubAnswer<Arguments, Output, Failure: Error> {
  case value(Output)
  case failure(Failure)
  case handler(@Sendable (Arguments) throws(Failure) -> Output)
  /// A handler that may suspend. Only an `AsyncSpy` makes one.
  case suspending(@Sendable (Arguments) async throws(Failure) -> Output)

  @inlinable
  var maySuspend: Bool {
    if case .suspending = self { true } else { false }
  }

  @inlinable
  func give(_ arguments: Arguments) throws(Failure) -> Output {
    switch self {
    case .value(let output): return output
    case .failure(let failure): throw failure
    case .handler(let handler): return try handler(arguments)
    // `Spy` and `GenericSpy` have no method that takes an asynchronous handler.
    case .suspending: fatalError("A synchronous double has an asynchronous answer.")
    }
  }

  @inlinable
  func giveSuspending(_ arguments: Arguments) async throws(Failure) -> Output {
    guard case .suspending(let handler) = self else { return try give(arguments) }
    return try await handler(arguments)
  }
}

/// An answer that may be code of the user.
protocol HandlingAnswer {
  var isHandler: Bool { get }
}

extension StubAnswer: HandlingAnswer {
  var isHandler: Bool {
    switch self {
    case .value, .failure: false
    case .handler, .suspending: true
    }
  }
}

/// One stub: the calls it answers, its answers in turn, and how often it gives each.
struct Stub<Arguments, Answer> {
  let id: UInt64
  let matcher: ArgumentsMatcher<Arguments>
  let madeAt: CallSite
  let use = StubUse()
  /// True if the stub may stay unused.
  var isOptional = false
  /// How many answers the stub was given.
  private(set) var answerCount = 0
  /// How many calls the stub answered while it could be used up.
  private(set) var taken = 0
  /// The stub without its counts, once it always answers in the same way; see `QuickStub`.
  private(set) var quick: QuickStub<Arguments, Answer>?

  // The next answer comes first. A count of `nil` stands for any number of calls; only the last
  // answer has it.
  private var turns: [(answer: Answer, count: Int?)] = []
  // Whether the last answer, which stays, was given. The stub's own use where it is the only one.
  private var lastUse: StubUse

  init(id: UInt64, matcher: ArgumentsMatcher<Arguments>, madeAt: CallSite) {
    self.id = id
    self.matcher = matcher
    self.madeAt = madeAt
    lastUse = use
  }

  var isUsedUp: Bool { turns.isEmpty }
  var isUnlimited: Bool { turns.last.map { $0.count == nil } ?? false }

  var hasHandler: Bool {
    turns.contains { ($0.answer as? any HandlingAnswer)?.isHandler ?? false }
  }

  /// How many of a sequence's answers no call has asked for.
  var unaskedAnswers: Int {
    guard answerCount > 1 else { return 0 }
    return isUnlimited && turns.count == 1 ? (lastUse.wasMade ? 0 : 1) : turns.count
  }

  /// Adds answers behind those that the stub has. The last one so far gives up its place after one
  /// call.
  mutating func append(_ answers: [Answer], count: Int?) {
    if isUnlimited, let last = turns.popLast(), !(turns.isEmpty && lastUse.wasMade) {
      turns.append((last.answer, 1))
    }
    answerCount += answers.count
    turns += answers.dropLast().map { ($0, 1) }
    if let last = answers.last { turns.append((last, count)) }
    settle()
  }

  /// Takes the answer whose turn it is, or `nil` if the stub is used up.
  mutating func take() -> Answer? {
    guard let turn = turns.first else { return nil }
    taken += 1
    use.note()
    guard let count = turn.count else {
      lastUse.note()
      return turn.answer
    }
    if count > 1 { turns[0].count = count - 1 } else { turns.removeFirst() }
    settle()
    return turn.answer
  }

  /// Closes the stub: none of its uses is noted from now on.
  func close() {
    use.close()
    lastUse.close()
  }

  private mutating func settle() {
    quick = nil
    guard isUnlimited, let turn = turns.first, turns.count == 1 else { return }
    // The last answer of a sequence has a use of its own, so that the end knows whether it was
    // given.
    if answerCount > 1 { lastUse = StubUse() }
    quick = QuickStub(matcher, answer: turn.answer, use: lastUse)
  }
}

/// Whether a stub has answered a call. It is noted where the stub is used, under a lock or not,
/// until the stub is removed or its double is finished. So each use is either known then, or not
/// made.
@usableFromInline
final class StubUse: Sendable {
  // The first stored property: `state` looks for it there.
  private let word = AtomicWord()

  private static let made = 0b01
  private static let closed = 0b10

  // Nothing else is ordered by it.
  private var state: AtomicInt { AtomicInt(in: self) }

  var wasMade: Bool { state.load(ordering: .relaxed) & StubUse.made != 0 }

  /// Notes a use; false if it is closed.
  @usableFromInline
  @discardableResult
  func note() -> Bool {
    var known = AtomicInt.load(in: self, ordering: .relaxed)
    // Most notes say nothing new: they do not write.
    if known == 0 {
      known =
        state.compareExchange(expected: 0, desired: StubUse.made, ordering: .relaxed).exchanged
        ? StubUse.made : state.load(ordering: .relaxed)
    }
    return known == StubUse.made
  }

  /// Notes no use from now on.
  func close() { state.bitwiseOr(StubUse.closed, ordering: .relaxed) }
}

/// A stub that answers any number of calls, always in the same way. Nothing of it is used up, so a
/// call may use it outside the lock that guards the double.
@usableFromInline
final class QuickStub<Arguments, Answer> {
  let isCatchAll: Bool
  @usableFromInline let miss: (Arguments) -> ArgumentsMiss?
  @usableFromInline let answer: Answer
  @usableFromInline let use: StubUse

  init(_ matcher: ArgumentsMatcher<Arguments>, answer: Answer, use: StubUse = StubUse()) {
    isCatchAll = matcher.isCatchAll
    miss = matcher.miss
    self.answer = answer
    self.use = use
  }

  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    guard miss(arguments) == nil, use.note() else { return nil }
    return answer
  }
}

/// The stubs of a double while each of them answers any number of calls; the newest comes first.
@usableFromInline
final class QuickStubs<Arguments, Answer> {
  /// The answer to every call, if the newest stub matches all.
  @usableFromInline let constant: Answer?
  @usableFromInline let entries: [QuickStub<Arguments, Answer>]

  /// `nil` without a stub.
  init?(_ entries: [QuickStub<Arguments, Answer>]) {
    guard let newest = entries.first else { return nil }
    constant = newest.isCatchAll ? newest.answer : nil
    self.entries = entries
  }

  /// Notes that the newest stub has answered.
  func noteConstantUse() { entries.first?.use.note() }

  /// The answer of the newest stub that answers a call; its use is noted.
  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    var index = 0
    while index < entries.count {
      // Safety: the caller retains `self`, which keeps the entries: no reference to one is counted.
      let entry = unsafe Unmanaged.passUnretained(entries[index])
      if let answer = unsafe entry._withUnsafeGuaranteedRef({ $0.answer(to: arguments) }) {
        return answer
      }
      index += 1
    }
    return nil
  }
}
