// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The action of a stub.
@usableFromInline
enum StubAnswer<Arguments, Output, Failure: Error> {
  case value(Output)
  case failure(Failure)
  case handler(@Sendable (Arguments) throws(Failure) -> Output)
  /// A handler that may suspend. Only an `AsyncSpy` can have one.
  case suspending(@Sendable (Arguments) async throws(Failure) -> Output)

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

/// An answer that may contain user code.
protocol HandlingAnswer {
  var isHandler: Bool { get }
  var maySuspend: Bool { get }
}

extension StubAnswer: HandlingAnswer {
  var isHandler: Bool {
    switch self {
    case .value, .failure: false
    case .handler, .suspending: true
    }
  }

  var maySuspend: Bool {
    if case .suspending = self { true } else { false }
  }
}

/// One stub: the calls that it answers, its answers in order, and a count for each of them.
struct Stub<Arguments, Answer> {
  let id: UInt64
  private(set) var matcher: ArgumentsMatcher<Arguments>
  let madeAt: CallSite
  let use = StubUse()
  /// True if the stub may stay unused.
  var isOptional = false
  /// The number of answers that were added to the stub. One for several calls counts once for each.
  private(set) var answerCount = 0
  /// True if several answers were added to the stub.
  private var isSequence = false
  /// The number of calls that the stub has answered while it could be used up.
  private(set) var taken = 0
  /// The stub without its counts, if it always answers in the same way. See `QuickStub`.
  private(set) var quick: QuickStub<Arguments, Answer>?

  // The next answer comes first. A count of `nil` stands for any number of calls. Only the last
  // answer can have it.
  private var turns: [(answer: Answer, count: Int?)] = []
  // Whether the last answer of a sequence was given. For a single answer, this is the stub's own
  // use.
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

  /// The number of answers in a sequence that were not given.
  var unaskedAnswers: Int {
    guard isSequence else { return 0 }
    if isUnlimited, turns.count == 1 { return lastUse.wasMade ? 0 : 1 }
    return turns.reduce(0) { Self.sum($0, $1.count ?? 1) }
  }

  /// Adds answers after the existing ones. The last existing answer is then given once.
  mutating func append(_ answers: [Answer], count: Int?) {
    if isUnlimited, let last = turns.popLast(), !(turns.isEmpty && lastUse.wasMade) {
      turns.append((last.answer, 1))
    }
    isSequence = isSequence || answerCount > 0 || answers.count > 1
    answerCount = Self.sum(Self.sum(answerCount, answers.count - 1), count ?? 1)
    turns += answers.dropLast().map { ($0, 1) }
    if let last = answers.last { turns.append((last, count)) }
    settle()
  }

  /// Releases the objects of the matcher.
  mutating func releaseObjects() {
    matcher = matcher.withoutObjects
    settle()
  }

  /// Takes the next answer, or returns `nil` if the stub is used up.
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

  /// Closes the stub. Its later uses outside the lock are not recorded.
  func close() { lastUse.close() }

  private mutating func settle() {
    quick = nil
    guard isUnlimited, turns.count == 1 else { return }
    // The last answer of a sequence has its own use, so that the end can tell whether it was given.
    if isSequence { lastUse = StubUse() }
    quick = QuickStub(matcher, answer: turns[0].answer, use: lastUse)
  }

  /// A sum that stops at the greatest number, which a stub may have for its calls.
  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }
}

/// Records whether a stub has answered a call, with or without a lock, until the stub is removed or
/// its double is finished. A use is either recorded before that, or it does not happen.
@usableFromInline
final class StubUse: Sendable {
  // The first stored property: `state` looks for it there.
  private let word = AtomicWord()

  private static let made = 0b01
  private static let closed = 0b10

  // No other memory is ordered by this atomic.
  private var state: AtomicInt { AtomicInt(in: self) }

  var wasMade: Bool { state.relaxedValue & StubUse.made != 0 }

  /// Records a use. Returns false if the stub is closed.
  @usableFromInline
  @discardableResult
  func note() -> Bool {
    var known = AtomicInt.relaxedValue(in: self)
    // Usually the use is already recorded, so there is nothing to write.
    if known == 0 {
      known =
        state.compareExchange(expected: 0, desired: StubUse.made).exchanged
        ? StubUse.made : state.relaxedValue
    }
    return known == StubUse.made
  }

  /// Records no uses from now on.
  func close() { state.bitwiseOr(StubUse.closed) }
}

/// A stub that answers any number of calls in the same way. It cannot be used up, so a call may use
/// it outside the lock of the double.
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

/// The stubs of a double if each answers any number of calls, the newest one first.
@usableFromInline
final class QuickStubs<Arguments, Answer> {
  /// The answer to every call, if the newest stub matches all calls.
  @usableFromInline let constant: Answer?
  @usableFromInline let entries: [QuickStub<Arguments, Answer>]

  /// `nil` without a stub.
  init?(_ entries: [QuickStub<Arguments, Answer>]) {
    guard let newest = entries.first else { return nil }
    constant = newest.isCatchAll ? newest.answer : nil
    self.entries = entries
  }

  /// Records a use of the newest stub.
  func noteConstantUse() { entries.first?.use.note() }

  /// The answer of the newest stub that matches a call. Its use is recorded.
  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    var index = 0
    while index < entries.count {
      // Safety: the caller retains `self`, which retains the entries, so none is retained here.
      let entry = unsafe Unmanaged.passUnretained(entries[index])
      if let answer = unsafe entry._withUnsafeGuaranteedRef({ $0.answer(to: arguments) }) {
        return answer
      }
      index += 1
    }
    return nil
  }
}
