// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

/// Where production finds its files.
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

extension Registering {
  /// Registers what production is made of, besides what is declared: all of it, here and nowhere
  /// else.
  ///
  /// What depends on the command line is registered by type. Nothing is made yet: each block runs
  /// when somebody asks.
  public func registerProduction(_ settings: Settings) {
    register(settings)
    register { r in SeasonFile(try r.resolve(Settings.self).season) as any SeasonSource }
    register { r in FileStore(directory: try r.resolve(Settings.self).store) as any SalesStore }
    register { r in Outbox(directory: try r.resolve(Settings.self).outbox) as any Mailer }
    register { Till() }
    register(autowiring: Report.init(source:store:))
  }
}
