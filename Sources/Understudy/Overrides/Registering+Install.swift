// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers the contents of an assembly, after those of its dependencies. Each assembly is
  /// installed once, however many depend on it.
  ///
  /// `install` does not create `eager` instances: the first request does. `load` creates them at
  /// once, and can throw.
  ///
  /// - Parameters:
  ///   - assembly: The assembly. Objects are told apart by their identity. Other values are told
  ///     apart by their type and by `==`, or, if they are not `Equatable`, by their stored
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
