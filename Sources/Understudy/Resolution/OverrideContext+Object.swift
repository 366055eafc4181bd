// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideContext {
  /// The context of an object that was made under a layer, for as long as the layer lives.
  ///
  /// ```swift
  /// let model = withOverrides(until: .endOfTest) { … } operation: { Model() }
  /// OverrideContext.of(model)?.run { model.tap() }
  /// ```
  ///
  /// It is known for an object with an injecting wrapper, such as `@Inject`, for an instance that a
  /// test's layer stores, and for an object that an operation returned whose layer lives until the
  /// end of the test.
  ///
  /// - Parameter owner: The object, or a value.
  /// - Returns: The context, or `nil` if the object was made under no layer, or under one that has
  ///   ended.
  public static func of(_ owner: Any) -> OverrideContext? {
    guard let layer = OverrideLayer.ofObject(owner), layer.nearestEnded == nil else { return nil }
    return OverrideContext(under: layer)
  }
}

/// Runs `operation` in the context of an object that was made under a layer, so that what it makes
/// sees the same doubles.
///
/// ```swift
/// final class Model {
///   func open() { child = withOverrides(from: self) { Child() } }
/// }
/// ```
///
/// An object that was made under no layer, as in production, has no context of its own: `operation`
/// sees what the calling task sees. If the object's layer has ended, resolving under it is an error
/// that says so.
///
/// - Parameters:
///   - owner: The object; see `OverrideContext.of(_:)`.
///   - operation: The code that sees the context.
/// - Returns: The result of `operation`.
/// - Throws: What `operation` throws.
@discardableResult
public func withOverrides<Result, Failure: Error>(
  from owner: Any, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let layer = OverrideLayer.ofObject(owner) else { return try operation() }
  return try OverrideContext(under: layer).run(operation)
}

/// Runs `operation` in the context of an object that was made under a layer; keeps the caller's
/// isolation.
///
/// - Parameters:
///   - owner: The object; see `OverrideContext.of(_:)`.
///   - operation: The code that sees the context.
/// - Returns: The result of `operation`.
/// - Throws: What `operation` throws.
@discardableResult
public func withOverrides<Result, Failure: Error>(
  from owner: Any, operation: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  guard let layer = OverrideLayer.ofObject(owner) else { return try await operation() }
  return try await OverrideContext(under: layer).run(operation)
}

extension OverrideLayer {
  /// The layer under which the calling code makes an object, for a wrapper to hold.
  static var origin: (any AnyObject & Sendable)? { Surroundings.current.origin }
}
