// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a stub of an asynchronous double does when its turn comes; a handler may suspend.
@usableFromInline
enum AsyncStubAnswer<Arguments, Output, Failure: Error> {
  case value(Output)
  case failure(Failure)
  case handler(@Sendable (Arguments) async throws(Failure) -> Output)

  @inlinable
  var maySuspend: Bool {
    if case .handler = self { true } else { false }
  }

  @inlinable
  func give(_ arguments: Arguments) async throws(Failure) -> Output {
    switch self {
    case .value(let output): return output
    case .failure(let failure): throw failure
    case .handler(let handler): return try await handler(arguments)
    }
  }
}
