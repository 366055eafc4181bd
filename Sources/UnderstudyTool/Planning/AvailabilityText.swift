// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Writes availability attributes.
enum AvailabilityText {
  static let deprecated = "@available(*, deprecated)"

  static func attributes(_ availability: [SymbolGraph.Availability]) -> [String] {
    withoutVersions(availability)
      + (systems(availability).map { ["@available(\($0))"] } ?? [])
  }

  /// The attributes that name no version of a system.
  static func withoutVersions(_ availability: [SymbolGraph.Availability]) -> [String] {
    var lines: [String] = []
    for item in availability {
      let domain = item.domain.map { $0 == "Swift" ? "swift" : $0.systemName } ?? "*"
      // A compiler writes nothing else there.
      guard domain == "*" || domain.isWord else { continue }
      if item.isUnconditionallyUnavailable == true {
        lines.append("@available(\(domain), unavailable)")
      }
      if domain == "swift", let version = item.introduced {
        lines.append("@available(swift, introduced: \(version.text))")
      }
    }
    return lines
  }

  /// The systems on which something is unavailable.
  static func withoutSystems(_ availability: [SymbolGraph.Availability]) -> [String] {
    let domains = availability.filter { $0.isUnconditionallyUnavailable == true }.map(\.domain)
    return ["macOS", "iOS", "tvOS", "watchOS", "visionOS"].filter { domains.contains($0) }
  }

  /// The oldest systems, `macOS 15.0, iOS 18.0, *`, or `nil` for all systems.
  ///
  /// A system that is a part of another one, such as macCatalyst of iOS, is as new as that one, or
  /// newer. Each declaration that does not name it has the version of the other one.
  static func systems(_ availability: [SymbolGraph.Availability]) -> String? {
    var names: [String] = []
    var oldest: [String: SymbolGraph.Availability.Version] = [:]
    for item in availability {
      guard let name = item.domain?.systemName, name.isWord, name != "Swift",
        let version = item.introduced
      else { continue }
      if oldest[name] == nil { names.append(name) }
      if let known = oldest[name], !(known < version) { continue }
      oldest[name] = version
    }
    guard !names.isEmpty else { return nil }
    let texts = names.map { name in
      let version = name.widerSystems.compactMap { oldest[$0] }.reduce(oldest[name]) {
        known, wider in
        known.map { $0 < wider } == true ? wider : known
      }
      return "\(name) \(version?.text ?? "")"
    }
    return (texts + ["*"]).joined(separator: ", ")
  }
}

extension String {
  /// A system as an attribute names it. A graph has `iOSAppExtension`.
  fileprivate var systemName: String { replacing("AppExtension", with: "ApplicationExtension") }

  /// The systems of which this one is a part.
  fileprivate var widerSystems: [String] {
    let system = replacing("ApplicationExtension", with: "")
    return (system == self ? [] : [system]) + (system == "macCatalyst" ? ["iOS"] : [])
  }
}
