// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers all that an assembly brings, after what its dependencies bring.
  ///
  /// Each is registered once, however many need it; two of one type that differ are two. A
  /// registration for a key that is registered already is replaced, as by any other. What is
  /// `eager` is made when it is asked for: `load` makes it at once, and can throw.
  ///
  /// - Parameters:
  ///   - assembly: What is installed. An object is told from others by its identity, anything else
  ///     by its type and value: by `==` if it is `Equatable`, or else by those of its stored
  ///     properties that are.
  public func install(
    _ assembly: some Assembly, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let layer = self as? OverrideLayer
    let count = layer?.scope.overrides.count ?? 0
    defer { layer?.scope.noteInstalled(from: count) }
    for part in [any Assembly].inOrder(of: [assembly]) {
      part.assemble(into: self, installedAt: callSite)
    }
  }
}
