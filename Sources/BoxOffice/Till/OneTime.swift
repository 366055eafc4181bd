// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The names of values that are given once and then gone.
public enum OneTime: Hashable, Sendable {
  /// Per cent that the next sale, and no other, is cheaper by: an `Int`.
  case discount
}
