// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
public import UnderstudyDoubles

// Spellings of other libraries. The compiler accepts none of them, and says what to write.

/// Not for use: the compiler picks it, and names the label to write.
@available(
  *, unavailable, message: "write the label: 'assertResolved((any Mailer).self, count: .once)'"
)
public func assertResolved(_ type: Any.Type, _ count: any ResolutionCountRequirement) {
  fatalError("The compiler accepts no call of this.")
}

/// Not for use: the compiler picks it, and names the function to write.
@available(*, unavailable, message: "write 'assertNeverResolved((any Mailer).self)'")
public func assertNotResolved(_ type: Any.Type) {
  fatalError("The compiler accepts no call of this.")
}

extension OverrideLayer {
  /// Not for use: the compiler picks it, and names the closure to write.
  @available(
    *, unavailable,
    message: "say how it is created: 'spy(on: (any Mailer).self) { MailerSpy(forwardingTo: $0) }'"
  )
  @_disfavoredOverload
  public func spy(on type: Any.Type) {
    fatalError("The compiler accepts no call of this.")
  }
}

extension CallCount {
  /// Not for use: the compiler picks it, and names the number to write.
  @available(*, unavailable, message: "write the number: 'expects(2)'")
  public static var twice: CallCount { fatalError("The compiler accepts no use of this.") }
}

extension Fault {
  /// Not for use: the compiler picks it, and names the fault to write.
  @available(*, unavailable, message: "write '.throwing(error)'")
  public static func `throws`(_ error: any Error) -> Fault {
    fatalError("The compiler accepts no call of this.")
  }
}
