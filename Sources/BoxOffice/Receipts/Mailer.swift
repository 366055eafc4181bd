// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation
internal import Synchronization

/// What a patron gets after a sale.
public struct Receipt: Hashable, Sendable {
  /// The number of the sale.
  public let sale: Int
  /// Who it is for.
  public let patron: String
  /// What it says.
  public let text: String

  /// Makes a receipt.
  public init(sale: Int, patron: String, text: String) {
    self.sale = sale
    self.patron = patron
    self.text = text
  }

  /// Writes the receipt of a sale.
  public init(for sale: Sale, of performance: Performance, in season: Season) {
    let seats = list(sale.seats.map(\.description))
    self.init(
      sale: sale.number, patron: sale.patron,
      text: """
        \(season.house)
        Receipt \(sale.number), \(sale.soldAt.minuteText)

        \(performance.title)
        \(performance.starts.minuteText)
        \(sale.seats.count == 1 ? "Seat" : "Seats") \(seats), for \(sale.patron.inOneLine)
        Paid \(sale.total.text(in: season.currency))

        """)
  }
}

/// Brings receipts to patrons.
public protocol Mailer: Sendable {
  /// Sends a receipt.
  func send(_ receipt: Receipt) throws
}

/// Production's mailer: a folder, with a file for each receipt.
public struct Outbox: Mailer {
  private let directory: URL

  /// Makes a mailer; its folder is made with the first receipt.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a receipt to `receipt-1.txt`.
  public func send(_ receipt: Receipt) throws {
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let file = directory.appending(path: "receipt-\(receipt.sale).txt")
      try Data(receipt.text.utf8).write(to: file, options: .atomic)
    } catch {
      throw BoxOfficeError.receiptNotWritten(sale: receipt.sale, reason: error.fileReason)
    }
  }
}

/// A mailer that sends nothing and keeps what it was given: a fake, for rehearsals.
public final class LetterBox: Mailer {
  private let kept = Mutex<[Receipt]>([])

  /// Makes an empty letter box.
  public init() {}

  /// What it was given, oldest first.
  public var receipts: [Receipt] { kept.withLock { $0 } }

  /// Keeps a receipt.
  public func send(_ receipt: Receipt) { kept.withLock { $0.append(receipt) } }
}
