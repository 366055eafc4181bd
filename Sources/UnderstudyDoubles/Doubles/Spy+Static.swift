// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// Doubles of static requirements.
extension Spy where Arguments: Sendable, Output: Sendable {
  /// The double of a static requirement, kept by the current layer: parallel tests do not share it.
  ///
  /// ```swift
  /// static var nows: Spy<Void, Int, Never> { .static(of: Self.self, "now()") }
  /// static func now() -> Int { nows() }
  /// ```
  ///
  /// Where no layer is current, the process keeps it.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it; also what tells it from the owner's other ones.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Spy {
    LayerDoubles.static(of: owner, name) {
      Spy(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension AsyncSpy where Arguments: Sendable, Output: Sendable {
  /// The double of a static requirement, kept by the current layer: parallel tests do not share it.
  ///
  /// Where no layer is current, the process keeps it.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it; also what tells it from the owner's other ones.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> AsyncSpy {
    LayerDoubles.static(of: owner, name) {
      AsyncSpy(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension LayerDoubles {
  static func `static`<Double: Sendable>(
    of owner: Any.Type, _ name: String, make: () -> Double
  ) -> Double {
    let key = StaticKey(
      owner: ObjectIdentifier(owner), name: name, kind: ObjectIdentifier(Double.self))
    let doubles = OverrideLayer.current.map(LayerDoubles.of) ?? .process
    return doubles.static(key, make: make)
  }
}
