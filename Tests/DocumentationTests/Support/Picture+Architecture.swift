// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Picture {
  /// The folders of the core in the order of use, and the targets of the package.
  static func architecture(_ blueprint: Blueprint) -> Picture {
    let top = 100
    let columns = Dictionary(grouping: blueprint.targets) { blueprint.column(of: $0.name) }
    let rows = columns.values.map(\.count).max() ?? 0
    let width = max(1130, 236 * ((columns.keys.max() ?? 0) + 1) + 20)
    var picture = Picture(
      "The architecture",
      "The folders of Understudy from left to right, each of which uses only folders to its left, and "
        + "the targets of the package, each with an arrow to the targets that it depends on.",
      width: width, height: top + 56 + 68 * rows)
    picture.draw(blueprint.folders)
    picture.text(
      "The targets of the package: an arrow leads to a dependency.", .bold, x: 24, y: top + 24)
    picture.text(
      "Blue: a library product. Grey: a tool, a plugin, or the sample.", .small, x: 560, y: top + 24
    )
    picture.draw(blueprint, top: top + 44)
    return picture
  }

  private mutating func draw(_ folders: [String]) {
    text("The folders of Understudy: each uses only folders to its left.", .bold, x: 24, y: 30)
    var x = 24
    for (index, folder) in folders.enumerated() {
      let width = 9 * folder.count + 16
      box(.production, x: x, y: 44, width: width, height: 36)
      text(folder, .bold, x: x + width / 2, y: 67, anchor: "middle")
      x += width
      if index < folders.count - 1 { line("M\(x + 20) 62 h-16", isArrow: true) }
      x += 24
    }
  }

  private mutating func draw(_ blueprint: Blueprint, top: Int) {
    var places: [String: (x: Int, y: Int)] = [:]
    var rows: [String: Int] = [:]
    let columns = Dictionary(grouping: blueprint.targets) { blueprint.column(of: $0.name) }
    for (column, targets) in columns.sorted(by: { $0.key < $1.key }) {
      // Beside its dependencies, so that few lines cross.
      let ordered = targets.enumerated().sorted { left, right in
        func rank(_ target: Blueprint.Target) -> Int {
          blueprint.ownDependencies(of: target).compactMap { rows[$0] }.max() ?? Int.max
        }
        return (rank(left.element), left.offset) < (rank(right.element), right.offset)
      }
      for (row, target) in ordered.enumerated() {
        rows[target.element.name] = row
        places[target.element.name] = (24 + 236 * column, top + 68 * row)
      }
    }
    for target in blueprint.targets {
      guard let place = places[target.name] else { continue }
      for used in blueprint.ownDependencies(of: target).compactMap({ places[$0] }) {
        let (from, to) = (place.y + 26, used.y + 26)
        line(
          "M\(place.x) \(from) C\(place.x - 20) \(from) \(used.x + 232) \(to) \(used.x + 214) \(to)",
          isArrow: true)
      }
    }
    for target in blueprint.targets {
      guard let place = places[target.name] else { continue }
      let foundation = target.importsFoundation ? "imports Foundation" : "no Foundation"
      box(
        target.isLibraryProduct ? .production : .neither, target.name,
        target.kind == "plugin" ? "plugin" : foundation,
        x: place.x, y: place.y, width: 212, isCentred: true)
    }
  }
}
