// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy
public import UnderstudyDoubles

// A structure instead of a protocol, because its values are called like functions: the compiler of
// Swift 6.3 crashes on `resolver.resolve(\.uuid)()` if the value has a protocol type.

/// A source of UUIDs.
///
/// ```swift
/// @Inject(\.uuid) var uuid
/// let id = uuid()
/// ```
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Makes a source that calls `generate` for each UUID.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// Makes a source from a fake one.
  public init(_ source: UUIDSource) {
    self.init { source.uuid() }
  }

  /// The next UUID.
  public func callAsFunction() -> UUID { generate() }

  /// The system's random UUIDs.
  public static var system: UUIDGenerator { UUIDGenerator { UUID() } }

  /// Counts from 1: `00000000-0000-0000-0000-000000000001`, and so on.
  public static var counting: UUIDGenerator { UUIDGenerator(.counting()) }

  /// Random UUIDs, the same ones for the same seed on every platform.
  public static func seeded(_ seed: UInt64) -> UUIDGenerator { UUIDGenerator(.seeded(seed)) }

  /// The same UUID every time.
  public static func constant(_ uuid: UUID) -> UUIDGenerator { UUIDGenerator { uuid } }

  /// These UUIDs, in order. A script that runs out is an issue of the test.
  public static func scripted(
    _ first: UUID, _ others: UUID..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> UUIDGenerator {
    UUIDGenerator(
      UUIDSource.scripted([first] + others, at: CallSite(fileID, filePath, line, column)))
  }
}

extension UUID {
  /// The UUID that `.counting` gives for its request of this number: `#expect(id == .counted(1))`.
  public static func counted(_ number: Int) -> UUID {
    UUIDSource.counting(from: UInt64(bitPattern: Int64(number))).uuid()
  }
}

extension Dependencies {
  /// The source of UUIDs.
  public static var uuid: Dependency<UUIDGenerator> { declaredUUID }
}

private let declaredUUID = Dependency<UUIDGenerator>(inTests: .mustBeOverridden, function: "uuid") {
  .system
}
