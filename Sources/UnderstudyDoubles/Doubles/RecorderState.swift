// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Everything that a recorder knows, guarded by its lock.
///
/// Nothing of it is as large as an argument or an answer is, so that a debug build need not look up
/// its layout.
@usableFromInline
struct RecorderState<Arguments, Answer> {
  @usableFromInline var history = CallHistory<Arguments>()
  /// The stubs while a call need only be recorded and answered by one of them; see `refresh`.
  @usableFromInline var quick: QuickStubs<Arguments, Answer>?
  /// Whether the constant answer of those was given; their use is noted when they change.
  @usableFromInline var isConstantUsed = false
  /// True if a layer may yet adopt the double. Then `quick` is for calls while no layer is alive.
  @usableFromInline var mayBeAdopted = false

  var stubs = StubTable<Arguments, Answer>()
  var expectations = ExpectationTable<Arguments>()
  var waiters = CallWaiters()
  /// The handlers that run at each call before it is answered.
  var effects: [SideEffect<Arguments>] = []
  /// Makes the recorded arguments of those of a call.
  var snapshot: (@Sendable (Arguments) -> Arguments)?
  /// Answers when no stub does.
  var fallback: QuickStub<Arguments, Answer>?
  /// The answer of a double that returns nothing and may be called freely.
  var free: QuickStub<Arguments, Answer>?
  /// Whether a call has been found to be free; no policy asked for a report.
  var isFree = false
  var isStrict = false
  var policy: UnstubbedPolicy?
  var owner = DoubleOwner.none
  /// The value of the property whose sets are recorded.
  var property: (any StoredObject)?
  /// True if the end of the test, or of the process, checks the expectations.
  var isCheckedLater = false
  /// Calls that have not returned, in prose, by tick.
  var suspended: [UInt64: String] = [:]
  /// Violations that could not be reported yet.
  var untold: [Violation] = []

  /// Brings the quick stubs up to date; call it after every change of anything but the history.
  mutating func refresh() {
    if isConstantUsed {
      quick?.noteConstantUse()
      isConstantUsed = false
    }
    quick = nil
    mayBeAdopted = owner.mayChange
    // The first call takes the long way so that a layer can adopt the double.
    guard history.count > 0, waiters.isEmpty, expectations.isEmpty, effects.isEmpty,
      snapshot == nil, !owner.isFinished,
      let stubs = stubs.quick
    else { return }
    quick = QuickStubs(stubs + (lastResort.map { [$0] } ?? []))
  }

  /// The answer where no stub answers and no policy asks for a report.
  private var lastResort: QuickStub<Arguments, Answer>? {
    if isStrict { return nil }
    return fallback ?? (isFree && stubs.stubs.isEmpty ? free : nil)
  }

  /// The findings at the end of a double, and the user's code that it held.
  struct Ending {
    var untold: [Violation] = []
    var unmet: [ExpectedCalls<Arguments>] = []
    var unused: [(stub: Stub<Arguments, Answer>, hiddenBy: Stub<Arguments, Answer>?)] = []
    var unfinished: [Stub<Arguments, Answer>] = []
    var suspended: [String] = []
    var diff = CallDiff(expected: [], actual: [])
    var calls = 0
    /// Released by the caller outside the lock: deinitialisers are user code.
    var released: [Any] = []
  }

  /// Ends the double. The second time only the violations are left that were not reported since.
  mutating func end(isOfLayer: Bool) -> Ending {
    refresh()
    var ending = Ending(untold: untold)
    untold = []
    if owner.isFinished { return ending }
    stubs.close()
    ending.unmet = expectations.unmet
    ending.unused = stubs.unused
    ending.unfinished = stubs.unfinished
    ending.suspended = suspended.sorted { $0.key < $1.key }.map(\.value)
    ending.diff = expectations.diff
    ending.calls = history.count
    let layer = owner.layer
    owner = .finished(
      isEarly: isOfLayer && layer?.isOfScopeInTest == true, by: layer?.ownerDescription)
    ending.released = [
      stubs, expectations, fallback as Any, effects.map(\.run), snapshot as Any, quick as Any,
    ]
    // Values and errors stay for late calls. The user's code goes, with all that it captures.
    stubs.removeHandlers()
    expectations.removeAll()
    (fallback, snapshot, effects) = (nil, nil, [])
    refresh()
    return ending
  }
}

/// A handler that runs at the calls that a matcher matches.
struct SideEffect<Arguments> {
  let matcher: ArgumentsMatcher<Arguments>
  let run: @Sendable (Arguments) -> Void
}
