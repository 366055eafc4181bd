// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// A mailer that stores the receipts instead of sending them: a fake, for rehearsals.
public final class LetterBox: Mailer {
  private let kept = Guarded<[Receipt]>([])

  /// Makes an empty letter box.
  public init() {}

  /// The receipts, oldest first.
  public var receipts: [Receipt] { kept.withLock { $0 } }

  /// Keeps a receipt.
  public func send(_ receipt: Receipt) { kept.withLock { $0.append(receipt) } }
}
