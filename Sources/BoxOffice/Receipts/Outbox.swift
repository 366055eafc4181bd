// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// Production's mailer: a folder, with a file for each receipt.
public struct Outbox: Mailer {
  private let directory: URL

  /// Makes a mailer. The first receipt creates its folder.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a receipt to `receipt-1.txt`.
  public func send(_ receipt: Receipt) throws {
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try file(of: receipt.sale).replaceContents(with: Data(receipt.text.utf8))
    } catch {
      throw BoxOfficeError.receiptNotWritten(sale: receipt.sale, reason: error.fileReason)
    }
  }

  /// True if the receipt of a sale exists.
  func has(_ sale: Int) -> Bool {
    FileManager.default.fileExists(atPath: file(of: sale).path)
  }

  private func file(of sale: Int) -> URL { directory.appending(path: "receipt-\(sale).txt") }
}
