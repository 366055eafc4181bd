import Observation
import Understudy

/// Sends receipts, on the main actor like everything in this module.
public protocol Mailer: Sendable {
  /// Sends a text.
  func send(_ text: String)
}

/// A mailer that would send mail.
public final class SMTPMailer: Mailer {
  /// The sent texts.
  public private(set) var sent: [String] = []

  /// Creates a mailer.
  public init() {}

  /// Sends a text.
  public func send(_ text: String) { sent.append(text) }
}

/// Knows the prices.
public protocol Prices: AnyObject, Sendable {
  /// The price of a seat.
  func price(of seat: String) -> Int
}

/// The prices of the season.
public final class SeasonPrices: Prices {
  /// Creates the prices.
  public init() {}

  /// The price of a seat.
  public func price(of seat: String) -> Int { 20 }
}

nonisolated extension Dependencies {
  /// The prices: a declared value of the main actor.
  public static var prices: Dependency<any Prices> {
    Dependency(lifecycle: .cached) { @MainActor in SeasonPrices() }
  }
}

/// Registers the dependencies of the app.
public func registerLive(on resolver: Resolver) {
  resolver.register { @MainActor in SMTPMailer() as any Mailer }
}

/// A model with injected properties.
public final class CheckoutModel {
  @Inject private var mailer: any Mailer
  @LazyInject(\.prices) private var prices

  /// The last message.
  public private(set) var message = ""

  /// Creates a model.
  public init() {}

  /// Sells a seat.
  public func sell(_ seat: String) {
    message = "\(seat): \(prices.price(of: seat))"
    mailer.send(message)
  }
}

/// The same model for a view.
@Observable public final class SeatsModel {
  @ObservationIgnored @Inject private var mailer: any Mailer
  @ObservationIgnored @Inject(\.prices) private var prices

  /// The free seats.
  public private(set) var seats = ["A1", "A2"]

  /// Creates a model.
  public init() {}

  /// Sells the first seat.
  public func sellFirst() {
    let seat = seats.removeFirst()
    mailer.send("\(seat): \(prices.price(of: seat))")
  }
}
