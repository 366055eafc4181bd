// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// What every double that records calls can do: `Spy`, `AsyncSpy`.
///
/// You do not conform to it. It is there so that `when`, `calls(with:)` and `called(with:)` read the
/// same on every kind of double.
public protocol Spying<Arguments> {
  /// The arguments of a call: the argument itself if there is one, a tuple without labels for more.
  associatedtype Arguments
  /// What stubs and expects the calls that `when` has chosen.
  associatedtype Stub

  /// The calls that are kept, oldest first.
  var calls: [Arguments] { get }

  /// Chooses the calls that `matcher` matches.
  func stub(_ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite) -> Stub
  /// The kept calls that `matcher` matches.
  func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments]
  /// A step of `expectOrder`: a call that `matcher` matches.
  func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep
}
