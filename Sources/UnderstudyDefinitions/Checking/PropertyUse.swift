// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A place in source code that reads a property: `@Property("server.url") var url: String`.
public struct PropertyUse: Hashable, Sendable {
  /// The path, as the source spells it.
  public let path: String
  /// The type of the value, as the source spells it without blanks, or `nil` if the source does not
  /// say it.
  public let type: String?
  /// True if it may be missing: the type is optional, there is a default, or the code goes on
  /// without it.
  public let mayBeMissing: Bool
  /// Where it is read.
  public let origin: Origin

  /// Makes a use.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - type: The type of the value, or `nil` if it is not known.
  ///   - mayBeMissing: True if it may be missing.
  ///   - file: The file that reads it.
  public init(
    path: String, type: String? = nil, mayBeMissing: Bool = false, file: String, line: Int,
    column: Int = 1
  ) {
    self.init(
      path: path, type: type, mayBeMissing: mayBeMissing,
      origin: Origin(SourceName(file), line: line, column: column))
  }

  init(path: String, type: String?, mayBeMissing: Bool, origin: Origin) {
    self.path = path
    self.type = type
    self.mayBeMissing = mayBeMissing || type?.isOptional == true
    self.origin = origin
  }
}

extension Properties {
  /// Checks the places that read properties. Every path must be well formed and lead to a value,
  /// unless the property may be missing. If the type is a standard one, the value must have it.
  ///
  /// No code of the program runs.
  ///
  /// - Parameter uses: The places, as `PropertyUse.uses(in:named:)` finds them.
  /// - Returns: The findings. A missing property has the place of the source. A value of another
  ///   type has the place of the file, and its message also names the place of the source.
  public func findings(of uses: [PropertyUse]) -> [Finding] {
    uses.flatMap { use -> [Finding] in
      do throws(PropertyPath.Malformed) {
        _ = try PropertyPath(use.path)
      } catch {
        return [error.finding(of: use.path, at: use.origin)]
      }
      guard self[use.path] != nil else {
        guard !use.mayBeMissing else { return [] }
        return [
          Finding(
            .propertyMissing(
              type: use.type ?? "unknown", nearMisses: paths.nearMisses(of: use.path),
              sources: sources), of: .property(use.path), at: use.origin)
        ]
      }
      guard let type = use.type?.withSign, let requirement = PropertyUse.standard[type] else {
        return []
      }
      return requirement(use.path).findings(self).map { finding in
        var finding = finding
        finding.reader = use.origin
        return finding
      }
    }
  }
}

extension PropertyUse {
  /// The requirement for each standard type, by its spelling in a source.
  fileprivate static let standard: [String: @Sendable (String) -> PropertyRequirement] = {
    var standard: [String: @Sendable (String) -> PropertyRequirement] = [:]
    func add<Scalar: PropertyScalar>(_ type: Scalar.Type) {
      let name = "\(type)"
      standard[name] = { .property($0, as: Scalar.self) }
      standard[name + "?"] = { .property($0, as: Scalar?.self) }
      standard["[\(name)]"] = { .property($0, as: [Scalar].self) }
      standard["[\(name)]?"] = { .property($0, as: [Scalar]?.self) }
      standard["[String:\(name)]"] = { .property($0, as: [String: Scalar].self) }
      standard["[String:\(name)]?"] = { .property($0, as: [String: Scalar]?.self) }
    }
    for type in PropertyScalars.all { add(type) }
    return standard
  }()
}

extension String {
  /// Whether the spelling of a type is an optional.
  var isOptional: Bool { withSign.hasSuffix("?") }

  /// The type with the sign of an optional: `Int?` for `Optional<Int>` and `Int!`.
  fileprivate var withSign: String {
    if hasSuffix("!") { return dropLast() + "?" }
    let name = trimmingPrefix("Swift.")
    guard name.hasPrefix("Optional<"), name.hasSuffix(">") else { return self }
    return name.dropFirst("Optional<".count).dropLast() + "?"
  }
}
