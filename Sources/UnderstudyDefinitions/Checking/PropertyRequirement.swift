// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A property that the program needs, with its type.
public struct PropertyRequirement: Sendable {
  let findings: @Sendable (Properties) -> [Finding]

  /// A required property. With an optional type it may be missing, but must have the type if it is
  /// there.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - type: The type of the value.
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
/// Swift synthesises the decoding. An optional may be missing. A group of optionals may be missing,
/// too.
public protocol PropertyGroup: Decodable, Sendable {
  /// Where the group is.
  static var path: String { get }
}

extension Properties {
  /// Checks that everything the program needs is there and of the right type, before anything runs.
  ///
  /// A placeholder stands in for each wrong value, so that later properties are checked, too. If a
  /// type decodes itself and accepts no placeholder, later properties of its group are checked only
  /// after that value is corrected.
  ///
  /// - Parameter requirements: The properties that the program needs.
  /// - Throws: Everything that is missing or wrong, at once, with path and file.
  public func validate(_ requirements: PropertyRequirement...) throws(DefinitionError) {
    try validate(requirements)
  }

  /// Checks that everything the program needs is there and of the right type, before anything runs.
  ///
  /// - Parameter requirements: The properties that the program needs.
  /// - Throws: Everything that is missing or wrong, at once, with path and file.
  public func validate(_ requirements: [PropertyRequirement]) throws(DefinitionError) {
    let findings = requirements.flatMap { $0.findings(self) }
    guard findings.isEmpty else { throw DefinitionError(findings) }
  }
}
