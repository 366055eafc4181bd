// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// Provides the season.
public protocol SeasonSource: Sendable {
  /// The season, checked.
  func season() throws -> Season
}

/// Production's source: a file of JSON.
public struct SeasonFile: SeasonSource {
  private let file: URL

  /// The season that comes with the program.
  public static var sample: URL {
    Bundle.module.url(forResource: "season", withExtension: "json")
      ?? Bundle.module.bundleURL.appending(path: "season.json")
  }

  /// Makes a source that reads a file each time it is asked.
  public init(_ file: URL) {
    self.file = file
  }

  /// Reads and checks the file.
  ///
  /// - Throws: `BoxOfficeError` with the file, the place and the problem.
  public func season() throws -> Season {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw BoxOfficeError.unreadable(file: file.shortPath, reason: error.fileReason)
    }
    do throws(JSONProblem) {
      let season = try JSONDecoder().decodeOrExplain(Season.self, from: data)
      if let problem = season.firstProblem { throw problem }
      return season
    } catch {
      throw BoxOfficeError.malformedSeason(
        file: file.shortPath, place: error.place, problem: error.problem)
    }
  }
}

extension Season {
  /// The first error in the season, in the order of the file.
  var firstProblem: JSONProblem? {
    var ids: Set<String> = []
    for (index, performance) in performances.enumerated() {
      let place = "performances[\(index)]"
      guard !performance.id.isEmpty else {
        return JSONProblem(place: "\(place).id", problem: "it is empty")
      }
      guard ids.insert(performance.id).inserted else {
        return JSONProblem(
          place: "\(place).id", problem: "'\(performance.id)' is another performance already")
      }
      if let problem = performance.firstProblem(at: place) { return problem }
    }
    return performances.isEmpty
      ? JSONProblem(place: "performances", problem: "there is none") : nil
  }
}

extension Performance {
  fileprivate func firstProblem(at place: String) -> JSONProblem? {
    var names: Set<String> = []
    for (index, row) in rows.enumerated() {
      let place = "\(place).rows[\(index)]"
      guard !row.name.isEmpty, row.name.allSatisfy({ ("A"..."Z").contains($0) }) else {
        return JSONProblem(
          place: "\(place).name", problem: "'\(row.name)' is not made of capital letters A to Z")
      }
      guard names.insert(row.name).inserted else {
        return JSONProblem(place: "\(place).name", problem: "row '\(row.name)' is there twice")
      }
      guard (1...10_000).contains(row.seats) else {
        return JSONProblem(
          place: "\(place).seats", problem: "\(row.seats) is not a number of seats from 1 to 10000")
      }
      guard (Money.zero...Row.highestPrice).contains(row.price) else {
        return JSONProblem(
          place: "\(place).price",
          problem: "\(row.price.minorUnits) is not a price from 0 to \(Row.highestPrice.minorUnits)"
        )
      }
    }
    return rows.isEmpty ? JSONProblem(place: "\(place).rows", problem: "there is none") : nil
  }
}
