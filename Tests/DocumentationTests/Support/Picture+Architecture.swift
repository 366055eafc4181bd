// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Picture {
  /// The folders of the core in the order of use. The targets of the package are below the targets
  /// that they use.
  static func architecture(_ blueprint: Blueprint) -> Picture {
    let folderRows = FolderRows(blueprint.folders)
    let plan = TargetPlan(blueprint, top: folderRows.bottom + 84)
    var picture = Picture(
      "The architecture",
      "The folders of Understudy in the order in which they use each other, and the targets of the "
        + "package, each with an arrow to the targets above it that it uses.",
      width: TargetPlan.width, height: plan.bottom + 16)
    picture.draw(folderRows)
    picture.text(
      "The targets: each uses the targets above it that its arrows lead to.", .bold,
      x: TargetPlan.margin, y: folderRows.bottom + 40)
    picture.text(
      "Blue: a library product. Grey: a tool, a plugin, or the sample.", .small,
      x: TargetPlan.margin, y: folderRows.bottom + 60)
    picture.draw(blueprint, plan)
    return picture
  }

  private mutating func draw(_ rows: FolderRows) {
    text(
      "The folders of Understudy: each uses only the folders before it.", .bold,
      x: TargetPlan.margin, y: 30)
    for place in rows.places {
      box(.production, x: place.x, y: place.y, width: place.width, height: 36)
      text(place.folder, .bold, x: place.x + place.width / 2, y: place.y + 23, anchor: "middle")
      if !place.isFirstOfRow { line("M\(place.x) \(place.y + 18) h-19", isArrow: true) }
    }
  }

  private mutating func draw(_ blueprint: Blueprint, _ plan: TargetPlan) {
    for target in blueprint.targets {
      for path in plan.paths(from: target.name) { line(path, isArrow: true) }
    }
    for target in blueprint.targets {
      guard let place = plan.places[target.name] else { continue }
      let foundation = target.importsFoundation ? "imports Foundation" : "no Foundation"
      box(
        target.isLibraryProduct ? .production : .neither, x: place.x, y: place.y,
        width: TargetPlan.boxWidth, height: TargetPlan.boxHeight)
      let middle = place.x + TargetPlan.boxWidth / 2
      text(target.name, .name, x: middle, y: place.y + 20, anchor: "middle")
      text(
        target.kind == "plugin" ? "plugin" : foundation, .sub, x: middle, y: place.y + 37,
        anchor: "middle")
    }
  }
}

/// The folders from left to right, in as many rows as they need.
private struct FolderRows {
  private(set) var places: [(folder: String, x: Int, y: Int, width: Int, isFirstOfRow: Bool)] = []
  private(set) var bottom = 80

  init(_ folders: [String]) {
    var (x, y) = (TargetPlan.margin, 44)
    for folder in folders {
      let width = 9 * folder.count + 16
      if x + width > TargetPlan.width - TargetPlan.margin { (x, y) = (TargetPlan.margin, y + 48) }
      places.append((folder, x, y, width, x == TargetPlan.margin))
      x += width + 22
    }
    bottom = y + 36
  }
}

/// The positions of the targets. Each row uses only targets of the rows above it.
private struct TargetPlan {
  static let margin = 12
  static let boxWidth = 164
  static let boxHeight = 48
  private static let columns = 4
  private static let gap = 6
  static let width = 2 * margin + columns * boxWidth + (columns - 1) * gap
  /// The distance between two parallel lines.
  private static let lane = 9

  private(set) var places: [String: (x: Int, y: Int)] = [:]
  private(set) var bottom = 0
  private let used: [String: [String]]
  private var rows: [[String]] = []
  private var tops: [Int] = []

  init(_ blueprint: Blueprint, top: Int) {
    used = Dictionary(
      uniqueKeysWithValues: blueprint.targets.map { ($0.name, blueprint.ownDependencies(of: $0)) })
    var byRow = Dictionary(grouping: blueprint.targets) { blueprint.column(of: $0.name) }
    // A full row gives its targets that use no other target to the row above.
    for row in byRow.keys.sorted(by: >) where row > 0 {
      let targets = byRow[row, default: []]
      guard targets.count > Self.columns else { continue }
      let free = targets.filter { used[$0.name]?.isEmpty == true }
      byRow[row]?.removeAll { target in free.contains { $0.name == target.name } }
      byRow[row - 1, default: []] += free
    }
    var columns: [String: Int] = [:]
    var y = top
    for (row, targets) in byRow.sorted(by: { $0.key < $1.key }) {
      // Each target is below the targets that it uses, so that few lines cross.
      let ordered = targets.enumerated().sorted { left, right in
        func rank(_ target: Blueprint.Target) -> Int {
          (used[target.name] ?? []).compactMap { columns[$0] }.max() ?? Int.max
        }
        return (rank(left.element), left.offset) < (rank(right.element), right.offset)
      }.map(\.element.name)
      if row > 0 { y += Self.boxHeight + 2 * 14 + Self.lane * max(1, rows[row - 1].count) }
      for (column, name) in ordered.enumerated() {
        columns[name] = column
        places[name] = (Self.margin + (Self.boxWidth + Self.gap) * column, y)
      }
      rows.append(ordered)
      tops.append(y)
    }
    bottom = y + Self.boxHeight
  }

  /// The lines from a target to the targets that it uses: up to the lane of the used target, along
  /// it, and up again.
  func paths(from name: String) -> [String] {
    guard let place = places[name] else { return [] }
    // The lines end from left to right in the order of the used targets.
    let ends = (used[name] ?? []).filter { places[$0] != nil }.sorted {
      (places[$0]?.x ?? 0) < (places[$1]?.x ?? 0)
    }
    return ends.enumerated().compactMap { index, end in
      guard let target = places[end], let row = rows.firstIndex(where: { $0.contains(end) }),
        let ownRow = rows.firstIndex(where: { $0.contains(name) })
      else { return nil }
      let start = place.x + Self.boxWidth / 2 + 16 * index - 8 * (ends.count - 1)
      let tip = target.x + Self.boxWidth / 2
      let lane = target.y + Self.boxHeight + 14 + Self.lane * (rows[row].firstIndex(of: end) ?? 0)
      var path = "M\(start) \(place.y)"
      if ownRow > row + 1 {
        // The line passes the rows between through the gap beside the column of the used target.
        path += " V\(tops[ownRow] - 12) H\(target.x - Self.gap / 2)"
      }
      return path + " V\(lane) H\(tip) V\(target.y + Self.boxHeight + 2)"
    }
  }
}
