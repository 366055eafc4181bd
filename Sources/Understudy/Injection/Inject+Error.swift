// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Inject {
  /// Keeps an error, which is reported where the property is read.
  package init(_ error: ResolutionError) {
    origin = Surroundings.current.origin
    injected = .missing(MissingValue(error))
  }
}
