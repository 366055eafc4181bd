// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
public import UnderstudyDoubles

// Spellings of other libraries. The compiler accepts none of them, and says what to write.

/// Not for use: the compiler picks it, and names the label to write.
@available(
  *, unavailable, message: "write the label: 'assertResolved((any Mailer).self, count: .once)'"
)
public func assertResolved<Value>(
  _ type: Value.Type, _ count: any ResolutionCountRequirement
) {
  fatalError("The compiler accepts no call of this.")
}

/// Not for use: the compiler picks it, and names the function to write.
@available(*, unavailable, message: "write 'assertNeverResolved((any Mailer).self)'")
public func assertNotResolved<Value>(_ type: Value.Type) {
  fatalError("The compiler accepts no call of this.")
}

extension OverrideLayer {
  /// Not for use: the compiler picks it, and names the form to write.
  @available(
    *, unavailable,
    message: "register the double for the type: '$0.register { MailerSpy() as any Mailer }'"
  )
  @_disfavoredOverload
  public func override<Value>(_ type: Value.Type, _ make: () throws -> Any) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the form to write.
  @available(
    *, unavailable,
    message: "register the double for the type: '$0.register(MailerSpy() as any Mailer)'"
  )
  @_disfavoredOverload
  public func override<Value>(_ type: Value.Type, with double: Value) {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the closure to write.
  @available(
    *, unavailable,
    message: "say how it is created: 'spy(on: (any Mailer).self) { MailerSpy(forwardingTo: $0) }'"
  )
  @_disfavoredOverload
  public func spy<Service>(on type: Service.Type) {
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
