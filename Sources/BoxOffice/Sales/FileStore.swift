// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// Production's store: one file of JSON in a directory.
///
/// A sale is decided and added under a lock between processes, and the file is replaced as a whole.
/// So no seat is sold twice, and a process that is killed leaves the file as it was. A file that
/// cannot be read is never written over, and a private file stays private. Reading creates nothing
/// and does not wait.
public struct FileStore: SalesStore {
  private let directory: URL

  /// The file of the sales.
  public var file: URL { directory.appending(path: "sales.json") }

  /// Makes a store. The first sale creates its directory.
  public init(directory: URL) {
    self.directory = directory
  }

  /// All sales, oldest first; none if there is no file.
  public func sales() throws -> [Sale] {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    } catch {
      throw BoxOfficeError.unreadable(file: file.shortPath, reason: error.fileReason)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do throws(JSONProblem) {
      let book = try decoder.decodeOrExplain(SalesBook.self, from: data)
      guard book.version == SalesBook.version else {
        throw JSONProblem(
          place: "version", problem: "this program reads \(SalesBook.version), not \(book.version)")
      }
      return book.sales
    } catch {
      throw BoxOfficeError.damagedSales(
        file: file.shortPath, place: error.place, problem: error.problem)
    }
  }

  /// Adds a sale. The sale is on the disk when this returns.
  public func add(_ decide: ([Sale]) throws -> Sale) throws -> Sale {
    try writing {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }
    let lock = try writing { try FileLock(directory.appending(path: "sales.lock")) }
    defer { lock.unlock() }
    let sales = try sales()
    let sale = try decide(sales)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try writing {
      try file.replaceContents(with: encoder.encode(SalesBook(sales: sales + [sale])))
    }
    return sale
  }

  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw BoxOfficeError.unwritable(path: directory.shortPath, reason: error.fileReason)
    }
  }
}

/// The contents of the file.
private struct SalesBook: Codable {
  static let version = 1

  var version = SalesBook.version
  var sales: [Sale]
}
