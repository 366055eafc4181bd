// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The test target that the process runs, to say something of all its tests.
///
/// One line in any file of the target forbids production to answer in tests:
///
/// ```swift
/// extension TestTarget: @retroactive MustOverrideLiveDependencies {}
/// ```
///
/// It holds for the whole process. `swift test` runs all test targets of a package in one process,
/// so it holds for all of them there.
public enum TestTarget {}

/// What `TestTarget` conforms to where production must not answer in tests, unless it is overridden
/// or allowed.
public protocol MustOverrideLiveDependencies {}
