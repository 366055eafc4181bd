// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that names a scope: `enum Signup: Scope {}`.
///
/// An instance that is registered `scopedTo:` it is shared while something retains it. After that,
/// the next request creates a new one.
public protocol Scope {}

/// A type that tells registrations of one type apart: `enum Sandbox: Qualifier {}`.
///
/// Lookup is exact. A request without the qualifier does not find a qualified registration, nor the
/// other way round.
public protocol Qualifier {}
