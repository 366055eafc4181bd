// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension GraphIndex {
  /// The paths of a module's sources, in order.
  ///
  /// A graph of the extractor has no places for private declarations, so a source that contains
  /// nothing else is only in the package's list.
  func sources(of module: String) -> [String] {
    let placed = Set(
      symbols.lazy.filter { modules[$0.key] == module }
        .compactMap(\.value.location?.uri.pathOfAddress))
    let others = (listed[module] ?? []).filter { path in
      // The compiler may resolve symbolic links.
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      return placed.isDisjoint(with: [path, resolved])
    }
    return placed.union(others).sorted()
  }
}
