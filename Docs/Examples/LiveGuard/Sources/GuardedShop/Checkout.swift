import Understudy

/// Sends mail.
public protocol Mailer: Sendable {
  /// Sends a text.
  func send(_ text: String)
}

/// Stands for a mailer that would send mail.
public struct SMTPMailer: Mailer {
  /// Creates a mailer.
  public init() {}
  /// Prints the text.
  public func send(_ text: String) { print("sent: \(text)") }
}

/// Knows the rate of a tax.
public protocol Rates: Sendable {
  /// The rate in per cent.
  func rate() -> Int
}

/// A rate that does not change.
public struct FixedRates: Rates {
  /// Creates the rate.
  public init() {}
  /// 19 per cent.
  public func rate() -> Int { 19 }
}

extension Dependencies {
  /// Must be overridden in tests, because of the test target's rule.
  public static var mailer: Dependency<any Mailer> {
    Dependency { SMTPMailer() }
  }

  /// Does no harm, so tests may use it.
  public static var rates: Dependency<any Rates> {
    Dependency(inTests: .allowed) { FixedRates() }
  }
}

/// The code under test.
public struct Checkout {
  @Inject(\.mailer) var mailer
  @Inject(\.rates) var rates

  /// Creates a checkout.
  public init() {}

  /// The price with tax.
  public func price(of amount: Int) -> Int { amount + rates.rate() }
  /// Sends a mail.
  public func confirm() throws { try $mailer.get().send("confirmed") }
}
