// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy
internal import UnderstudyDefinitions

/// The settings of the program, and the services that its files define.
///
/// The program comes with a file of each. `--settings` and `--services` name files that win over
/// them. The environment (`BOX_OFFICE__STORE`) wins over files, and the command line over all.
struct Setup: Assembly {
  let settings: Settings
  private let properties: Properties
  private let services: Definitions

  /// Reads and checks everything. Nothing is created.
  init(_ words: CommandLineWords) throws {
    properties = try Properties(
      [.shipped("settings")] + words.file(.settings)
        + [.environment(prefix: "BOX_OFFICE")] + words.source(.season) + words.source(.store))
    try Settings.check(properties)
    settings = try Settings(properties)
    services = try Definitions(
      [.shipped("services")] + words.file(.services), catalogue: .boxOffice, properties: properties)
    let known = ["mailer"]
    if let name = services.services.first(where: { !known.contains($0) }) {
      throw BoxOfficeError.unknownService(
        name, file: words[.services].map { URL(filePath: $0).shortPath } ?? "", known: known)
    }
  }

  /// Registers the settings as properties, and the services by the names that the files give them.
  func assemble(into registrar: some Registering) {
    properties.assemble(into: registrar)
    services.assemble(into: registrar)
  }
}

extension Catalogue {
  /// The classes that a file of services may use.
  static var boxOffice: Catalogue {
    var catalogue = Catalogue()
    catalogue.offer("BoxOffice.Outbox", labels: ["store", "folder"]) {
      (store: String, folder: String) in
      Outbox(directory: URL(filePath: store, directoryHint: .isDirectory).appending(path: folder))
        as any Mailer
    }
    catalogue.offer("BoxOffice.LetterBox") { LetterBox() as any Mailer }
    return catalogue
  }
}

extension CommandLineWords {
  /// The file that an option names, or none.
  fileprivate func file(_ option: CommandOption) -> [ValueSource] {
    self[option].map { [.file($0)] } ?? []
  }

  /// The property that an option sets, or none.
  fileprivate func source(_ option: CommandOption) -> [ValueSource] {
    self[option].map {
      [.values([option.rawValue: .string($0)], named: "argument \(option.spelling)")]
    } ?? []
  }
}

extension ValueSource {
  /// A file that comes with the program. Messages show its name instead of its path.
  fileprivate static func shipped(_ name: String) -> ValueSource {
    let file =
      Bundle.module.url(forResource: name, withExtension: "json")
      ?? Bundle.module.bundleURL.appending(path: "\(name).json")
    guard let data = try? Data(contentsOf: file) else { return .file(file.path) }
    return .document(Array(data), named: "\(name).json")
  }
}
