// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The test target that the process runs. Extend it with a statement that holds for all its tests.
///
/// One line in any file of the target forbids production to answer in tests:
///
/// ```swift
/// extension TestTarget: @retroactive MustOverrideLiveDependencies {}
/// ```
///
/// The line holds for the whole process. `swift test` runs all test targets of a package in one
/// process, so it holds for all of them there.
public enum TestTarget {}

/// Conform `TestTarget` to this protocol, and production must not answer in tests unless a key is
/// overridden or allowed.
public protocol MustOverrideLiveDependencies {}
