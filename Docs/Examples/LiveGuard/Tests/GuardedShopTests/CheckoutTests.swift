import GuardedShop
import Testing
import UnderstudyTesting

// Production must not answer in the tests of this package.
extension TestTarget: @retroactive MustOverrideLiveDependencies {}

final class MailerSpy: Mailer {
  let sends = Spy<String, Void, Never>("send(_:)")
  func send(_ text: String) { sends(text) }
}

struct CheckoutTests {
  @Test func `a harmless dependency is allowed, and an unread one has no effect`() {
    #expect(Checkout().price(of: 100) == 119)
  }

  @Test func `a forgotten override sends no mail, and is an issue`() {
    withKnownIssue { try Checkout().confirm() }
  }

  @Test func `an override answers`() throws {
    let spy = MailerSpy()
    try withOverrides {
      $0.override(\.mailer, with: spy)
    } operation: {
      try Checkout().confirm()
    }
    #expect(spy.sends.calls == ["confirmed"])
  }
}
