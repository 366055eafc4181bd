// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideContext {
  /// The context of an object that was created under a layer. If the layer has ended, a request in
  /// the context is an error that says so.
  ///
  /// Three kinds of objects have one: an object with a wrapper such as `@Inject`, an instance that
  /// a test's layer stores, and an object that the operation of a layer with `until: .endOfTest`
  /// returned. An object that the block of a cached instance creates has one only
  /// through `@LazyInject`. The context has no resolver: the code that runs in it keeps its own.
  ///
  /// - Parameter owner: The object, or a value.
  /// - Returns: The context, or `nil` if the object was created under no layer.
  public static func of(_ owner: Any) -> OverrideContext? {
    OverrideLayer.ofObject(owner).map(OverrideContext.init(under:))
  }
}

/// Runs `operation` in the context of an object that was created under a layer. Objects that
/// `operation` creates see the same doubles.
///
/// ```swift
/// final class Model {
///   func open() { child = withOverrides(from: self) { Child() } }
/// }
/// ```
///
/// An object that was created under no layer, as in production, has no context of its own. Then
/// `operation` sees what the calling task sees.
///
/// - Parameters:
///   - owner: The object. See `OverrideContext.of(_:)`.
///   - operation: The code that sees the context.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
@discardableResult
public func withOverrides<Result, Failure: Error>(
  from owner: Any, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let layer = OverrideLayer.ofObject(owner) else { return try operation() }
  return try OverrideContext(under: layer).run(operation)
}

/// Runs `operation` in the context of an object that was created under a layer. Keeps the caller's
/// isolation.
@discardableResult
public func withOverrides<Result, Failure: Error>(
  from owner: Any, operation: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  guard let layer = OverrideLayer.ofObject(owner) else { return try await operation() }
  return try await OverrideContext(under: layer).run(operation)
}
