// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation
public import UnderstudyDefinitions

/// The places of production's files.
///
/// `StandbyPricing` reads the settings of prices itself.
///
/// - Understudy: provided
public struct Settings: Hashable, Sendable {
  /// The season.
  public let season: URL
  /// The directory of the sales.
  public private(set) var store: URL
  /// The folder of the receipts.
  public private(set) var outbox: URL

  /// Reads settings from properties that were checked.
  ///
  /// - Parameter properties: The properties. Without `season`, the settings name the sample that
  /// comes with the program.
  /// - Throws: `DefinitionError` about missing properties and values of another type.
  public init(_ properties: Properties) throws(DefinitionError) {
    let season: String? = try properties.value("season")
    self.season = season.map { URL(filePath: $0) } ?? SeasonFile.sample
    let store: String = try properties.value("store")
    self.store = URL(filePath: store, directoryHint: .isDirectory)
    outbox = self.store.appending(path: try properties.value("outbox", as: String.self))
  }

  /// The same settings with another directory for the sales and receipts.
  ///
  /// - Parameter store: The directory of the sales.
  /// - Returns: The settings.
  public func keeping(in store: URL) -> Settings {
    var settings = self
    settings.store = store
    settings.outbox = store.appending(path: outbox.lastPathComponent)
    return settings
  }
}

extension Settings {
  /// The settings, with their types.
  static let requirements: [(path: String, requirement: PropertyRequirement)] = [
    ("season", .property("season", as: String?.self)),
    ("store", .property("store", as: String.self)),
    ("outbox", .property("outbox", as: String.self)),
    ("pricing.standby.minutes", .property("pricing.standby.minutes", as: Int.self)),
    ("pricing.standby.percent", .property("pricing.standby.percent", as: Int.self)),
  ]

  /// Checks that all required settings are there, with valid values, and no unknown ones.
  ///
  /// - Parameter properties: The settings.
  /// - Throws: `DefinitionError` with everything that is missing or of another type, or
  ///   `BoxOfficeError` that names a wrong value and its source.
  static func check(_ properties: Properties) throws {
    let known = requirements.map(\.path)
    // A value in the place of an object hides the required settings of that object.
    for path in properties.paths where known.contains(where: { $0.hasPrefix("\(path).") }) {
      let kind = properties[path].map(\.revealed.kind) ?? "null"
      throw properties.badSetting(path, "it is \(kind), and not an object")
    }
    try properties.validate(requirements.map(\.requirement))
    if let path = properties.paths.first(where: { !known.contains($0) }) {
      throw BoxOfficeError.unknownSetting(
        path, provenance: properties.provenance(of: path) ?? path, known: known)
    }
    for path in ["season", "store", "outbox"] {
      switch properties[path]?.revealed {
      // Without a season, the sample is used.
      case .null where path == "season": break
      case .string(""), .null: throw properties.badSetting(path, "it is empty")
      case .string, nil: break
      case let value?: throw properties.badSetting(path, "it is \(value.kind), and not a path")
      }
    }
    let ranges = [
      ("pricing.standby.minutes", 0...1_000_000, "a number of minutes from 0 to 1000000"),
      ("pricing.standby.percent", 0...100, "a number of per cent from 0 to 100"),
    ]
    for (path, range, name) in ranges {
      let value: Int = try properties.value(path)
      guard range.contains(value) else {
        throw properties.badSetting(path, "\(value) is not \(name)")
      }
    }
  }
}

extension Properties {
  /// The error of a setting whose value is not allowed, with the value's source.
  fileprivate func badSetting(_ path: String, _ problem: String) -> BoxOfficeError {
    .badSetting(provenance(of: path) ?? path, problem: problem)
  }
}
