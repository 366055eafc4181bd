// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A property that the program needs, and as what.
public struct PropertyRequirement: Sendable {
  let findings: @Sendable (Properties) -> [Finding]

  /// A property that must be there; of an optional type it may be missing, and must fit if it is
  /// not.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - type: What it is read as.
  /// - Returns: The requirement.
  public static func property<Value: Decodable & SendableMetatype>(
    _ path: String, as type: Value.Type
  ) -> PropertyRequirement {
    PropertyRequirement { $0.findings(of: path, as: Value.self) }
  }

  /// A group of properties: every one that is not optional must be there.
  public static func group<Group: PropertyGroup>(_ type: Group.Type) -> PropertyRequirement {
    .property(Group.path, as: type)
  }
}

/// A structure whose stored properties are the properties below one path.
///
/// ```swift
/// struct ServerConfig: PropertyGroup {
///   static let path = "server"
///   let url: URL
///   let port: Int
///   let proxy: String?
/// }
/// ```
///
/// Swift writes the decoding. An optional may be missing, and all of a group that has nothing else.
public protocol PropertyGroup: Decodable, Sendable {
  /// Where the group is.
  static var path: String { get }
}

extension Properties {
  /// Checks that everything the program needs is there and of the right type, before anything runs.
  ///
  /// Something stands in for what is wrong, so that what comes after it is looked at. Where a type
  /// decodes itself and takes nothing that this can make, what its group reads after it is found
  /// once that is mended.
  ///
  /// - Parameter requirements: What the program needs.
  /// - Throws: Everything that is missing or wrong, at once, with path and file.
  public func validate(_ requirements: PropertyRequirement...) throws(DefinitionError) {
    try validate(requirements)
  }

  /// Checks that everything the program needs is there and of the right type, before anything runs.
  ///
  /// - Parameter requirements: What the program needs.
  /// - Throws: Everything that is missing or wrong, at once, with path and file.
  public func validate(_ requirements: [PropertyRequirement]) throws(DefinitionError) {
    let findings = requirements.flatMap { $0.findings(self) }
    guard findings.isEmpty else { throw DefinitionError(findings) }
  }
}
