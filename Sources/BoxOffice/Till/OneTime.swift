// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The names of values that can be resolved only once.
public enum OneTime: Hashable, Sendable {
  /// The discount of the next sale in per cent: an `Int`.
  case discount
}
