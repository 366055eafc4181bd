// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The whole state of a recorder, guarded by its lock.
///
/// No stored property contains an argument or an answer directly, since a debug build would then
/// have to look up its layout.
@usableFromInline
struct RecorderState<Arguments, Answer> {
  @usableFromInline var history = CallHistory<Arguments>()
  /// The stubs, as long as a call only has to be recorded and answered by one of them. See
  /// `refresh`.
  @usableFromInline var quick: QuickStubs<Arguments, Answer>?
  /// Whether the constant answer of those stubs was given. Its use is recorded when they change.
  @usableFromInline var isConstantUsed = false
  /// True if a layer may still adopt the double. Then `quick` only serves calls while no layer is
  /// alive.
  @usableFromInline var mayBeAdopted = false

  /// The number of recorded calls that have not yet counted for an expectation or used a stub.
  var unsettled = 0
  /// The number of all other calls.
  var settled: Int { history.count - unsettled }
  /// How often the calls were forgotten, after which their number starts again.
  var forgettings = 0
  /// The number of calls until the end of the last scope that has checked the double.
  var earlierCalls = 0

  var stubs = StubTable<Arguments, Answer>()
  var expectations = ExpectationTable<Arguments>()
  /// The tasks that wait for a number of calls.
  var waiters = Waiting<Int>()
  /// The calls that tasks wait for, if `when` has chosen them.
  var watches: [UInt64: Watch<Arguments>] = [:]
  /// The handlers that run at each call before it is answered.
  var effects: [SideEffect<Arguments>] = []
  /// Makes snapshots of a call's arguments for the history.
  var snapshot: (@Sendable (Arguments) -> Arguments)?
  /// The answer if no stub answers.
  var fallback: QuickStub<Arguments, Answer>?
  /// The answer of a double that returns nothing and may be called freely.
  var free: QuickStub<Arguments, Answer>?
  /// Whether a call has found that no policy asks for a report.
  var isFree = false
  /// Whether the end of the double has released handlers or predicates.
  var hasReleasedHandlers = false
  /// Whether the test has forgotten calls, which the history does not count any more.
  var hasForgottenCalls = false
  var isStrict = false
  var policy: UnstubbedPolicy?
  var owner = DoubleOwner.none
  /// Whether a scope that has checked the double asks for all answers of its sequences.
  var mustGiveAllAnswers = false
  /// The stored value of a property's double.
  var property: (any StoredObject)?
  /// True if the expectations are checked at the end of the test or of the process.
  var isCheckedLater = false
  /// Whether an answer may suspend. Then no call is quick, and each is stored until it returns.
  var maySuspend = false
  /// The calls that have not returned, by tick.
  var suspended: [UInt64: SuspendedCall] = [:]
  /// Violations that could not be reported yet.
  var untold: [Violation] = []

  /// Updates the quick stubs. Call it after every change except to the history.
  mutating func refresh() {
    if isConstantUsed {
      quick?.noteConstantUse()
      isConstantUsed = false
    }
    quick = nil
    mayBeAdopted = owner.mayChange
    // The first call takes the slow path, so that a layer can adopt the double.
    guard history.count > 0, waiters.waiters.isEmpty, watches.isEmpty, expectations.isEmpty,
      effects.isEmpty, snapshot == nil, !maySuspend, !owner.isFinished,
      let stubs = stubs.quick
    else { return }
    quick = QuickStubs(stubs + (lastResort.map { [$0] } ?? []))
  }

  /// Forgets the calls. The caller releases them and resumes the tasks, outside the lock.
  mutating func forgetCalls() -> (calls: [RecordedCall<Arguments>], waiters: [Waiting<Int>.Wake]) {
    forgettings += 1
    earlierCalls = 0
    for id in watches.keys { watches[id]?.count = 0 }
    defer { refresh() }
    return (history.removeAll(), waiters.take { _ in true })
  }

