// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Everything that a recorder knows, guarded by its lock.
///
/// Nothing of it is as large as an argument or an answer is, so that a debug build need not look up its layout.
@usableFromInline
struct RecorderState<Arguments, Answer> {
  @usableFromInline var history = CallHistory<Arguments>()
  /// What to choose from while choosing is all that has to be done beside recording; see `refresh`.
  @usableFromInline var quick: QuickStubs<Arguments, Answer>?
  /// Whether the constant answer of those was given; their use is noted when they change.
  @usableFromInline var isConstantUsed = false
  /// True if a layer may yet adopt the double; then those are for calls while no layer is alive.
  @usableFromInline var mayBeAdopted = false

  var stubs = StubTable<Arguments, Answer>()
  var expectations = ExpectationTable<Arguments>()
  var waiters = CallWaiters()
  /// What answers when no stub does.
  var fallback: QuickStub<Arguments, Answer>?
  /// The answer of a double that returns nothing and may be called freely.
  var free: QuickStub<Arguments, Answer>?
  /// Whether a call has been found to be free; no policy asked for a report.
  var isFree = false
  var isStrict = false
  var policy: UnstubbedPolicy?
  var owner = DoubleOwner.none
  /// Calls that have not returned, in prose, by tick.
  var suspended: [UInt64: String] = [:]
  /// What nobody could be told yet.
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
    guard history.count > 0, waiters.isEmpty, expectations.isEmpty, !owner.isFinished,
      let stubs = stubs.quick
    else { return }
    quick = QuickStubs(stubs + (lastResort.map { [$0] } ?? []))
  }

  /// What answers when no stub does, and nobody is to hear of it.
  private var lastResort: QuickStub<Arguments, Answer>? {
    if isStrict { return nil }
    return fallback ?? (isFree && stubs.stubs.isEmpty ? free : nil)
  }

  /// What is left to say when a double ends.
  struct Ending {
    var untold: [Violation] = []
    var unmet: [ExpectedCalls<Arguments>] = []
    var unused: [(stub: Stub<Arguments, Answer>, hiddenBy: Stub<Arguments, Answer>?)] = []
    var suspended: [String] = []
    var diff = CallDiff(expected: [], actual: [])
    var calls = 0
  }

  /// Ends the double; a second time there is nothing left but what was not told since.
  mutating func end(isOfLayer: Bool) -> Ending {
    refresh()
    var ending = Ending(untold: untold)
    untold = []
    if owner.isFinished { return ending }
    stubs.close()
    ending.unmet = expectations.unmet
    ending.unused = stubs.unused
    ending.suspended = suspended.sorted { $0.key < $1.key }.map(\.value)
    ending.diff = expectations.diff
    ending.calls = history.count
    owner = .finished(isEarly: isOfLayer && owner.layer?.isOfScopeInTest == true)
    refresh()
    return ending
  }
}
