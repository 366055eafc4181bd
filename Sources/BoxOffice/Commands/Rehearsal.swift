// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy
internal import UnderstudyCompatibility

/// Makes the sale of `sell` with fakes over production.
///
/// A test works the same way: it pushes a layer and runs the unchanged code. When the layer ends,
/// production answers again.
struct Rehearsal {
  private let order: SellOrder
  private let performance: Performance
  private let currency: String
  private let settings: Settings
  private let resolver: Resolver

  /// Reads the order of a rehearsal. It takes free seats if the command line names none.
  init(_ words: CommandLineWords, of settings: Settings, on resolver: Resolver) throws {
    let season = try resolver.resolve((any SeasonSource).self).season()
    let sales = try resolver.resolve((any SalesStore).self).sales()
    let free = { (performance: Performance) in
      performance.seats.filter { !sales.soldSeats(for: performance.id).contains($0) }
    }
    let performance =
      try words[.performance].map { id throws in try season.performance(id) }
      ?? season.performances.first { !free($0).isEmpty } ?? season.performances[0]
    let chosen = try words[.seats].map { text throws in try Seat.list(text) }
    order = try SellOrder(
      words, performance: performance.id, seats: chosen ?? Array(free(performance).prefix(2)))
    self.performance = performance
    currency = season.currency
    self.settings = settings
    self.resolver = resolver
  }

  /// Rehearses, and prints the part that answered each request.
  func run(_ console: any Console) throws {
    let before = try StoreSnapshot(of: settings.store)
    let letters = LetterBox()
    console.say("Rehearsing a sale with a layer of fakes over production.\n")
    try play(letters) { sale in
      console.say("\(sale.sentence(in: currency))\n")
      let tree = Rehearsal.tree(of: OverrideLayer.current?.log)
      console.say("Each request, and its answer:\n\(tree)\n")
    }
    console.say(letters.receipts.map { "The fake mailer got:\n\($0.text)" }.joined())
    try report(before, console)
  }

  /// Makes the sale with fakes over production, and then runs a block that still sees them.
  func play<Result>(_ letters: LetterBox, then body: (Sale) throws -> Result) throws -> Result {
    let clock = StoppedClock(at: performance.starts - 24 * 60 * 60)
    return try withOverrides(of: resolver, named: "rehearsal") { layer in
      layer.register { letters as any Mailer }
      layer.decorate((any SalesStore).self) { production in MemoryStore(try production.sales()) }
      layer.override(\.clock) { clock }
      order.registerDiscount(on: layer)
    } operation: {
      try body(order.sell(on: resolver))
    }
  }

  /// The tree of a log. In this program, a request without an answer asks for a one-time value that
  /// may be missing, such as a discount.
  static func tree(of log: ResolutionLog?) -> String {
    (log?.tree ?? "").replacing("  missed", with: "  not passed")
  }

  private func report(_ before: StoreSnapshot, _ console: any Console) throws {
    let after = try StoreSnapshot(of: settings.store)
    let path = settings.store.shortPath
    guard after == before else { throw BoxOfficeError.storeTouched(path: path) }
    let store = try resolver.resolve((any SalesStore).self)
    console.say("Production's store '\(path)' before: \(before).")
    console.say("Production's store '\(path)' after:  \(after).")
    console.say(
      "Untouched, byte for byte; and \(type(of: store)) answers for 'any SalesStore' again.")
  }
}

/// The files of a directory, for a comparison.
struct StoreSnapshot: Equatable, CustomStringConvertible {
  private let files: [String: Data?]?

  /// Reads all files of a directory.
  ///
  /// - Throws: `BoxOfficeError.unreadable` if the directory exists and cannot be read.
  init(of directory: URL) throws {
    let manager = FileManager.default
    let path = directory.path(percentEncoded: false)
    guard manager.fileExists(atPath: path) else {
      files = nil
      return
    }
    do {
      files = try manager.subpathsOfDirectory(atPath: path).reduce(into: [:]) { files, name in
        files[name] = .some(manager.contents(atPath: directory.appending(path: name).path))
      }
    } catch {
      throw BoxOfficeError.unreadable(file: directory.shortPath, reason: error.fileReason)
    }
  }

  /// `3 files, 1204 bytes`
  var description: String {
    guard let files else { return "not there" }
    let contents = files.values.compactMap(\.self)
    let size = contents.reduce(0) { $0 + $1.count }
    return "\(contents.count) file\(contents.count == 1 ? "" : "s"), \(size) bytes"
  }
}
