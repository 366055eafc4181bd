// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a stub of a synchronous double does when its turn comes.
@usableFromInline
enum StubAnswer<Arguments, Output, Failure: Error> {
  case value(Output)
  case failure(Failure)
  case handler(@Sendable (Arguments) throws(Failure) -> Output)

  @inlinable
  func give(_ arguments: Arguments) throws(Failure) -> Output {
    switch self {
    case .value(let output): return output
    case .failure(let failure): throw failure
    case .handler(let handler): return try handler(arguments)
    }
  }
}
