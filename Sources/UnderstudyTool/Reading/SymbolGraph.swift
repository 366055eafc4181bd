// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The part of a symbol graph that the tool needs, as the compiler writes it.
struct SymbolGraph: Codable {
  struct Module: Codable { var name: String }

  var metadata: Metadata
  var module: Module
  var symbols: [Symbol]
  var relationships: [Relationship]
}

extension SymbolGraph {
  struct Metadata: Codable {
    struct Version: Codable {
      var major: Int
      var minor: Int
      var patch: Int?

      var text: String { "\(major).\(minor).\(patch ?? 0)" }
    }
    var formatVersion: Version
  }

  /// The head of a graph, which is read first to reject an unknown format.
  struct Head: Decodable { var metadata: Metadata }

  struct Symbol: Codable {
    struct Kind: Codable { var identifier: String }
    struct Identifier: Codable { var precise: String }
    struct DocComment: Codable, Hashable {
      struct Line: Codable, Hashable {
        struct Range: Codable, Hashable { var start: Location.Position }
        var text: String
        var range: Range?
      }
      var uri: String?
      var lines: [Line]
    }
    struct Extension: Codable { var constraints: [Constraint]? }
    struct Location: Codable {
      struct Position: Codable, Hashable {
        var line: Int
        var character: Int
      }
      var uri: String
      var position: Position
    }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var docComment: DocComment?
    var declarationFragments: [Fragment]?
    var accessLevel: String
    var availability: [Availability]?
    var swiftGenerics: Generics?
    var swiftExtension: Extension?
    var location: Location?
    /// Whether it belongs to an SPI group. The graph does not contain the group's name.
    var spi: Bool?
  }

  struct Fragment: Codable, Hashable {
    var kind: String
    var spelling: String
    var preciseIdentifier: String?
  }

  struct Availability: Codable, Hashable {
    struct Version: Codable, Hashable {
      var major: Int
      var minor: Int?
      var patch: Int?

      var text: String {
        "\(major).\(minor ?? 0)" + (patch.map { $0 == 0 ? "" : ".\($0)" } ?? "")
      }

      static func < (left: Version, right: Version) -> Bool {
        (left.major, left.minor ?? 0, left.patch ?? 0)
          < (right.major, right.minor ?? 0, right.patch ?? 0)
      }
    }
    var domain: String?
    var introduced: Version?
    var deprecated: Version?
    var obsoleted: Version?
    var isUnconditionallyUnavailable: Bool?
    var isUnconditionallyDeprecated: Bool?

    var isDeprecated: Bool { deprecated != nil || isUnconditionallyDeprecated == true }
  }

  struct Generics: Codable {
    struct Parameter: Codable { var name: String }
    var parameters: [Parameter]?
  }

  /// The constraints of a generic parameter.
  struct Constraint: Codable, Hashable {
    var kind: String
    var lhs: String
    var rhsPrecise: String?
  }

  struct Relationship: Codable {
    struct Origin: Codable { var identifier: String }

    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
    /// The overridden member or the requirement that may document the source.
    var sourceOrigin: Origin?
    /// The conditions of the conformance. Without any, it always holds.
    var swiftConstraints: [Constraint]?
  }
}
