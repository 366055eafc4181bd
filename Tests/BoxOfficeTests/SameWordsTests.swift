// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Testing
import UnderstudyTesting

/// A double by hand, in the shape of a generated one.
private final class MailerByHand: Mailer {
  struct Spies {
    let send = Spy<Receipt, Void, any Error>("send(_:)")
  }
  let spy = Spies()
  func send(_ receipt: Receipt) throws { try spy.send(receipt) }
}

/// The words that a test says to a double, whichever of the two it is.
private protocol MailerSpies {
  var send: Spy<Receipt, Void, any Error> { get }
}

private protocol DoubleOfMailer: Mailer {
  associatedtype Spies: MailerSpies
  var spy: Spies { get }
}

extension MailerByHand.Spies: MailerSpies {}
extension MailerByHand: DoubleOfMailer {}
extension MailerDouble.Spies: MailerSpies {}
extension MailerDouble: DoubleOfMailer {}

@Suite struct SameWordsTests {
  private struct Bounced: Error {}

  @Test(.overrides())
  func `a double by hand takes the words of a test`() throws {
    try test { MailerByHand() }
  }

  @Test(.overrides())
  func `a generated double takes the same words`() throws {
    try test { MailerDouble() }
  }

  private func test(_ make: () -> some DoubleOfMailer) throws {
    let mailer = make()
    mailer.spy.send.returns().throws(Bounced())
    let receipt = try sell(mailedBy: mailer)
    #expect(mailer.spy.send.calls.map(\.patron) == ["Ada"])
    #expect(throws: Bounced.self) { try mailer.send(receipt) }

    reset(mailer)
    unstubbed(.relaxed, mailer)
    mailer.spy.send.when { $0.patron == "Ada" }.expects(.once)
    #expect(throws: VerificationError.self) { try verify(mailer) }

    let real = make()
    reset(mailer)
    mailer.spy.send.forwards { try real.send($0) }
    try mailer.send(receipt)
    expectOrder {
      mailer.spy.send.called()
      real.spy.send.called()
    }

    let other = make()
    withKnownIssue {
      strict(other)
      try other.send(receipt)
      expectNoMoreCalls(other)
      try other.send(receipt)
    }
    #expect(finish(mailer, real, other).isEmpty)
  }

  private func sell(mailedBy mailer: some Mailer) throws -> Receipt {
    try withOverrides(.check(.unusedOverride, .off)) {
      $0.register { SeasonStub() as any SeasonSource }
      $0.register(lifecycle: .cached) { MemoryStore() as any SalesStore }
      $0.override(\.clock) { StoppedClock(at: .dayBefore) }
      $0.register { mailer as any Mailer }
    } operation: {
      _ = try Till().sell([.a1], for: "godot", to: "Ada")
    }
    return Receipt(sale: 2, patron: "Ada", text: "")
  }
}
