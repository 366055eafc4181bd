// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The facts of a mistake in a file, a property or a definition.
public struct Finding: Hashable, Sendable {
  /// The problem.
  public let problem: Problem
  /// The subject: a service, or the path of a property.
  public let subject: Subject?
  /// The place of the mistake.
  public let origin: Origin?
  /// The place of the source code that reads the property, if the mistake is elsewhere.
  package var reader: Origin?

  /// The subject of a finding.
  public enum Subject: Hashable, Sendable {
    /// A service, by name.
    case service(String)
    /// A property, by path.
    case property(String)
  }

  /// The kinds of problems.
  public enum Problem: Hashable, Sendable {
    // Reading
    /// There is no such file.
    case fileMissing
    /// It is a directory, a symbolic link, a device …
    case notARegularFile(kind: String)
    /// The system would not let it be read.
    case fileUnreadable(reason: String)
    /// It is larger than the limit.
    case tooLarge(limit: Int)
    /// It nests deeper than the limit.
    case tooDeep(limit: Int)
    /// It has more values than the limit.
    case tooManyValues(limit: Int)
    /// The paths of its properties together are longer than the limit, in bytes.
    case pathsTooLong(limit: Int)
    /// Its services together inherit more values than the limit.
    case tooManyInherited(limit: Int)
    /// It ends too early.
    case truncated(expected: String)
    /// The reader found a text that it did not expect.
    case unexpected(found: String, expected: String)
    /// Its bytes are no UTF-8.
    case invalidUTF8
    /// An object has the key twice.
    case duplicateKey(String)
    /// An integer beyond 64 bits, or a number beyond `Double`. A text holds a longer `Decimal`.
    case numberOutOfRange
    /// A part that is never read: entities, external files.
    case refused(String)

    // Properties
    /// The path cannot be read.
    case malformedPath(reason: String)
    /// A required property is missing.
    case propertyMissing(type: String, nearMisses: [String], sources: [String])
    /// A value does not have the requested type.
    case wrongType(expected: String, found: String)

    // Definitions
    /// A key that a definition does not have.
    case unknownKey(String, known: [String])
    /// A part of a definition has the wrong shape.
    case wrongShape(part: String, expected: String, found: String)
    /// Two parts that exclude each other, or a part that is missing.
    case incomplete(String)
    /// The catalogue does not offer the class.
    case unknownClass(String, nearMisses: [String])
    /// The catalogue does not offer the method for the type.
    case unknownMethod(String, type: String, nearMisses: [String])
    /// The name belongs to no service, parameter or registration.
    case missingReference(String, nearMisses: [String])
    /// The creation of a service needs the service itself.
    case cycle([String])
    /// A definition is its own parent.
    case parentCycle([String])
    /// There are more or fewer arguments than the class takes.
    case argumentCount(expected: String, given: Int)
    /// The class has no argument of this label.
    case unknownLabel(String, known: [String])
    /// An argument does not have the type that the class takes.
    case wrongArgument(label: String, expected: String, found: String)
    /// An abstract service, which only others inherit from, is used as a service.
    case abstractService(String)
  }

  package init(_ problem: Problem, of subject: Subject? = nil, at origin: Origin? = nil) {
    self.problem = problem
    self.subject = subject
    self.origin = origin
  }
}

/// All findings at once. Nothing was installed.
public struct DefinitionError: Error, Sendable {
  /// The findings, in the order in which they were found.
  public let findings: [Finding]

  package init(_ findings: [Finding]) {
    self.findings = findings
  }

  package init(
    _ problem: Finding.Problem, of subject: Finding.Subject? = nil, at origin: Origin? = nil
  ) {
    findings = [Finding(problem, of: subject, at: origin)]
  }
}
