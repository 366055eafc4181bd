// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// Where production finds its files.
///
/// - Understudy: provided
public struct Settings: Hashable, Sendable {
  /// The season.
  public let season: URL
  /// The directory of the sales.
  public let store: URL

  /// The folder of the receipts.
  public var outbox: URL { store.appending(path: "outbox") }

  /// Where sales are kept unless told otherwise, in the working directory.
  public static let usualStore = "box-office-data"

  /// Makes settings; `nil` for what is usual.
  ///
  /// - Parameters:
  ///   - season: The season file; the sample that comes with the program unless told otherwise.
  ///   - store: The directory of the sales; `box-office-data` unless told otherwise.
  public init(season: String? = nil, store: String? = nil) {
    self.season = season.map { URL(filePath: $0) } ?? SeasonFile.sample
    self.store = URL(filePath: store ?? Settings.usualStore, directoryHint: .isDirectory)
  }
}
