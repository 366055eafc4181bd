import Understudy

/// Sends mail.
public protocol Mailer: Sendable {
  /// Sends a text.
  func send(_ text: String)
}

/// Stands for a mailer that would send mail.
struct SMTPMailer: Mailer {
  func send(_ text: String) { print("sent: \(text)") }
}

/// Knows the rate of a tax.
public protocol Rates: Sendable {
  /// The rate.
  func rate() -> Int
}

struct FixedRates: Rates {
  func rate() -> Int { 19 }
}

extension Dependencies {
  /// Guarded by the test target, as every dependency that does not say otherwise.
  public static var mailer: Dependency<any Mailer> {
    Dependency { SMTPMailer() }
  }

  /// Harmless, so tests may use it.
  public static var rates: Dependency<any Rates> {
    Dependency(inTests: .allowed) { FixedRates() }
  }
}

/// Confirms an order.
public struct Checkout {
  @Inject(\.mailer) var mailer
  @Inject(\.rates) var rates

  /// Makes a checkout.
  public init() {}

  /// The price with the tax.
  public func price(of amount: Int) -> Int { amount + rates.rate() }

  /// Mails a confirmation.
  public func confirm() throws { try $mailer.get().send("confirmed") }
}
