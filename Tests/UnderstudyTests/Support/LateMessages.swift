// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The issue of a request under a layer that has ended.
///
/// - Parameter isOfOperation: False for the layer of a trait, which ends with the test.
func ended(
  _ layer: String, _ test: String, line: Int, key: String = "'any Postman'",
  isOfOperation: Bool = true, file: String = #fileID
) -> Caught {
  let remedies =
    isOfOperation
    ? """
      • Wait for the work before the scope ends.
      • Cancel the work, or let it resolve what it needs while the scope lasts.
      • Keep the layer for the object that the operation returns:  withOverrides(until: .endOfTest) { … } operation: { … }
    """
    : """
      • Wait for the work before the test ends.
      • Cancel the work, or let it resolve what it needs while the test runs.
    """
  return .error(
    """
    \(key) was asked for under the ended layer '\(layer)' of the test '\(test)'.
      At  \(file):\(line)
    To fix, do one of these:
    \(remedies)
    """, line: line, file: file)
}

/// The issue of an override that comes after a request.
func late(
  _ layer: String, captured: Int, line: Int, isError: Bool = false, file: String = #fileID
) -> Caught {
  Caught(
    """
    'any Postman' is overridden after an object captured it: that object keeps the old one.
      Captured    \(file):\(captured)
      Overridden  \(file):\(line)
      Layer       '\(layer)'
    To fix, do one of these:
      • Override it before the code under test is made.
      • Ask for it when it is needed:  try resolver.resolve(…)
    """, isError: isError, line: line, file: file)
}
