// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One resolution in a log.
public struct ResolutionEvent: Sendable {
  /// How a resolution ended.
  public enum Outcome: Hashable, Sendable {
    /// The block was called.
    case made
    /// The value came from a cache.
    case reused
    /// Nothing answered.
    case missed
    /// The block, or a dependency of it, failed.
    case failed
  }

  /// The number of the resolution. It is unique in the process. Under one stack of layers, the
  /// numbers have the order in which the resolutions began.
  public let order: Int
  let parentOrder: Int
  /// The requested key.
  public let key: AnyKey
  /// The key of the registration whose block made the request.
  public let requester: AnyKey?
  /// The serial number of that registration.
  let requesterSerial: Int?
  let label: LayerLabel?
  /// The end of the resolution.
  public let outcome: Outcome
  /// The argument that was passed, as text.
  public let argument: String?
  /// True if an argument was passed and ignored. Either the value had been created with another
  /// one, or the registration takes none.
  public let ignoredArgument: Bool
  /// Where the request was made.
  public let callSite: CallSite

  /// The number of the resolution whose block made this request, if one did.
  public var parent: Int? { parentOrder == 0 ? nil : parentOrder }
  /// The name of the layer that answered, or `nil` for production.
  public var layer: String? { label?.name }
}

/// The exact counts of a key's resolutions.
public struct ResolutionCounts: Hashable, Sendable {
  /// Resolutions that got a value.
  public var resolved: Int { made + reused }
  /// Values that were created.
  public internal(set) var made = 0
  /// Values that came from a cache.
  public internal(set) var reused = 0
  /// Requests that nothing answered.
  public internal(set) var missed = 0
  /// Requests that failed.
  public internal(set) var failed = 0

  package var text: String { "made \(made), reused \(reused), missed \(missed), failed \(failed)" }

  mutating func count(_ outcome: ResolutionEvent.Outcome) {
    switch outcome {
    case .made: made += 1
    case .reused: reused += 1
    case .missed: missed += 1
    case .failed: failed += 1
    }
  }

  static func += (sum: inout ResolutionCounts, right: ResolutionCounts) {
    sum.made += right.made
    sum.reused += right.reused
    sum.missed += right.missed
    sum.failed += right.failed
  }
}
