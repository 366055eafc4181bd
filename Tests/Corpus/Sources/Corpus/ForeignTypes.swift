// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The identifier of a C type does not contain its module, so the double has the imports of this
// file.

protocol ForeignTypes {
  func wait(for process: pid_t, _ time: timeval) -> pid_t
}