  /// The answer if no stub answers and no policy asks for a report.
  private var lastResort: QuickStub<Arguments, Answer>? {
    if isStrict { return nil }
    return fallback ?? (isFree && stubs.stubs.isEmpty ? free : nil)
  }

  /// Has a layer finish the double.
  mutating func belong(to layer: OverrideLayer, isOlder: Bool) {
    owner = .layer(WeakLayer(layer: layer), isOlder: isOlder)
    // The policy of this layer may ask for a report of calls that were free until now.
    guard isFree else { return }
    isFree = false
    refresh()
  }

  /// The findings at the end of a double, and the user code that it retained.
  struct Ending {
    var untold: [Violation] = []
    var unmet: [ExpectedCalls<Arguments>] = []
    var unused: [(stub: Stub<Arguments, Answer>, hiddenBy: Stub<Arguments, Answer>?)] = []
    var unfinished: [Stub<Arguments, Answer>] = []
    var suspended: [SuspendedCall] = []
    var diff = CallDiff(expected: [], actual: [])
    var calls = 0
    /// Released by the caller outside the lock, since a deinit is user code.
    var released: [Any] = []
  }

  private var finisher: Finisher? {
    guard case .layer(let weak, let isOlder) = owner else { return nil }
    return weak.layer.map { Finisher($0, isOfOlder: isOlder) }
  }

  /// The owner after the end of a layer, if that is a scope of a test which may have another scope.
  private var ownerAfterScope: DoubleOwner? {
    guard case .layer(let weak, isOlder: true) = owner, let layer = weak.layer,
      layer.isOfScopeInTest, let test = layer.test, test.isSameRun(as: test)
    else { return nil }
    return .left(test, by: Finisher(layer, isOfOlder: true))
  }

  /// Ends the double. The second end returns only violations that were not yet reported.
  mutating func end(isOfLayer: Bool) -> Ending {
    refresh()
    var ending = Ending(untold: untold)
    untold = []
    if case .finished = owner { return ending }
    let next = isOfLayer ? ownerAfterScope : nil
    if next == nil { stubs.close() }
    ending.unmet = expectations.unmet
    ending.unused = stubs.unused
    ending.unfinished = stubs.unfinished
    ending.suspended = suspended.sorted { $0.key < $1.key }.map(\.value)
    ending.diff = expectations.diff
    ending.calls = history.count
    if let next {
      owner = next
      earlierCalls = history.count
      ending.released = [expectations, quick as Any]
      expectations.removeAll()
      // The end of a later scope does not report them again.
      for (stub, _) in ending.unused { stubs.change(stub.id) { $0.isOptional = true } }
      // A later scope may ask for the rest of a sequence. See `mustGiveAllAnswers`.
      ending.unfinished = []
      suspended = [:]
      refresh()
      return ending
    }
    owner = .finished(by: isOfLayer ? finisher : nil)
    ending.released = [
      stubs, expectations, fallback as Any, effects, snapshot as Any, quick as Any,
    ]
    hasReleasedHandlers = fallback != nil || stubs.hasHandlers
    // Values and errors stay for late calls. User code is released with its captures.
    stubs.removeHandlers()
    expectations.removeAll()
    (fallback, snapshot, effects) = (nil, nil, [])
    refresh()
    return ending
  }
}

/// A call that has not returned. It is stored as text, since the double may end on another thread
/// while the call uses its arguments.
struct SuspendedCall {
  let text: String
  /// The place of the stub that answers it, once that is known.
  var stubbedAt: CallSite?
}

/// A wait for calls that a matcher matches, and their number since its beginning.
struct Watch<Arguments> {
  let matcher: ArgumentsMatcher<Arguments>
  var count = 0
}

/// A handler that runs at the calls that a matcher matches.
struct SideEffect<Arguments> {
  let matcher: ArgumentsMatcher<Arguments>
  let run: @Sendable (Arguments) -> Void
}
