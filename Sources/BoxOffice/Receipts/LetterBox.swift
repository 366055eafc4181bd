// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Synchronization

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
