import Understudy

public protocol Mailer: Sendable {
  func send(_ text: String)
}

/// Stands for a mailer that would send mail.
public struct SMTPMailer: Mailer {
  public init() {}
  public func send(_ text: String) { print("sent: \(text)") }
}

public protocol Rates: Sendable {
  func rate() -> Int
}

public struct FixedRates: Rates {
  public init() {}
  public func rate() -> Int { 19 }
}

extension Dependencies {
  public static var mailer: Dependency<any Mailer> {
    Dependency { SMTPMailer() }
  }

  public static var rates: Dependency<any Rates> {
    Dependency(inTests: .allowed) { FixedRates() }
  }
}

public struct Checkout {
  @Inject(\.mailer) var mailer
  @Inject(\.rates) var rates

  public init() {}

  public func price(of amount: Int) -> Int { amount + rates.rate() }
  public func confirm() throws { try $mailer.get().send("confirmed") }
}
